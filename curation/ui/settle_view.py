"""Two people's verdicts on one answer as they are drawn: side by side, with who, when and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from curation.domain.adjudication import Contest, Given, verdict_words
from curation.domain.answer import Answer
from curation.domain.plural import plural
from curation.domain.review import FailureCategory
from curation.services.adjudication import settled_words
from curation.services.change_view import ChangeView
from curation.ui.diff_view import draw_diff, draw_file
from curation.ui.moments import day_and_clock
from curation.ui.tree import Child, Node, button, node, pane

REASON = "reason"
NOTHING = (
    "Nothing is to settle. Where a sample lets two people look at one answer and they differ, "
    "both verdicts are shown here and one of them is let stand."
)


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The chosen pair: the answer, the verdicts, what they propose, and where the reader is."""

    contest: Contest
    answer: Answer | None
    proposed: Mapping[int, ChangeView]
    zone: tzinfo
    may: bool


def to_settle(contests: Sequence[Contest]) -> int:
    """Return how many are open."""
    return sum(one.is_open for one in contests)


def draw_settle(contests: Sequence[Contest], sides: Sides | None) -> list[Child]:
    """Return the page: the list, the answer, and a pane for each verdict."""
    number = to_settle(contests)
    said = f"{plural(number, 'answer')} to settle" if number else "Nothing left to settle"
    head = node("h1", f"Settle · {said}", cls="cur-headline")
    if sides is None:
        offer = node("p", button("Queue", "to_queue", key="Q"))
        return [head, node("div", node("p", NOTHING, role="status"), offer, cls="cur-empty")]
    chosen = sides.contest
    place = next(at for at, one in enumerate(contests) if one.answer_id == chosen.answer_id)
    return [
        head,
        node(
            "div",
            _list(contests, chosen),
            pane(f"settle-answer-{place}", "Question and answer", _answer(sides)),
            *(
                pane(f"verdict-{one.review_id}", f"Verdict {at}", _verdict(at, one, sides))
                for at, one in enumerate(chosen.given, start=1)
            ),
            cls="cur-panes cur-sides",
            id="settle-panes",
        ),
    ]


def _list(contests: Sequence[Contest], chosen: Contest) -> Node:
    """Return the answers with two verdicts: one stop in the focus order."""
    return node(
        "div",
        *(_row(at, one) for at, one in enumerate(contests)),
        cls="cur-list cur-lines",
        id="settle-list",
        role="listbox",
        tabindex=0,
        aria_label="Answers with two verdicts",
        data_list="settle",
        data_open="select",
        data_current=chosen.answer_id,
        data_focus=True,
    )


def _row(at: int, contest: Contest) -> Node:
    """Return one answer in two lines."""
    settled = contest.settled
    parts = [f"{one.review.person.name}: {verdict_words(one)}" for one in contest.given]
    if settled is not None and not contest.is_open:
        parts = [f"settled by {settled.person.name}"]
    return node(
        "div",
        node("span", contest.question, cls="cur-strong cur-cut-two"),
        node("span", " · ".join(parts), cls="cur-small cur-soft"),
        cls="cur-two",
        id=f"settle-{at}",
        role="option",
        aria_selected="false",
        data_row=contest.answer_id,
    )


def _answer(sides: Sides) -> list[Child]:
    """Return the question, the logged answer, and where it is said why a verdict stands."""
    answer = sides.answer
    said = (answer.answer if answer else "") or "(empty)"
    signals = [f"{one.kind.value.replace('_', ' ')}" for one in answer.signals] if answer else []
    return [
        node("h2", sides.contest.question, cls="cur-literal"),
        *_why(sides),
        node("h3", "Logged answer"),
        node("p", said, cls="cur-literal"),
        *([node("p", " · ".join(dict.fromkeys(signals)), cls="cur-small")] if signals else []),
        node("p", f"answer {sides.contest.answer_id}", cls="cur-small cur-soft cur-literal"),
    ]


def _why(sides: Sides) -> list[Child]:
    """Return the field for the reason, or what was settled."""
    contest = sides.contest
    if contest.settled is not None and not contest.is_open:
        who = f"{contest.settled.person.name}, {day_and_clock(contest.settled.at, sides.zone)}: "
        return [
            node("p", settled_words(contest), cls="cur-literal", role="status"),
            node("p", who, node("em", contest.settled.reason, cls="cur-literal")),
        ]
    if not sides.may:
        return []
    slot = reason_slot(contest.answer_id)
    return [
        node("label", "Why it stands", for_=slot),
        node("textarea", id=slot, rows=2, data_field=REASON, data_keep=slot),
    ]


def reason_slot(answer_id: str) -> str:
    """Return the name under which the browser keeps a reason that was not sent."""
    return f"settle-{answer_id}"


def _verdict(at: int, given: Given, sides: Sides) -> list[Child]:
    """Return one verdict: who, when, why, where it failed, and what it proposes."""
    review, contest = given.review, sides.contest
    stands = given.review_id == contest.decides and not contest.is_open
    seen = "without seeing the judge" if review.blind else "after seeing the judge"
    return [
        node("h2", f"{review.person.name}: {verdict_words(given)}", cls="cur-literal"),
        *_standing(at, given, stands=stands, offered=sides.may and contest.is_open),
        node("p", f"{day_and_clock(review.at, sides.zone)} · {seen}", cls="cur-small"),
        node("p", node("span", "Why: "), node("em", review.reason, cls="cur-literal")),
        *_failure(given),
        *_proposal(sides.proposed.get(given.review_id)),
    ]


def _standing(at: int, given: Given, *, stands: bool, offered: bool) -> list[Child]:
    """Return that the verdict stands, that its change is gone, or the button that lets it stand."""
    if stands:
        mark = node("span", "✓ ", cls="cur-good", aria_hidden="true")
        return [node("p", mark, node("strong", "This verdict stands."))]
    if offered:
        return [node("p", button("Let this verdict stand", stand_act(at), key=str(at)))]
    state = given.change_state
    return [node("p", f"Its change is {state.value.replace('_', ' ')}.")] if state else []


def stand_act(at: int) -> str:
    """Return the act that lets the verdict at a place stand."""
    return f"stand_{at}"


def _failure(given: Given) -> list[Child]:
    """Return where it failed as the person said, beside what was proposed to them."""
    said, proposed = given.review.failure, given.review.proposed_failure
    if said is None:
        return []
    other = f" (proposed: {_words(proposed)})" if proposed and proposed is not said else ""
    return [node("p", f"Where it failed: {_words(said)}{other}")]


def _words(category: FailureCategory) -> str:
    return category.value.replace("_", " ")


def _proposal(view: ChangeView | None) -> list[Child]:
    """Return the case that the verdict proposes."""
    if view is None:
        return []
    if view.diff is None:
        return [draw_file(view.file_diff)]
    return draw_diff(view.diff, view.old, view.new)
