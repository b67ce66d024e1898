"""The queue as it is drawn: the count sentence, one list, the row's details, the empty states."""

from dataclasses import dataclass
from datetime import tzinfo

from curation.domain.plural import plural
from curation.domain.priority import FILLS_A_HOLE
from curation.domain.queue import HeldAnswer, QueueCounts, QueuePage, QueueRow, QueueState
from curation.domain.review import AnswerState
from curation.ui.holders import holders_until
from curation.ui.moments import clock, day
from curation.ui.queue_filters import QueueView, narrowed
from curation.ui.tree import Child, Node, button, node

STATE_LABELS = {
    QueueState.TO_REVIEW: "To review",
    QueueState.MINE: "Mine",
    QueueState.HELD: "Held",
    QueueState.DONE: "Done",
    QueueState.DISMISSED: "Dismissed",
    QueueState.COVERED: "Covered",
}
MOST_REASONS = 4
NO_SIGNAL = "score or sample"
_COLUMNS = ("Priority", "Question", "Why it is here", "Asked", "Slice", "Date")


@dataclass(frozen=True, kw_only=True)
class Around:
    """What is true of the whole queue, whatever the filters: counts, holds, waiting changes."""

    counts: QueueCounts
    leases: tuple[HeldAnswer, ...] = ()
    waiting: int = 0


def count_sentence(
    shown: int, counts: QueueCounts, *, inside: bool = False, grouped: bool = False
) -> Node:
    """Return the only total of the page; its parts add up, `inside` the filters or in all.

    A row stands for all answers to its question: where one has several, that is said.
    """
    return node(
        "p",
        node("strong", f"{shown} shown"),
        ", one row for each question" if grouped else "",
        f" · {counts.open} to review + {counts.held} held + {counts.done} done + "
        f"{counts.dismissed} dismissed + {counts.covered} covered = {counts.all} in all"
        f"{' inside these filters' if inside else ''}",
        cls="cur-counts",
        role="status",
    )


def draw_queue(
    view: QueueView, page: QueuePage, zone: tzinfo, around: Around | None = None
) -> list[Child]:
    """Return the counts and the list, or the sentence that says why there is none."""
    heading = node("h1", "Queue", cls="cur-hidden")
    sentence = count_sentence(
        page.shown,
        page.counts,
        inside=narrowed(view.filters),
        grouped=any(row.more for row in page.rows),
    )
    if not page.rows:
        return [heading, sentence, empty_state(view, around or Around(counts=page.counts), zone)]
    return [
        heading,
        sentence,
        node(
            "div",
            _header(),
            *(_row(at, row, zone) for at, row in enumerate(page.rows)),
            cls="cur-list cur-queue",
            id="queue-list",
            role="grid",
            tabindex=0,
            aria_label=_list_label(view, page),
            aria_rowcount=page.shown + 1,
            data_list="queue",
            data_double="open",
            data_show="queue-details",
            data_focus=True,
        ),
        node(
            "div",
            cls="cur-details",
            id="queue-details",
            role="region",
            aria_label="The selected row",
            aria_live="polite",
        ),
    ]


def _list_label(view: QueueView, page: QueuePage) -> str:
    """Return what the list is called."""
    label = STATE_LABELS[view.filters.state]
    return f"{label}, page {page.page} of {page.pages}"


def _header() -> Node:
    """Return the names of the columns."""
    return node(
        "div",
        *(node("span", name, role="columnheader") for name in _COLUMNS),
        cls="cur-row cur-head",
        role="row",
    )


def _row(at: int, row: QueueRow, zone: tzinfo) -> Node:
    """Return one row of 32 pixels; what it cuts stands in its details and its title."""
    cells = (
        ("–" if row.priority is None else f"{row.priority:.1f}", "cur-number"),
        (row.question, "cur-cut"),
        (" · ".join(shown_reasons(row)), "cur-cut"),
        (str(row.asked), "cur-number"),
        (row.slice or "–", "cur-cut"),
        (day(row.date, zone) if row.date else "–", "cur-cut"),
    )
    return node(
        "div",
        *(node("span", text, cls=cls, role="gridcell") for text, cls in cells),
        _details(row, zone),
        cls="cur-row",
        id=f"queue-row-{at}",
        role="row",
        aria_selected="false",
        title=row.question,
        data_row=row.answer_id,
    )


