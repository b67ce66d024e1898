"""The history as it is drawn: versions, what changed between two of them, one case's story."""

from collections.abc import Sequence
from datetime import tzinfo

from curation.domain.diff import CaseDiff
from curation.domain.plural import plural
from curation.golden import VersionDiff, VersionInfo
from curation.ui.case_view import draw_fact
from curation.ui.diff_view import draw_changes, summary
from curation.ui.moments import NO_DATE, date_and_clock
from curation.ui.tree import Child, Node, button, node

MOST_SHOWN = 100


def draw_versions(versions: Sequence[VersionInfo], chosen: str, zone: tzinfo) -> Node:
    """Return the versions, newest first: one stop in the focus order."""
    return node(
        "div",
        *(_row(one, zone) for one in reversed(versions)),
        cls="cur-list cur-lines",
        id="versions-list",
        role="listbox",
        tabindex=0,
        aria_label="Versions",
        data_list="versions",
        data_open="select",
        data_current=chosen,
        data_focus=True,
    )


def _row(one: VersionInfo, zone: tzinfo) -> Node:
    """Return one version in two lines."""
    cases = "cases unknown" if one.cases is None else plural(one.cases, "case")
    below = f"{plural(one.changes, 'change')} · {cases} · published by {one.released_by.name}"
    return node(
        "div",
        node(
            "span",
            node("span", one.version, cls="cur-strong"),
            f" · {date_and_clock(one.date, zone) if one.date else NO_DATE}",
        ),
        node("span", below, cls="cur-small cur-soft"),
        cls="cur-two",
        id=f"version-{one.version.rpartition('/')[2]}",
        role="option",
        aria_selected="false",
        data_row=one.version,
    )


def draw_comparison(diff: VersionDiff) -> list[Child]:
    """Return what changed from one version to another: added, retired, restored, edited, policy."""
    groups: tuple[tuple[str, Sequence[CaseDiff]], ...] = (
        ("Added", diff.added),
        ("Retired", diff.retired),
        ("Restored", diff.restored),
        ("Edited", diff.edited),
        ("Gone", diff.removed),
    )
    counted = [f"{len(cases)} {name.casefold()}" for name, cases in groups if cases]
    counted += (
        [plural(len(diff.policy), "key of the policy", "keys of the policy")] if diff.policy else []
    )
    said = ", ".join(counted) or "nothing changed in the cases"
    return [
        node("h2", f"From {diff.a} to {diff.b}"),
        node("p", said),
        *(part for name, cases in groups for part in _group(name, cases)),
        *_policy(diff),
    ]


def _group(name: str, cases: Sequence[CaseDiff]) -> list[Child]:
    """Return the cases to which the same happened."""
    if not cases:
        return []
    rest = [one.case_id for one in cases[MOST_SHOWN:]]
    return [
        node("h3", f"{name} · {len(cases)}"),
        *(_case(name, one) for one in cases[:MOST_SHOWN]),
        *(
            [node("p", f"and {len(rest)} more: {', '.join(rest)}", cls="cur-literal")]
            if rest
            else []
        ),
    ]


def _case(name: str, diff: CaseDiff) -> Node:
    """Return one case with what changed; an added one says its question and reference."""
    body = _first_words(diff) if diff.added else draw_changes(diff)
    what = "" if diff.added else f" · {summary(diff)}"
    return node(
        "section",
        node(
            "h4", button(diff.case_id, "case", arg=diff.case_id, cls="cur-button cur-quiet"), what
        ),
        *body,
        cls="cur-event",
        aria_label=f"{name} {diff.case_id}",
    )


def _first_words(diff: CaseDiff) -> list[Child]:
    """Return the question and the reference of an added case."""
    new = {change.field: change.new for change in diff.fields}
    facts = [(one.new_kind, one.new) for one in diff.facts]
    return [
        node("p", str(new.get("question") or ""), cls="cur-literal cur-strong"),
        node("p", str(new.get("reference") or ""), cls="cur-literal"),
        *(draw_fact(kind, fact) for kind, fact in facts if kind is not None and fact is not None),
    ]


def _policy(diff: VersionDiff) -> list[Child]:
    """Return the keys of the policy that changed."""
    if not diff.policy:
        return []
    lines = [node("li", str(line), cls="cur-literal") for line in diff.policy]
    return [node("h3", f"Policy · {len(diff.policy)}"), node("ul", *lines)]


def version_before(versions: Sequence[VersionInfo], name: str) -> str | None:
    """Return the version before one; None for the first."""
    names = [one.version for one in versions]
    at = names.index(name) if name in names else 0
    return names[at - 1] if at > 0 else None
