"""One output of a pipeline on a question, as it is judged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.domain.answer import Answer, Citation, Outcome, RetrievedChunk
from curation.domain.case import Case
from curation.domain.chunk import ChunkKey
from curation.metrics.hits import Hit, distinct

__all__ = ["Output", "logged_output", "prompt_texts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """An answer with what was retrieved for it and what it cites.

    `hits` and `citations` are None where they were not logged, and empty where there were none.
    `hits` are distinct and in rank order. `prompt` is the text that the model was given, where it
    was kept: it then stands for the texts of the hits.
    """

    answer: str
    outcome: Outcome | None = None
    hits: tuple[Hit, ...] | None = None
    citations: tuple[Citation, ...] | None = None
    prompt: str | None = None


def logged_output(answer: Answer, texts: Mapping[ChunkKey, str] | None = None) -> Output:
    """Return a logged answer as an output; a log without chunks or citations did not log them.

    Args:
        answer: the logged answer.
        texts: chunk texts of the corpus, for hits whose text was not logged.
    """
    hits = distinct(_hit(chunk, texts or {}) for chunk in answer.retrieved)
    return Output(
        answer=answer.answer,
        outcome=answer.outcome,
        hits=hits or None,
        citations=answer.citations or None,
    )


def _hit(chunk: RetrievedChunk, texts: Mapping[ChunkKey, str]) -> Hit:
    text = chunk.text
    if text is None:
        text = texts.get(ChunkKey(chunk.chunk_id, chunk.doc_version))
    return Hit(
        rank=chunk.rank,
        chunk_id=chunk.chunk_id,
        doc_id=chunk.doc_id,
        doc_version=chunk.doc_version,
        text=text,
        used=chunk.used,
    )


def prompt_texts(case: Case, hits: Iterable[Hit], prompt: str | None = None) -> tuple[str, ...]:
    """Return what the prompt held: itself or the used chunks, the question, the conversation."""
    used = tuple(hit.text for hit in hits if hit.used and hit.text is not None)
    turns = (turn.text for turn in case.conversation)
    return (*(used if prompt is None else (prompt,)), case.question, *turns)
