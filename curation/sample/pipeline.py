"""The sample RAG pipelines, as an evaluation calls them: question and conversation in, dict out.

`version_blind` is what production runs; `version_aware` changes its retriever and nothing else;
`handbook_boost` is a second idea for the retriever, which helps on average and harms billing.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from curation.domain.base import Value
from curation.sample.generation import Citing, Generator, Reply, reply
from curation.sample.retrieval import (
    Retriever,
    any_version,
    asked_versions,
    handbook_first,
    understand,
)
from curation.sample.search import Found, corpus_index

MODEL = "extract-1"
Conversation = Sequence[Mapping[str, str]]

_PER_INPUT_TOKEN = 0.4e-6
_PER_OUTPUT_TOKEN = 1.6e-6
_PROMPT_TOKENS = 220

FIRST = Generator(used=3, abstain_below=0.6, citing=Citing.FIRST, minutes=False, clarifies=False)
SECOND = Generator(used=4, abstain_below=0.34, citing=Citing.OWN, minutes=True, clarifies=True)


class Pipeline(Value):
    """A retriever and a generator under one name."""

    name: str
    retriever_name: str
    retriever: Retriever
    generator: Generator

    @property
    def manifest(self) -> dict[str, str]:
        """What the pipeline is made of, by component."""
        return {
            "corpus": "kestrel-docs",
            "retriever": self.retriever_name,
            "prompt": f"best sentences of {self.generator.used} chunks",
            "model": MODEL,
            "citation": self.generator.citing.value,
            "abstention": f"below {self.generator.abstain_below}",
        }

    @property
    def pipeline(self) -> str:
        """The name that a run of it carries."""
        return self.name

    def __call__(self, question: str, conversation: Conversation = ()) -> dict[str, Any]:
        """Return the answer to a question, as an evaluation asks it."""
        return self.answer(question, conversation)

    def answer(
        self, question: str, conversation: Conversation = (), *, salt: str = ""
    ) -> dict[str, Any]:
        """Return hits, answer, citations, outcome, latency and cost for one question.

        `salt` stands for the moment: the same work takes a little longer at another one.
        """
        index = corpus_index()
        asked = understand(question, conversation, index)
        found = self.retriever(index, asked)
        made = reply(self.generator, asked, found, index)
        spent = _prompt_tokens(question, conversation, found[: self.generator.used])
        return {
            "hits": _hits(found, self.generator.used),
            "answer": made.text,
            "citations": _citations(made, found),
            "outcome": made.outcome,
            "latency_ms": _latency(spent, made.text, salt=f"{self.name}|{question}|{salt}"),
            "cost_usd": _cost(spent, made.text),
        }


def _hits(found: Sequence[Found], used: int) -> list[dict[str, Any]]:
    return [
        {
            "rank": rank,
            "chunk_id": one.chunk.chunk_id,
            "doc_id": one.chunk.doc_id,
            "doc_version": one.chunk.doc_version,
            "text": one.chunk.text,
            "score": round(one.score, 4),
            "used": rank <= used,
        }
        for rank, one in enumerate(found, start=1)
    ]


def _citations(made: Reply, found: Sequence[Found]) -> list[dict[str, Any]]:
    return [
        {
            "chunk_id": found[number - 1].chunk.chunk_id,
            "doc_version": found[number - 1].chunk.doc_version,
            "marker": f"[{number}]",
        }
        for number in made.cited
    ]


def _tokens(text: str) -> int:
    return len(text) // 4 + 1


def _prompt_tokens(question: str, conversation: Conversation, used: Sequence[Found]) -> int:
    texts = [question, *(turn["text"] for turn in conversation), *(f.chunk.text for f in used)]
    return _PROMPT_TOKENS + sum(_tokens(text) for text in texts)


def _latency(spent: int, answer: str, *, salt: str) -> float:
    """Return milliseconds for the work done: reading, writing, and a wait that depends on `salt`.

    One call in about sixty meets a busy machine and takes several times as long.
    """
    digest = hashlib.sha256(salt.encode()).digest()
    wait = 0.85 + 0.4 * digest[0] / 255
    busy = 7.0 if digest[1] < 4 else 1.0
    return round((240 + 0.8 * spent + 11 * _tokens(answer)) * wait * busy, 1)


def _cost(spent: int, answer: str) -> float:
    return round(spent * _PER_INPUT_TOKEN + _tokens(answer) * _PER_OUTPUT_TOKEN, 8)


BLIND_FIRST = Pipeline(
    name="kestrel-rag 1.3", retriever_name="any_version", retriever=any_version, generator=FIRST
)
BLIND = Pipeline(
    name="kestrel-rag 1.4", retriever_name="any_version", retriever=any_version, generator=SECOND
)
AWARE = Pipeline(
    name="kestrel-rag 1.5",
    retriever_name="asked_versions",
    retriever=asked_versions,
    generator=SECOND,
)
BOOSTED = Pipeline(
    name="kestrel-rag 1.6",
    retriever_name="handbook_first",
    retriever=handbook_first,
    generator=SECOND,
)


# What an evaluation names: `--target curation.sample.pipeline:version_aware`.
version_blind = BLIND
version_aware = AWARE
handbook_boost = BOOSTED
