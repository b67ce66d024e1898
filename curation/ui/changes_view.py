"""The Changes page as it is drawn: groups at the left, the change, its checks and comments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from curation.domain.answer import Answer
from curation.domain.change import Change, ChangeKind, ChangeState, Comment, PatchSet
from curation.domain.finding import Finding, Level
from curation.domain.plural import plural
from curation.evaluation.impact import Impact
from curation.services.change_view import ChangeView
from curation.services.changes import ChangeLists
from curation.ui.case_view import FIELD_LABELS
from curation.ui.diff_view import draw_diff, draw_file
from curation.ui.impact_view import draw_impact
from curation.ui.moments import ago, day_and_clock
from curation.ui.tree import Child, Node, button, node

KIND_WORDS = {kind: kind.value.capitalize() for kind in ChangeKind}
STATE_WORDS = {state: state.value.replace("_", " ") for state in ChangeState} | {
    ChangeState.CHANGES_ASKED: "changes asked for"
}
COMMENT_FIELD = "comment"
COMMENT_ON = "comment_on"


class Look(StrEnum):
    """How a change is looked at."""

    FIELDS = "fields"
    FILE = "file"
    SINCE = "since"


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Now, and where the reader is."""

    now: datetime
    zone: tzinfo


def groups(lists: ChangeLists, *, frozen: bool) -> tuple[tuple[str, tuple[Change, ...]], ...]:
    """Return the groups of the list with their names, empty ones left out."""
    waits = "Approved, waiting for the freeze" if frozen else "Approved, ready to publish"
    named = (
        ("Waiting for you", lists.waiting_for_you),
        ("Came back to you", lists.came_back_to_you),
        ("Yours, with others", lists.yours_with_others),
        (waits, lists.approved),
        ("Published recently", lists.published),
    )
    return tuple((name, changes) for name, changes in named if changes)


def in_order(lists: ChangeLists) -> tuple[Change, ...]:
    """Return the changes in the order of the list, each once."""
    found: dict[str, Change] = {}
    for _, changes in groups(lists, frozen=False):
        for change in changes:
            found.setdefault(change.id, change)
    return tuple(found.values())


def draw_list(lists: ChangeLists, chosen: Change | None, clock: Clock, *, frozen: bool) -> Node:
    """Return the list of changes: one stop in the focus order."""
    shown: set[str] = set()
    parts: list[Child] = []
    for name, changes in groups(lists, frozen=frozen):
        fresh = [change for change in changes if change.id not in shown]
        shown |= {change.id for change in fresh}
        if fresh:
            parts.append(_group(name, fresh, clock))
    return node(
        "div",
        *parts,
        cls="cur-list cur-lines",
        id="changes-list",
        role="listbox",
        tabindex=0,
        aria_label="Changes",
        data_list="changes",
        data_open="select",
        data_current=chosen.shown_number if chosen else None,
        data_focus=True,
    )


def _group(name: str, changes: Sequence[Change], clock: Clock) -> Node:
    """Return one group with its name."""
    return node(
        "div",
        node("div", name, cls="cur-group", aria_hidden="true"),
        *(_row(change, clock) for change in changes),
        role="group",
        aria_label=name,
    )


def _row(change: Change, clock: Clock) -> Node:
    """Return one change in two lines."""
    warnings = len(change.latest.acks)
    where = f" ({STATE_WORDS[change.state]})" if change.state in _SAID_IN_LIST else ""
    below = [change.latest.author.name, ago(change.latest.at, clock.now)]
    below.append(change.version or plural(warnings, "warning"))
    return node(
        "div",
        node("span", f"{title(change)}{where}", cls="cur-strong"),
        node("span", " · ".join(below), cls="cur-small cur-soft"),
        cls="cur-two",
        id=f"change-{change.shown_number}",
        role="option",
        aria_selected="false",
        data_row=change.shown_number,
    )


_SAID_IN_LIST = frozenset({ChangeState.CONFLICT, ChangeState.CHANGES_ASKED})


def title(change: Change) -> str:
    """Return `0148 · Edit q-0093`."""
    about = change.case_id or (change.import_source or "").partition(" sha256:")[0]
    return f"{change.shown_number} · {KIND_WORDS[change.kind]} {about}".rstrip()


