"""The judge of the sample log: rules that need no model, named as what they are."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curation.sample.search import Index, corpus_index
from curation.sample.text import quantities, without_markers
from curation.sample.truth import Output, unsupported

JUDGE = "rules"
PROMPT_VERSION = "rules-1"
_UNJUDGED = 20  # of 256: the share of traffic that the judge does not see
_CHUNKS_JUDGED = 80  # of 256: the share of answers whose chunks are judged as well


def score_answer(
    question: str, conversation: Sequence[Mapping[str, str]], output: Output, *, salt: str
) -> list[dict[str, Any]]:
    """Return the scores of one answer; `salt` decides what the judge sees of it."""
    digest = hashlib.sha256(salt.encode()).digest()
    if digest[0] < _UNJUDGED:
        return []
    index = corpus_index()
    asked = "\n".join([question, *(turn["text"] for turn in conversation)])
    scores = [_relevancy(question, output, index)]
    if output["outcome"] == "answered":
        scores.insert(0, _faithfulness(asked, output))
    if digest[1] < _CHUNKS_JUDGED:
        scores.extend(_relevance(question, output, index))
    return scores


def _score(
    metric: str, value: float | None, scale: tuple[int, int], reason: str, **more: str
) -> dict[str, Any]:
    return {
        "metric": metric,
        "value": value,
        "scale": list(scale),
        "judge": JUDGE,
        "prompt_version": PROMPT_VERSION,
        "reason": reason,
        "status": "failed" if value is None else "ok",
        "error_kind": "nothing_to_score" if value is None else None,
        **more,
    }


def _faithfulness(asked: str, output: Output) -> dict[str, Any]:
    """Return the share of the answer's quantities that stand in the prompt."""
    stated = quantities(output["answer"])
    if not stated:
        return _score("faithfulness", None, (0, 1), "The answer holds no quantity.")
    missing = unsupported(output, asked=asked)
    value = round(1 - len(missing) / len(stated), 4)
    held = f"{len(stated) - len(missing)} of {len(stated)} quantities stand in the retrieved text"
    reason = f"{held}; not found: {', '.join(missing)}." if missing else f"{held}."
    return _score("faithfulness", value, (0, 1), reason)


def _known(question: str, index: Index) -> list[str]:
    """Return the words of the question that the corpus knows, each once."""
    return [term for term in dict.fromkeys(index.terms(question)) if index.knows(term)]


def _relevancy(question: str, output: Output, index: Index) -> dict[str, Any]:
    """Return how much of the question's weight stands in the answer and the chunks it cites."""
    terms = _known(question, index)
    if not terms:
        reason = "No word of the question is in the corpus."
        return _score("answer_relevancy", None, (0, 1), reason)
    cited = {citation["chunk_id"] for citation in output["citations"]}
    texts = [hit["text"] for hit in output["hits"] if hit["chunk_id"] in cited]
    value = index.share(terms, "\n".join([without_markers(output["answer"]), *texts]))
    reason = f"The answer and what it cites hold {value:.0%} of the question's weight."
    return _score("answer_relevancy", round(value, 4), (0, 1), reason)


def _relevance(question: str, output: Output, index: Index) -> Iterator[dict[str, Any]]:
    """Yield a grade from 0 to 2 for each chunk that reached the prompt."""
    terms = _known(question, index)
    if not terms:
        return
    for hit in output["hits"]:
        if hit["used"]:
            share = index.share(terms, hit["text"])
            grade = 2 if share >= 0.6 else 1 if share >= 0.3 else 0
            reason = f"The chunk holds {share:.0%} of the question's weight."
            yield _score("relevance", grade, (0, 2), reason, chunk_id=hit["chunk_id"])
