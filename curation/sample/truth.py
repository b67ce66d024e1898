"""Whether an answer of a sample pipeline is right, and where it failed (measures.md section 8)."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from curation.domain.case import Answerable
from curation.sample.documents import chunk_texts
from curation.sample.questions import Key, Truth
from curation.sample.text import holds, quantities, sentences

Output = Mapping[str, Any]

_CITED = re.compile(r"\[(\d+)\]")


class Failure(StrEnum):
    """How an answer failed; a wrong version is context recall with a decoy in its place."""

    NONE = "none"
    WRONG_VERSION = "wrong_version"
    MISSING_RETRIEVAL = "missing_retrieval"
    CONTEXT_PRECISION = "context_precision"
    FAITHFULNESS = "faithfulness"
    ANSWER_RELEVANCY = "answer_relevancy"
    CITATION = "citation"
    FALSE_ANSWER = "false_answer"
    OVER_ABSTENTION = "over_abstention"


def failure_of(truth: Truth, output: Output, *, asked: str = "") -> Failure:
    """Return where the answer failed; `none` when it is right.

    `asked` is the question with its earlier turns: quantities of it need no other support.
    """
    if truth.answerable is Answerable.UNANSWERABLE:
        return Failure.FALSE_ANSWER if _answered(output) else Failure.NONE
    if truth.answerable is Answerable.UNDERSPECIFIED:
        return _underspecified(truth, output)
    if _answered(output) and holds_truth(truth, output["answer"]):
        return _of_a_right_value(truth, output, asked)
    return _of_a_wrong_value(truth, output, asked)


def holds_truth(truth: Truth, answer: str) -> bool:
    """Return whether the answer holds all that is required and nothing that is forbidden."""
    return (
        all(any(holds(answer, wording) for wording in fact) for fact in truth.required)
        and not any(holds(answer, value) for value in _asserted(truth))
        and all(any(holds(answer, wording) for wording in line) for line in truth.declines)
    )


def _asserted(truth: Truth) -> list[str]:
    """Return the forbidden values that the right passage itself does not mention."""
    texts = [chunk_texts()[key] for group in truth.gold for key in group]
    return [v for v in truth.forbidden.values() if not any(holds(text, v) for text in texts)]


def stated_forbidden(truth: Truth, answer: str) -> tuple[str, str] | None:
    """Return the first forbidden value in the answer, with the version it belongs to."""
    stated = ((v, value) for v, value in truth.forbidden.items() if holds(answer, value))
    return next(stated, None)


def unsupported(output: Output, *, asked: str) -> tuple[str, ...]:
    """Return the answer's quantities that stand neither in the prompt nor in what was asked."""
    texts = [hit["text"] for hit in output["hits"] if hit["used"]]
    known = set(quantities("\n".join([asked, *texts])))
    return tuple(q for q in quantities(output["answer"]) if q not in known)


def _answered(output: Output) -> bool:
    return bool(output["outcome"] == "answered")


def _underspecified(truth: Truth, output: Output) -> Failure:
    if output["outcome"] == "clarified" or holds_truth(truth, output["answer"]):
        return Failure.NONE
    return Failure.FALSE_ANSWER if _answered(output) else Failure.OVER_ABSTENTION


def _of_a_right_value(truth: Truth, output: Output, asked: str) -> Failure:
    if unsupported(output, asked=asked):
        return Failure.FAITHFULNESS
    return Failure.NONE if _cites_support(truth, output) else Failure.CITATION


def _of_a_wrong_value(truth: Truth, output: Output, asked: str) -> Failure:
    ranks = {(hit["chunk_id"], hit["doc_version"]): hit for hit in output["hits"]}
    missing = [group for group in truth.gold if not any(key in ranks for key in group)]
    if missing:
        return _not_retrieved(missing[0], output)
    if truth.declines and _answered(output) and not _declined(truth, output["answer"]):
        return Failure.FALSE_ANSWER
    if not _answered(output):
        return Failure.OVER_ABSTENTION
    gold = [min(ranks[k]["rank"] for k in group if k in ranks) for group in truth.gold]
    if _below_cut(gold, output) or _decoy_above(truth, max(gold, default=0), output):
        return Failure.CONTEXT_PRECISION
    if unsupported(output, asked=asked):
        return Failure.FAITHFULNESS
    return Failure.ANSWER_RELEVANCY


def _not_retrieved(group: tuple[Key, ...], output: Output) -> Failure:
    retrieved = {hit["chunk_id"] for hit in output["hits"]}
    decoy = any(chunk_id in retrieved for chunk_id, _ in group)
    return Failure.WRONG_VERSION if decoy else Failure.MISSING_RETRIEVAL


def _declined(truth: Truth, answer: str) -> bool:
    return all(any(holds(answer, wording) for wording in line) for line in truth.declines)


def _below_cut(gold: list[int], output: Output) -> bool:
    used = {hit["rank"] for hit in output["hits"] if hit["used"]}
    return any(rank not in used for rank in gold)


def _decoy_above(truth: Truth, rank: int, output: Output) -> bool:
    """Return whether a stated wrong value stands in a chunk ranked above the gold one."""
    stated = stated_forbidden(truth, output["answer"])
    if stated is None:
        return False
    return any(hit["rank"] < rank and holds(hit["text"], stated[1]) for hit in output["hits"])


def _cites_support(truth: Truth, output: Output) -> bool:
    """Return whether each sentence with a required value cites a chunk that holds the value."""
    texts = {hit["rank"]: hit["text"] for hit in output["hits"]}
    for sentence in sentences(output["answer"]):
        held = [v for fact in truth.required for v in fact if holds(sentence, v)]
        cited = [texts[int(number)] for number in _CITED.findall(sentence)]
        if any(not any(holds(text, value) for text in cited) for value in held):
            return False
    return True