def draw_change(
    view: ChangeView,
    look: Look,
    since: ChangeView | None,
    clock: Clock,
    logged: Answer | None = None,
) -> list[Child]:
    """Return the change: who, why, and what it changes in the chosen way."""
    change, patch_set = view.change, view.patch_set
    head = [title(change), f"patch set {patch_set.number}", patch_set.author.name]
    if patch_set.base_version:
        head.append(f"based on {patch_set.base_version}")
    if change.state is not ChangeState.PROPOSED:
        head.append(STATE_WORDS[change.state])
    return [
        node("h2", " · ".join(head), cls="cur-literal"),
        node("p", node("span", "Why: "), node("em", patch_set.reason, cls="cur-literal")),
        *([node("p", "File: ", change.import_source)] if change.import_source else []),
        *_not_published(change),
        *_voided(change),
        _looks(look, since),
        *_body(view, look, since),
        *_outcome(change, clock),
        *_logged(logged),
    ]


def _logged(answer: Answer | None) -> list[Child]:
    """Return the logged answer, beneath an added case."""
    if answer is None:
        return []
    return [
        node("h3", "Logged answer"),
        node("p", answer.answer or "(empty)", cls="cur-literal"),
        node("p", f"answer {answer.id}", cls="cur-small cur-soft cur-literal"),
    ]


def _not_published(change: Change) -> list[Child]:
    """Return why the last try to publish the change left it out."""
    if not change.conflict:
        return []
    in_conflict = change.state is ChangeState.CONFLICT
    said = (
        f"In conflict: {change.conflict}." if in_conflict else f"Not published: {change.conflict}."
    )
    return [node("p", said, cls="cur-banner cur-literal", role="note")]


def _voided(change: Change) -> list[Child]:
    """Return that earlier approvals do not count any more, if there are any."""
    if change.state.closed or len(change.valid_approvals) == len(change.approvals):
        return []
    names = ", ".join(
        dict.fromkeys(
            a.person.name for a in change.approvals if a.patch_set != change.latest.number
        )
    )
    said = f"Patch set {change.latest.number} replaced what {names} approved. Look again."
    return [node("p", said, cls="cur-banner", role="note")]


def _looks(look: Look, since: ChangeView | None) -> Node:
    """Return the ways to look at the change."""
    earlier = f"Since patch set {since.patch_set.number - 1}" if since else ""
    offered = [(Look.FIELDS, "Fields"), (Look.FILE, "File")]
    offered += [(Look.SINCE, earlier)] if since else []
    return node(
        "div",
        *(
            button(label, "look", arg=way.value, aria_pressed=str(way is look).lower())
            for way, label in offered
        ),
        cls="cur-choices",
        role="group",
        aria_label="How to look at the change",
    )


def _body(view: ChangeView, look: Look, since: ChangeView | None) -> list[Child]:
    """Return the fields, the file, or what the last patch set changed."""
    if look is Look.SINCE and since is not None and since.diff is not None:
        return draw_diff(since.diff, since.old, since.new)
    if look is Look.FIELDS and view.diff is not None:
        return draw_diff(view.diff, view.old, view.new)
    return [draw_file(view.file_diff)]


def _outcome(change: Change, clock: Clock) -> list[Child]:
    """Return who approved and where it was published."""
    lines = [
        f"Approved by {a.person.name}, {day_and_clock(a.at, clock.zone)}"
        for a in change.valid_approvals
    ]
    if change.version:
        lines.append(f"Published in {change.version}, commit {(change.commit or '')[:12]}")
    return [node("p", line, cls="cur-small") for line in lines]


def draw_checks(view: ChangeView, impact: Impact | None = None) -> list[Child]:
    """Return what the checks said, and the impact; explained warnings are read before approving."""
    patch_set = view.patch_set
    rows = draw_findings(patch_set, (Level.ERROR, Level.WARNING, Level.FINE))
    return [
        node("h3", f"Checks on patch set {patch_set.number}"),
        *(rows or [node("p", "No checks ran on this kind of change.", cls="cur-soft")]),
        *draw_impact(impact, view.change),
    ]


