"""Living evidence as it is drawn: what stands, what moved, what changed, and the batches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.domain.case import Case
from curation.domain.chunk import Chunk
from curation.domain.diff import diff_cases
from curation.domain.finding import Level
from curation.domain.plural import plural
from curation.evaluation.anchoring import Anchor, EvidenceState
from curation.evaluation.outdating import Outdated, OutdatedFact
from curation.services.batches import OpenBatch
from curation.services.change_view import ChangeView
from curation.services.living import EvidenceItem, EvidenceReport, OutdatedReport
from curation.ui.case_view import field
from curation.ui.changes_view import STATE_WORDS, draw_findings, title
from curation.ui.diff_view import draw_changes, draw_diff, was_now
from curation.ui.tree import Child, Node, button, join, node

REASON = "batch_reason"
MOST_ROWS = 200  # of a group
BATCH_PAGE = 20  # changes of a batch that are drawn at once
AROUND = 240  # characters of a passage that are shown on each side of a quote
STATES = {
    EvidenceState.MOVED: "Moved",
    EvidenceState.CHANGED: "Changed",
    EvidenceState.GONE: "Gone",
    EvidenceState.SUPERSEDED: "Superseded",
}
_SAID = {
    EvidenceState.INTACT: "Intact: the chunk holds the quote.",
    EvidenceState.MOVED: "Moved: another chunk of the same document and version holds the quote. "
    "Re-anchoring can be proposed.",
    EvidenceState.CHANGED: "Changed: the words stand nowhere in that document and version any "
    "more. Edit the case.",
    EvidenceState.GONE: "Gone: no passage of that document and version is like it. "
    "Edit or retire the case.",
    EvidenceState.SUPERSEDED: "Superseded: the evidence stands, and a newer version of the "
    "document gives another value.",
}
_ASKED_FOR = "The question names this version, so the case stays right."


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Everything that the page lists, and the cases that it is about."""

    report: EvidenceReport
    outdated: OutdatedReport
    batches: tuple[OpenBatch, ...]
    cases: dict[str, Case]
    busy: frozenset[str]  # cases with an open change

    @property
    def movable(self) -> frozenset[str]:
        """The cases with evidence that moved."""
        state = EvidenceState.MOVED
        return frozenset(i.case_id for i in self.report.items if i.anchor.state is state)

    @property
    def renewable(self) -> frozenset[str]:
        """The cases with an edit ready that a newer version asks for."""
        return frozenset(o.case_id for o in self.outdated.items if o.proposed is not None)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the list: what it is about, in two lines."""

    id: str
    head: str
    below: str


def summary(report: EvidenceReport) -> str:
    """Return how many pieces of evidence are in which state."""
    if not report.items:
        return "No active case has evidence yet."
    counts = ", ".join(f"{number} {state}" for state, number in report.counts.items())
    asked = sum(1 for item in report.items if item.anchor.newer and item.asked_for)
    verb = "is" if asked == 1 else "are"
    stay = f" {asked} of them {verb} of a version that the question names: right as it is."
    stay *= bool(asked)
    lost = "" if report.has_corpus else " No corpus was brought in: nothing can be found again."
    return f"{plural(len(report.items), 'piece')} of evidence: {counts}.{stay}{lost}"


def groups(ledger: Ledger) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """Return the groups of the list with their names, empty ones left out."""
    by_state = [
        (name, tuple(_item_row(ledger, item) for item in _in_state(ledger.report, state)))
        for state, name in STATES.items()
    ]
    asked = tuple(
        _item_row(ledger, item)
        for item in ledger.report.items
        if item.anchor.state is EvidenceState.SUPERSEDED and item.asked_for
    )
    named = [
        ("Batches that wait", tuple(_batch_row(batch) for batch in ledger.batches)),
        ("Outdated facts", tuple(_outdated_row(ledger, one) for one in ledger.outdated.items)),
        *by_state,
        ("Superseded, and asked for", asked),
    ]
    return tuple((name, rows) for name, rows in named if rows)


def _in_state(report: EvidenceReport, state: EvidenceState) -> Iterable[EvidenceItem]:
    """Return the evidence in a state that needs work."""
    return (item for item in report.needs_work if item.anchor.state is state)


def rows(ledger: Ledger) -> tuple[Row, ...]:
    """Return the rows that are drawn, in order."""
    return tuple(row for _, group in groups(ledger) for row in group[:MOST_ROWS])


def item_id(item: EvidenceItem) -> str:
    """Return the row of a piece of evidence."""
    return f"evidence:{item.case_id}:{item.item.id}"


def _item_row(ledger: Ledger, item: EvidenceItem) -> Row:
    question = ledger.cases[item.case_id].question
    version = f" · {item.item.doc_version}" if item.item.doc_version else ""
    return Row(
        id=item_id(item),
        head=f"{item.case_id} · {question}",
        below=f"{item.item.id} · {item.item.chunk_id}{version}",
    )


def _outdated_row(ledger: Ledger, one: Outdated) -> Row:
    values = ", ".join(f"{fact.old} → {fact.new}" for fact in one.facts)
    by_hand = "" if one.proposed is not None else " · a person edits it"
    return Row(
        id=f"outdated:{one.case_id}",
        head=f"{one.case_id} · {ledger.cases[one.case_id].question}",
        below=f"{values}{by_hand}",
    )


def _batch_row(batch: OpenBatch) -> Row:
    first = batch.changes[0].latest
    return Row(
        id=f"batch:{batch.batch_id}",
        head=f"{plural(len(batch.changes), 'change')} · {first.reason}",
        below=f"{first.author.name} · {batch_counts(batch)}",
    )


def batch_counts(batch: OpenBatch) -> str:
    """Return how many changes of a batch are in which state: `3 proposed, 9 approved`."""
    found: dict[str, int] = {}
    for change in batch.changes:
        found[STATE_WORDS[change.state]] = found.get(STATE_WORDS[change.state], 0) + 1
    return ", ".join(f"{number} {state}" for state, number in found.items())


def draw_list(ledger: Ledger, chosen: str | None) -> Node:
    """Return the list: one stop in the focus order."""
    found = groups(ledger)
    nothing = node("p", "Every quote stands where it was picked.", cls="cur-two", role="note")
    return node(
        "div",
        *(_group(name, group) for name, group in found),
        None if found or not ledger.report.items else nothing,
        cls="cur-list cur-lines",
        id="evidence-list",
        role="listbox" if found else "group",
        tabindex=0,
        aria_label="Evidence that needs a look",
        data_list="evidence",
        data_open="select",
        data_current=chosen,
        data_focus=True,
    )


def _group(name: str, group: Sequence[Row]) -> Node:
    rest = len(group) - MOST_ROWS
    return node(
        "div",
        node("div", f"{name} · {len(group)}", cls="cur-group", aria_hidden="true"),
        *(_row(row) for row in group[:MOST_ROWS]),
        node("div", f"and {rest} more", cls="cur-group", aria_hidden="true") if rest > 0 else None,
        role="group",
        aria_label=f"{name}, {len(group)}",
    )


def _row(row: Row) -> Node:
    return node(
        "div",
        node("span", row.head, cls="cur-strong cur-cut-two"),
        node("span", row.below, cls="cur-small cur-soft"),
        cls="cur-two",
        id=row.id.replace(":", "-"),
        role="option",
        aria_selected="false",
        title=row.head,
        data_row=row.id,
    )


def draw_item(case: Case, item: EvidenceItem, passage: Chunk | None) -> list[Child]:
    """Return one piece of evidence: where it was, where it stands now, and what differs."""
    anchor, evidence = item.anchor, item.item
    asked = f" {_ASKED_FOR}" if item.asked_for and anchor.newer else ""
    quote = evidence.quote or "(no quote: the whole chunk)"
    return [
        node("h2", f"{case.id} · {case.question}", cls="cur-literal"),
        node("p", _SAID[anchor.state] + asked),
        field("Quote", [node("p", quote, cls="cur-literal")], below=_where(evidence)),
        *_place(anchor, evidence.quote, passage),
        *_differs(anchor, evidence.quote),
        *_values(anchor),
    ]


def _where(evidence: object) -> str:
    """Return `e1 · guide#timeout · 4.2`."""
    names = ("id", "chunk_id", "doc_version")
    return " · ".join(str(part) for name in names if (part := getattr(evidence, name)))


def _place(anchor: Anchor, quote: str, passage: Chunk | None) -> list[Child]:
    """Return the chunk that holds the quote now, or the nearest passage, with the words marked."""
    if passage is None:
        return []
    names = {
        EvidenceState.MOVED: "Stands in",
        EvidenceState.CHANGED: "Nearest",
        EvidenceState.SUPERSEDED: "Newer version",
    }
    label = names.get(anchor.state, "Stands in")
    shown = anchor.proposed_quote or (anchor.nearest.text if anchor.nearest else "")
    if anchor.state is EvidenceState.SUPERSEDED and anchor.newer is not None:
        shown = anchor.newer.quote
    below = " · ".join(part for part in (passage.chunk_id, passage.doc_version) if part)
    body: list[Child] = [node("p", *_in_context(passage.text, shown or quote), cls="cur-literal")]
    if anchor.also_in:
        body.append(node("p", f"Also in {', '.join(anchor.also_in)}.", cls="cur-small cur-literal"))
    if anchor.split_over:
        both = " and ".join(anchor.split_over)
        said = f"The quote was torn: {both} hold its words together."
        body.append(node("p", said, cls="cur-small cur-literal"))
    return [field(label, body, below=below)]


def _in_context(text: str, quote: str) -> list[Child]:
    """Return the passage around a quote, the quote marked; its beginning where it is not there."""
    at = text.find(quote) if quote else -1
    if at < 0:
        return [text if len(text) <= 2 * AROUND else f"{text[: 2 * AROUND]} …"]
    start, end = max(0, at - AROUND), min(len(text), at + len(quote) + AROUND)
    before = f"{'… ' if start else ''}{text[start:at]}"
    after = f"{text[at + len(quote) : end]}{' …' if end < len(text) else ''}"
    return [before, node("mark", quote), after]


def _differs(anchor: Anchor, quote: str) -> list[Child]:
    """Return the words that went and came between the quote and what stands there now."""
    now = anchor.proposed_quote
    if anchor.nearest is not None:
        now = anchor.nearest.text
    elif anchor.state is EvidenceState.SUPERSEDED and anchor.newer is not None:
        now = anchor.newer.quote
    if now is None or not quote or anchor.state is EvidenceState.INTACT:
        return []
    if now == quote:
        return [field("Words", [node("p", "The same words, to the letter.")])]
    alike = f"{anchor.nearest.likeness:.0f} % alike" if anchor.nearest else ""
    return [field("Words", was_now(quote, now), below=alike)]


def _values(anchor: Anchor) -> list[Child]:
    """Return the values that a newer version replaced."""
    if anchor.newer is None:
        return []
    lines = [
        node("p", node("del", change.old), " → ", node("ins", change.new), cls="cur-literal")
        for change in anchor.newer.changes
    ]
    return [field("Value", lines, below=f"in {anchor.newer.doc_version}")]


def draw_outdated(case: Case, one: Outdated) -> list[Child]:
    """Return a case whose facts a newer version replaced, with the edit that would be proposed."""
    head: list[Child] = [
        node("h2", f"{case.id} · {case.question}", cls="cur-literal"),
        node("p", *join((_value_line(fact) for fact in one.facts), " "), cls="cur-literal"),
    ]
    if one.proposed is None:
        return [*head, node("p", node("strong", "Nothing can be proposed: "), one.why_not or "")]
    return [
        *head,
        node("h3", "The edit that would be proposed"),
        *draw_diff(diff_cases(case, one.proposed), case, one.proposed),
    ]


def _value_line(fact: OutdatedFact) -> str:
    """Return what becomes of a fact: the older value is forbidden, the newer one required."""
    of = f" of {fact.value_of}" if fact.value_of else ""
    return f"{fact.fact_id}: {fact.old}{of} becomes ✕ must not hold, {fact.new} ✓ must hold."


def draw_batch(batch: OpenBatch, views: Sequence[ChangeView], page: int) -> list[Child]:
    """Return a batch: why, and each change with its diff and its checks.

    Args:
        batch: the batch.
        views: the changes of the page that is shown.
        page: which page, from 0.
    """
    first = batch.changes[0].latest
    count = len(batch.changes)
    shown = f"{page * BATCH_PAGE + 1} to {page * BATCH_PAGE + len(views)} of {count}"
    return [
        node("h2", f"{plural(count, 'change')} of {first.author.name}", cls="cur-literal"),
        node("p", "Why: ", node("em", first.reason, cls="cur-literal")),
        node("p", f"{batch_counts(batch)}. One act approves those that are proposed; each keeps "
             "its own approval and commit."),
        *([node("p", f"Shown: {shown}.")] if count > BATCH_PAGE else []),
        *(_batch_change(view) for view in views),
    ]  # fmt: skip


def _batch_change(view: ChangeView) -> Node:
    """Return one change of a batch."""
    change = view.change
    body = draw_changes(view.diff) if view.diff is not None else []
    asked = view.new.question if view.new is not None else ""
    return node(
        "section",
        node("h3", f"{title(change)} · {STATE_WORDS[change.state]}", cls="cur-literal"),
        node("p", asked, cls="cur-literal"),
        *body,
        *draw_findings(view.patch_set, (Level.ERROR, Level.WARNING)),
        cls="cur-event",
        aria_label=title(change),
    )


def draw_form(label: str, slot: str) -> Node:
    """Return what is asked before a batch is proposed: a word of why."""
    return node(
        "section",
        node("p", node("strong", label)),
        node("label", "Why these changes", for_=slot),
        node("textarea", id=slot, rows=2, data_field=REASON, data_keep=slot, data_focus=True),
        node(
            "p",
            button("Propose", "propose", key="Ctrl+Enter"),
            " ",
            button("Close", "close", key="Esc"),
        ),
        cls="cur-tour",
        aria_label="Propose a batch",
    )
