"""The queue's yield on what people said so far, with the weights as they are and as they might be.

People's word on an answer is their review (right is good, not actionable counts for nothing, every
other verdict is bad) and else their labels of the whole answer. The orders never see it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from curation.config import PrioritySettings
from curation.domain.base import Value
from curation.domain.human_label import WHOLE_ANSWER, HumanLabel, settle
from curation.domain.queue import PriorityWeights
from curation.domain.review import FailureCategory, Review, Verdict
from curation.metrics.queue_yield import QueueYield, queue_yield
from curation.services.labels import all_labels
from curation.services.priority import priority_weights
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store.judged_answers import BAD, GOOD, judged_answers
from curation.store.priority import group_parts
from curation.store.reviews import deciding_only

__all__ = ["Moved", "WhatIf", "what_if"]

FIRST = 50
MOVES = 20


class Moved(Value):
    """A row that other weights put elsewhere; None: not among the first."""

    answer_id: str
    question: str
    before: int | None
    after: int | None


class WhatIf(Value):
    """The yield with the weights of the configuration and with others, and which rows move."""

    before: QueueYield
    after: QueueYield
    moved: tuple[Moved, ...]
    lines: tuple[str, ...]  # of curation.toml


def what_if(
    workspace: Workspace,
    settings: PrioritySettings | None,
    *,
    first: int = FIRST,
    metric: str = WHOLE_ANSWER,
    tags: Sequence[str] = (),
) -> WhatIf:
    """Return the yield before and after other weights, and the first rows that move.

    Nothing is written: the lines say what the configuration would have to hold.

    Args:
        workspace: the store.
        settings: the other weights; None for those of the configuration.
        first: how many rows.
        metric: which metric of the imported labels is people's word on the whole answer.
        tags: only answers with one of these tags, such as sources whose labels are absolute.
    """
    own = workspace.settings.priority
    now, other = priority_weights(own), priority_weights(settings or own)
    with workspace.store.reading() as session:
        judged = judged_answers(session, _levels(session, metric), tags)
        ids = sorted({answer.group_id for answer in judged})
        parts = group_parts(session, ids, now)
        others = parts if _same_basis(now, other) else group_parts(session, ids, other)
    before = queue_yield(judged, parts, now, first=first)
    after = queue_yield(judged, others, other, first=first)
    questions = {answer.answer_id: answer.question for answer in judged}
    return WhatIf(
        before=before,
        after=after,
        moved=_moved(before.by_priority.answers, after.by_priority.answers, questions),
        lines=_lines(own, settings or own),
    )


def _same_basis(now: PriorityWeights, other: PriorityWeights) -> bool:
    """Return whether the parts of the groups are the same under both."""
    return now.slices == other.slices and now.window_days == other.window_days


def _levels(session: Session, metric: str) -> dict[str, int]:
    """Return people's word on each answer as a level: a review goes before labels."""
    labels: defaultdict[str, list[HumanLabel]] = defaultdict(list)
    for label in all_labels(session):
        if label.metric == metric and label.chunk_id is None:
            labels[label.answer_id].append(label)
    settled = {answer_id: settle(found).level for answer_id, found in labels.items()}
    levels = {answer_id: level for answer_id, level in settled.items() if level is not None}
    for review in deciding_only(session):
        said = _level_of(review)
        if said is not None:
            levels[review.answer_id] = said
    return levels


def _level_of(review: Review) -> int | None:
    """Return what a verdict says of an answer."""
    if review.verdict is Verdict.NOT_ACTIONABLE:
        return None
    right = review.verdict is Verdict.RIGHT or review.failure is FailureCategory.NONE
    return GOOD if right else BAD


def _moved(
    before: Sequence[str], after: Sequence[str], questions: Mapping[str, str]
) -> tuple[Moved, ...]:
    """Return the rows whose place changes, in their new order, then those that leave."""
    old = {answer_id: place for place, answer_id in enumerate(before, start=1)}
    new = {answer_id: place for place, answer_id in enumerate(after, start=1)}
    ids = [*after, *(answer_id for answer_id in before if answer_id not in new)]
    changed = [i for i in ids if old.get(i) != new.get(i)]
    return tuple(
        Moved(answer_id=i, question=questions[i], before=old.get(i), after=new.get(i))
        for i in changed[:MOVES]
    )


def _lines(own: PrioritySettings, other: PrioritySettings) -> tuple[str, ...]:
    """Return the lines of `[priority]` that differ from the defaults; () when nothing changes."""
    if own == other:
        return ()
    changed = {
        name: value
        for name, value in other.model_dump().items()
        if value != PrioritySettings.model_fields[name].get_default(call_default_factory=True)
    }
    slices = changed.pop("slice_weight", {})
    lines = ["[priority]", *(f"{name} = {value:g}" for name, value in changed.items())]
    if slices:
        lines += ["[priority.slice_weight]", *(f'"{k}" = {v:g}' for k, v in slices.items())]
    return tuple(lines)