def shown_reasons(row: QueueRow) -> tuple[str, ...]:
    """Return at most four reasons, and that it fills a hole; a row without any is a sample.

    That the question has its case comes first: it says why the row is not served in its turn.
    """
    most = row.reasons[:MOST_REASONS]
    hole = tuple(words for words in row.reasons[MOST_REASONS:] if words == FILLS_A_HOLE)
    given = (row.given,) if row.given and row.state is AnswerState.OPEN else ()
    return (*given, *((*most, *hole) or (NO_SIGNAL,)))


def _details(row: QueueRow, zone: tzinfo) -> Node:
    """Return what the row's details say: the whole question, why, and who holds it."""
    same = f" · {plural(row.more, 'more answer')} to the same question" if row.more else ""
    if row.near:
        same += f" · {plural(row.near, 'open answer')} to questions that ask nearly the same"
    parts = (
        f"asked {plural(row.asked, 'time')}{same}",
        " · ".join(shown_reasons(row)),
        f"slice {row.slice}" if row.slice else "",
        state_words(row, zone),
    )
    return node(
        "div",
        node("p", row.question, cls="cur-literal cur-strong"),
        node("p", " · ".join(part for part in parts if part), cls="cur-literal"),
        cls="cur-row-details",
        aria_hidden="true",
    )


def state_words(row: QueueRow, zone: tzinfo) -> str:
    """Return the state of a row's answer where it is more than `to review`."""
    if row.state is AnswerState.HELD and row.lease is not None:
        return f"held by {row.lease.person.name} until {clock(row.lease.until, zone)}"
    return "" if row.state is AnswerState.OPEN else row.state.value


def empty_state(view: QueueView, around: Around, zone: tzinfo) -> Node:
    """Return why the list is empty and what can be done; held is never called done."""
    counts = around.counts
    if counts.all == 0:
        return _empty("No answers yet. Bring in a log to begin.", button("Import", "to_import"))
    if narrowed(view.filters):
        return _empty(
            f"Nothing matches these filters. {plural(counts.open, 'answer is', 'answers are')} "
            "waiting without them.",
            button("Clear filters", "clear", key="X"),
        )
    if view.filters.state is not QueueState.TO_REVIEW:
        return _empty(
            f"Nothing is in this list. {plural(counts.open, 'answer is', 'answers are')} "
            "to review.",
            button("Show what is to review", "clear", key="X"),
        )
    if counts.held:
        return _empty(
            f"Nothing is free right now: {plural(counts.held, 'answer is', 'answers are')} held. "
            f"{holders_until(around.leases, zone)}",
            button("Tell me when one is free", "watch"),
            button("Changes", "to_changes"),
        )
    return _empty(
        f"All {plural(counts.all, 'answer is', 'answers are')} reviewed. "
        f"{plural(around.waiting, 'change waits', 'changes wait')} for approval.",
        button("Changes", "to_changes"),
        button("Draw a sample …", "sample", key="S"),
    )


def _empty(sentence: str, *buttons: Node) -> Node:
    """Return an empty state: one sentence and what can be done."""
    return node(
        "div",
        node("p", sentence, role="status"),
        node("p", *buttons, cls="cur-offers"),
        cls="cur-empty",
    )


def draw_unreadable(reason: str) -> list[Child]:
    """Return what is said when the store cannot be read."""
    said = f"The queue could not be read ({reason.rstrip('.')}). Nothing is lost."
    return [
        node("h1", "Queue", cls="cur-hidden"),
        node(
            "div",
            node("p", said, role="alert", cls="cur-literal"),
            node("p", button("Try again", "again", key="Enter"), cls="cur-offers"),
            cls="cur-empty",
        ),
    ]
