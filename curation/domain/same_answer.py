"""What makes a logged answer the same answer, and what a second import of it may add.

An import says what it knows: a score replaces the stored ones of the same metric, judge, prompt
and chunk, a signal those of the same kind, a label those of the same metric and person. What an
import does not mention stays.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from curation.domain.answer import Answer, Label, Score, Signal, SignalKind

T = TypeVar("T")
_THUMBS = {SignalKind.THUMBS_UP, SignalKind.THUMBS_DOWN}
_LOGGED = (
    "asked_at",
    "citations",
    "outcome",
    "pipeline_version",
    "model",
    "latency_ms",
    "cost_usd",
    "session_id",
    "user_id",
    "tags",
    "slice",
    "metadata",
)


def identity_sha(answer: Answer) -> str:
    """Return a digest of what was asked, answered and retrieved."""
    chunks = [(c.rank, c.chunk_id, c.doc_id, c.doc_version, c.text) for c in answer.retrieved]
    turns = [(turn.role, turn.text) for turn in answer.conversation]
    return _sha([answer.question, turns, answer.answer, chunks])


def what_differs(stored: Answer, new: Answer) -> str:
    """Return the name of the first field in which two answers are not the same; "" if they are."""
    if stored.question != new.question:
        return "question"
    if stored.conversation != new.conversation:
        return "conversation"
    if stored.answer != new.answer:
        return "answer"
    return "" if identity_sha(stored) == identity_sha(new) else "retrieved"


def record_sha(answer: Answer) -> str:
    """Return a digest of everything that a record says."""
    return hashlib.sha256(answer.model_dump_json().encode()).hexdigest()[:32]


def merged(stored: Answer, new: Answer) -> Answer:
    """Return the stored answer with what a later import of the same answer knows better."""
    given = {
        name: getattr(new, name) for name in _LOGGED if getattr(new, name) not in (None, (), {})
    }
    return stored.model_copy(
        update=given
        | {
            "retrieved": new.retrieved,
            "scores": _replaced(stored.scores, new.scores, _score_key),
            "signals": _replaced(stored.signals, new.signals, _signal_key),
            "labels": _replaced(stored.labels, new.labels, _label_key),
        }
    )


def with_scores(stored: Answer, scores: Sequence[Score]) -> Answer:
    """Return the answer with these scores; others of the same kind give way to them."""
    return stored.model_copy(update={"scores": _replaced(stored.scores, scores, _score_key)})


def _replaced(old: Sequence[T], new: Sequence[T], key: Callable[[T], Any]) -> tuple[T, ...]:
    """Return the old items whose key no new one has, then the new ones; in order if all return."""
    keys = {key(item) for item in new}
    kept = tuple(item for item in old if key(item) not in keys)
    return (*kept, *new)


def _score_key(score: Score) -> Any:  # noqa: ANN401 - a tuple to compare by
    return (score.metric, score.judge, score.prompt_version, score.chunk_id)


def _signal_key(signal: Signal) -> Any:  # noqa: ANN401 - a tuple to compare by
    kind = "thumbs" if signal.kind in _THUMBS else signal.kind.value
    return (kind, signal.rule)


def _label_key(label: Label) -> Any:  # noqa: ANN401 - a tuple to compare by
    return (label.metric, label.person)


def _sha(parts: Iterable[Any]) -> str:
    """Return the first half of the sha256 of the parts' JSON."""
    text = json.dumps(list(parts), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
