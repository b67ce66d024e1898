"""The golden set as it is drawn: cases, one case now, its timeline, its facts' origins."""

from collections.abc import Sequence
from datetime import tzinfo
from enum import StrEnum

from curation.domain.answer import Answer
from curation.domain.case import Case, CaseStatus
from curation.domain.plural import plural
from curation.domain.priority import signal_words
from curation.golden import CaseEvent, FactOrigin, GoldenSet
from curation.ui.case_view import draw_case, kind_class, kind_label
from curation.ui.diff_view import draw_changes
from curation.ui.moments import NO_DATE, day
from curation.ui.tree import Child, Node, button, node

PAGE_SIZE = 100


class CaseLook(StrEnum):
    """How a case is looked at."""

    NOW = "now"
    TIMELINE = "timeline"
    ORIGINS = "origins"


_LOOKS = {
    CaseLook.NOW: "Now",
    CaseLook.TIMELINE: "Timeline",
    CaseLook.ORIGINS: "Facts and where they come from",
}


def headline(golden: GoldenSet) -> str:
    """Return `golden/v12 · 126 cases · billing 34, policy 41`."""
    slices: dict[str, int] = {}
    for case in golden.active:
        slices[case.slice] = slices.get(case.slice, 0) + 1
    parts = [golden.version or "not published yet", plural(len(golden.active), "case")]
    if slices:
        parts.append(", ".join(f"{name} {slices[name]}" for name in sorted(slices)))
    return " · ".join(parts)


def draw_cases(cases: Sequence[Case], chosen: str | None) -> Node:
    """Return one page of the cases: one stop in the focus order."""
    return node(
        "div",
        *(_row(case) for case in cases),
        cls="cur-list cur-lines",
        id="cases-list",
        role="listbox",
        tabindex=0,
        aria_label="Cases",
        data_list="cases",
        data_open="select",
        data_current=chosen,
        data_focus=True,
    )


def _row(case: Case) -> Node:
    """Return one case in two lines."""
    facts = case.facts
    counts = (
        f"{len(facts.required)} must, {len(facts.optional)} may, {len(facts.forbidden)} must not"
    )
    retired = "✕ retired · " if case.status is CaseStatus.RETIRED else ""
    return node(
        "div",
        node(
            "span", node("span", case.id, cls="cur-strong"), " ", case.question, cls="cur-cut-two"
        ),
        node("span", f"{retired}{case.slice} · {counts}", cls="cur-small cur-soft"),
        cls="cur-two",
        id=f"case-{case.id}",
        role="option",
        aria_selected="false",
        title=case.question,
        data_row=case.id,
    )


def case_head(case: Case, look: CaseLook) -> list[Child]:
    """Return the case's name, its question and the ways to look at it."""
    return [
        node("h2", f"{case.id} · {case.question}", cls="cur-literal"),
        node(
            "div",
            *(
                button(label, "look", arg=way.value, aria_pressed=str(way is look).lower())
                for way, label in _LOOKS.items()
            ),
            cls="cur-choices",
            role="group",
            aria_label="How to look at the case",
        ),
    ]


def draw_now(case: Case) -> list[Child]:
    """Return the case as it stands."""
    return draw_case(case)


def draw_timeline(events: Sequence[CaseEvent], answer: Answer | None, zone: tzinfo) -> list[Child]:
    """Return what happened to a case, newest first; it ends in the answer that started it."""
    return [*(_event(event, zone) for event in events), *_started_by(events, answer)]


def event_line(event: CaseEvent, zone: tzinfo) -> str:
    """Return `golden/v12 · 24 Nov 2026 · Edit · Mia Kim, approved by Ana Ruiz`."""
    approvers = ", ".join(person.name for person in event.approvers)
    approved = f", approved by {approvers}" if approvers else ", approved by nobody"
    version = event.version or "not in a version yet"
    when = day(event.date, zone) if event.date else NO_DATE
    return f"{version} · {when} · {event.change.capitalize()} · {event.author.name}{approved}"


def _event(event: CaseEvent, zone: tzinfo) -> Node:
    """Return one event with its reason and what it changed."""
    return node(
        "section",
        node("h3", event_line(event, zone), cls="cur-literal"),
        node("p", "Why: ", node("em", event.reason, cls="cur-literal")),
        *draw_changes(event.diff),
        node("p", f"commit {event.commit[:12]}", cls="cur-small cur-soft"),
        cls="cur-event",
    )


def _started_by(events: Sequence[CaseEvent], answer: Answer | None) -> list[Child]:
    """Return the logged answer that the case began with."""
    named = next((event.answer_id for event in reversed(events) if event.answer_id), None)
    if named is None:
        return [node("p", "It began with no logged answer.", cls="cur-soft")]
    if answer is None:
        return [node("p", f"It began with answer {named}, which this store does not have.")]
    return [
        node("h3", f"It began with answer {answer.id}", cls="cur-literal"),
        node("p", answer.question, cls="cur-literal cur-strong"),
        node("p", answer.answer or "(empty)", cls="cur-literal"),
        *(
            node("p", f"{signal_words(signal.kind)}: {signal.comment}", cls="cur-literal")
            for signal in answer.signals
            if signal.comment
        ),
    ]


def draw_origins(origins: Sequence[FactOrigin]) -> list[Child]:
    """Return each fact with who wrote and approved it, since which version, from which answer."""
    if not origins:
        return [node("p", "This case has no facts.", cls="cur-soft")]
    head = ("Kind", "Fact", "Since", "Written by", "Approved by", "From answer")
    return [
        node(
            "table",
            node("thead", node("tr", *(node("th", name, scope="col") for name in head))),
            node("tbody", *(_origin(one) for one in origins)),
            cls="cur-table",
        )
    ]


def _origin(one: FactOrigin) -> Node:
    """Return one fact's origin."""
    approvers = ", ".join(person.name for person in one.approvers) or "nobody"
    return node(
        "tr",
        node("td", node("span", kind_label(one.kind), cls=f"{kind_class(one.kind)} cur-inline")),
        node("td", one.text, cls="cur-literal"),
        node("td", one.version or "not in a version yet"),
        node("td", one.author.name),
        node("td", approvers),
        node("td", one.answer_id or "–", cls="cur-literal"),
    )
