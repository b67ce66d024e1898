"""Cases that ask the same, and edits that ask something else."""

from collections.abc import Iterator

from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from curation.checks.context import CheckContext, KnownCase, error, warning
from curation.domain.case import CaseStatus
from curation.domain.finding import Check, Finding
from curation.domain.guard import guards_alone
from curation.domain.rewording import Rewording, rewording
from curation.domain.same_question import may_be_same, sorted_words

NEAR = 75  # similarity of two questions with their words sorted, of 100
DUPLICATE, DETAILS = "D", "T"


def duplicates(context: CheckContext) -> Iterator[Finding]:
    """Yield the active cases that ask the same, exactly or nearly."""
    if not context.key or context.case.status is CaseStatus.RETIRED or _asks_as_before(context):
        return
    active = [
        other
        for other in context.others
        if other.status is CaseStatus.ACTIVE and other.case_id != context.case.id
    ]
    waiting = [other for other in active if other.change]
    active = [other for other in active if not other.change]
    exact = [other for other in active if other.key == context.key]
    same = [other for other in exact if other.doc_version == context.case.doc_version]
    for other in same[:1]:
        yield error(Check.EXACT_DUPLICATE, _asks_the_same(other), field="question", key=DUPLICATE)
    if not same:
        for other in (exact or _near(context.key, active))[:1]:
            yield warning(
                Check.NEAR_DUPLICATE,
                _asks_the_same(other),
                field="question",
                item=other.case_id,
                key=DUPLICATE,
            )
    yield from _waiting(context.key, waiting)


def _waiting(key: str, waiting: list[KnownCase]) -> Iterator[Finding]:
    """Yield the case that waits for approval and asks the same, else one that nearly does.

    It is no error, since nobody approved it yet: a word of why makes a second case of it.
    """
    same = [other for other in waiting if other.key == key]
    for other in (same or _near(key, waiting))[:1]:
        asks = "asks the same" if same else "asks nearly the same"
        yield warning(
            Check.NEAR_DUPLICATE,
            f"Change {other.change} waits for approval and {asks}. "
            "D: count this answer to it, or S: skip it.",
            field="question",
            item=other.case_id,
            key=DUPLICATE,
        )


def _asks_as_before(context: CheckContext) -> bool:
    """Return whether an edit leaves what is asked alone, so that it makes no duplicate."""
    base, case = context.base, context.case
    return (
        base is not None
        and base.status is case.status
        and base.question == case.question
        and base.conversation == case.conversation
        and base.doc_version == case.doc_version
    )


def _asks_the_same(other: KnownCase) -> str:
    return f"{other.case_id} asks the same. D: count this answer to it, or edit that one instead."


def _near(key: str, others: list[KnownCase]) -> list[KnownCase]:
    """Return the cases with a similar question, nearest first, that do not differ in what counts.

    Similarity alone ranks "v4.2" against "v4.1" above true paraphrases, so the guard decides.
    """
    sorted_keys = [sorted_words(other.key) for other in others]
    found = extract(sorted_words(key), sorted_keys, scorer=ratio, score_cutoff=NEAR, limit=20)
    return [others[at] for _, _, at in found if may_be_same(key, others[at].key)]


def question_changed(context: CheckContext) -> Iterator[Finding]:
    """Yield an edit that asks something else than the case did in a version."""
    if context.base is None or not context.ever_released:
        return
    if rewording(context.base, context.case) is Rewording.OTHER:
        yield error(
            Check.QUESTION_CHANGED,
            "The question asks something else now. Retire this case and write a new one.",
            field="question",
            key=DETAILS,
        )


def last_guard(context: CheckContext) -> Iterator[Finding]:
    """Yield a retirement that leaves a protected slice, or "cannot be answered", without a case."""
    case, base = context.case, context.base
    if case.status is not CaseStatus.RETIRED or base is None or base.status is CaseStatus.RETIRED:
        return
    left = (
        (other.slice, other.answerable)
        for other in context.others
        if other.status is CaseStatus.ACTIVE and other.case_id != case.id
    )
    what = guards_alone(base.slice, base.answerable, left, context.policy.protected)
    if what is None:
        return
    yield error(Check.LAST_GUARD, f"{case.id} is {what}. Add another one first.", field="retired")