def draw_findings(patch_set: PatchSet, levels: Sequence[Level]) -> list[Node]:
    """Return a line for each finding of these levels, in the order of the levels."""
    found = [finding for finding in patch_set.findings if finding.level in levels]
    found.sort(key=lambda finding: levels.index(finding.level))
    return [_finding(finding, patch_set) for finding in found]


def _finding(finding: Finding, patch_set: PatchSet) -> Node:
    """Return one line of the checks: its mark, its word, and the word of why of its author."""
    if finding.level is Level.FINE:
        return node("p", node("span", "✓ ", cls="cur-good"), finding.message, cls="cur-literal")
    if finding.level is Level.ERROR:
        return node("p", node("strong", "✕ Fix: "), finding.message, cls="cur-literal cur-bad")
    why = [
        ack.why
        for ack in patch_set.acks
        if ack.check == finding.check.value and ack.item in {None, finding.item}
    ]
    if not why:
        return node("p", node("strong", "△ Not explained: "), finding.message, cls="cur-literal")
    above = why[0].strip() == patch_set.reason.strip()
    with_reason = ", with the reason of the change" if above else ""
    return node(
        "p",
        node("strong", f"△ Explained by {patch_set.author.name}{with_reason}: "),
        finding.message,
        None if above else node("em", f" “{why[0]}”", cls="cur-literal"),
        " Approving accepts this.",
        cls="cur-literal",
    )


def place_words(place: str | None) -> str:
    """Return where a comment hangs: `Facts f2`, `Reference answer`, or the change."""
    if not place:
        return "the change"
    name, _, item = place.partition(".")
    label = FIELD_LABELS.get(name, name)
    return f"{label} {item}" if item else label


def draw_comments(change: Change, view: ChangeView, clock: Clock) -> list[Child]:
    """Return the comments and the field for a new one."""
    return [
        node("h3", "Comments"),
        *(_comment(one, clock) for one in change.comments),
        *_comment_form(change, view),
    ]


def _comment(one: Comment, clock: Clock) -> Node:
    """Return a comment with the patch set and place it was made on."""
    head = (
        f"{one.person.name}, {ago(one.at, clock.now)}, on patch set {one.patch_set}, "
        f"{place_words(one.field)}:"
    )
    return node(
        "div",
        node("p", head, cls="cur-small cur-soft"),
        node("p", one.text, cls="cur-literal"),
        cls="cur-comment",
    )


def _comment_form(change: Change, view: ChangeView) -> list[Child]:
    """Return where a comment is written; a closed change takes none."""
    if change.state.closed:
        return []
    slot = f"comment-{change.shown_number}"
    return [
        node("label", "Comment on", for_="comment-on"),
        node(
            "select",
            *(node("option", label, value=value) for value, label in _places(view)),
            id="comment-on",
            data_field=COMMENT_ON,
        ),
        node("label", "Comment", for_=slot),
        node("textarea", id=slot, rows=3, data_field=COMMENT_FIELD, data_keep=slot),
        node("p", button("Send comment", "comment", key="M")),
    ]


def _places(view: ChangeView) -> list[tuple[str, str]]:
    """Return what a comment may hang on: the change, its changed fields, each fact."""
    places = [("", "the change")]
    if view.diff is not None:
        places += [(name, place_words(name)) for name in view.diff.names]
    for _, fact in view.new.facts.each if view.new else ():
        places.append((f"facts.{fact.id}", f"Facts {fact.id}: {fact.text[:40]}"))
    return places


def draw_publish(lists: ChangeLists) -> Node:
    """Return what publishing would do, before it does it."""
    return node(
        "section",
        node("p", node("strong", "Publish as one new version: "), _names(lists.approved)),
        node(
            "p",
            button("Publish now", "publish", key="G"),
            " ",
            button("Not now", "publish_not", key="Esc"),
        ),
        cls="cur-tour",
        aria_label="Publish",
        role="alertdialog",
    )


def _names(approved: Sequence[Change]) -> str:
    """Return the approved changes by name."""
    return ", ".join(title(change) for change in approved)
