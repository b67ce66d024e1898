"""The checks and the action bar as the browser is told to draw them."""

from collections.abc import Iterator, Mapping, Sequence

from curation.domain.case import Case
from curation.domain.finding import Check, Finding, Level
from curation.domain.visible import shown
from curation.evaluation.drafting import Checked
from curation.ui.review.board import Board
from curation.ui.review.edits import read_field
from curation.ui.review.fields import Document, field
from curation.ui.review.sight import Sight

_WORDS = {
    Level.ERROR: ("✕", "Fix:"),
    Level.WARNING: ("△", "Explain:"),
    Level.FINE: ("✓", ""),
}
# what the key of a finding repairs: the button's word and what it does
_REPAIRS: Mapping[str, tuple[str, Document]] = {
    "W": ("Write", {"run": "write"}),
    "/": ("Search", {"run": "search"}),
    "F": ("Choose", {"run": "failure"}),
    "D": ("Look", {"run": "duplicate"}),
    "1": ("Pick", {"run": "home"}),
    "3": ("Pick", {"run": "home"}),
    "E": ("Pick", {"run": "home"}),
}
_TEXT_REPAIRS = {
    Check.PERSONAL_DATA: "Redact",
    Check.SECRET: "Redact",
    Check.INVISIBLE_TEXT: "Strip",
}
_ASKS_THE_SAME = frozenset({Check.EXACT_DUPLICATE, Check.NEAR_DUPLICATE})
ONLY_READ = "none: you can only read this answer"
_WORDING = 40  # characters of a wording on a button
_NOT_EDITED = frozenset({"conversation", "provenance", "evidence", "question"})


def checks_pane(sight: Sight, board: Board) -> Document:
    """Return the lines of the checks, with the counts by kind; none where nothing can be done."""
    if board.desk.locked:
        return {"summary": ONLY_READ, "lines": [], "explain": ""}
    findings = _in_order(sight, board)
    to_fix = [f for f in findings if f.level is Level.ERROR]
    to_explain = unexplained(sight, board)
    fine = len(findings) - len(to_fix) - len(to_explain)
    summary = f"{len(to_fix)} to fix · {len(to_explain)} to explain · {fine} fine"
    first = next((f for f in findings if f in to_fix or f in to_explain), None)
    lines = [_line(sight, board, f, first=f is first) for f in findings]
    explain = ack_field(to_explain[0]) if to_explain else ""
    return {"summary": summary, "lines": lines, "explain": explain}


def _in_order(sight: Sight, board: Board) -> Sequence[Finding]:
    """Return the findings; before anything is picked or written, what asks the same comes first.

    A question that has its case needs no facts and no reference, so the way on is said at once.
    """
    findings = sight.checked.findings
    if board.draft.facts.each or board.draft.reference.strip():
        return findings
    return sorted(findings, key=lambda finding: finding.check not in _ASKS_THE_SAME)


def unexplained(sight: Sight, board: Board) -> list[Finding]:
    """Return the warnings that have no word of why; a written reason covers all but strict ones."""
    return [
        f
        for f in _in_order(sight, board)
        if f.level is Level.WARNING and not _explained(sight, board, f)
    ]


def _explained(sight: Sight, board: Board, finding: Finding) -> bool:
    own = read_field(board.draft, ack_field(finding)).strip()
    loose = read_field(board.draft, f"ack:{finding.check.value}:").strip()
    general = "" if sight.policy.strict_warnings else (board.draft.reason or "").strip()
    return bool(own or loose or general)


def ack_field(finding: Finding) -> str:
    """Return the name of the field that takes the word of why for a finding."""
    return f"ack:{finding.check.value}:{finding.item or ''}"


def _line(sight: Sight, board: Board, finding: Finding, *, first: bool) -> Document:
    """Return one line: its kind in a sign and a word, what was found, and how it is repaired."""
    glyph, word = _WORDS[finding.level]
    warning = finding.level is Level.WARNING
    if warning and _explained(sight, board, finding):
        word = "Explained:"
    why = None
    if warning:
        label = f"Why it is right: {shown(finding.message)}"
        why = field(board, ack_field(finding), label, quiet=True, placeholder="A word of why")
    repair = None if finding.level is Level.FINE else _repair(sight.case, sight.checked, finding)
    if repair is not None and first and not repair["key"]:
        repair = {**repair, "key": "B"}
    return {
        "key": f"{finding.check.value}:{finding.item or ''}:{finding.field or ''}",
        "level": finding.level.value,
        "glyph": glyph,
        "word": word,
        "text": shown(finding.message),
        "repair": repair,
        "first": first,
        "why": why,
    }


def _repair(case: Case, says: Checked, finding: Finding) -> Document | None:
    """Return what repairs a finding, or leads to its place."""
    if finding.check is Check.GREEN_UNSURE and (wording := _wording(case, says, finding.item)):
        args = {"id": finding.item or "", "text": wording}
        return {
            "label": f"Accept “{_cut(shown(wording))}”",
            "key": "",
            "act": "wording_add",
            "args": args,
        }
    if finding.check in _TEXT_REPAIRS and finding.field not in _NOT_EDITED:
        args = {"field": finding.field or "", "item": finding.item or ""}
        act = "redact" if _TEXT_REPAIRS[finding.check] == "Redact" else "strip"
        return {"label": _TEXT_REPAIRS[finding.check], "key": "", "act": act, "args": args}
    if finding.check is Check.REQUIRED_ON_UNANSWERABLE:
        args = {"id": finding.item or ""}
        return {"label": "Move to may", "key": "M", "act": "to_may", "args": args}
    if finding.key is not None and finding.key in _REPAIRS:
        label, what = _REPAIRS[finding.key]
        return {"label": label, "key": finding.key, **what}
    place = _place(finding)
    return (
        {"label": "Open", "key": "T" if finding.key == "T" else "", "focus": place}
        if place
        else None
    )


def _wording(case: Case, says: Checked, fact_id: str | None) -> str:
    """Return the words of the reference that may say a fact; empty where none were found."""
    reference = says.reference
    for fact in reference.facts if reference else ():
        if fact.fact_id == fact_id and fact.span is not None:
            return case.reference[fact.span[0] : fact.span[1]].strip()
    return ""


def _place(finding: Finding) -> str:
    """Return the field that a finding is about."""
    if finding.field == "facts" and finding.item:
        return f"fact:{finding.item}"
    if finding.field == "other_references":
        return "other:0"
    return {"evidence": "", "conversation": "", "provenance": "", "facts": ""}.get(
        finding.field or "", finding.field or ""
    )


def action_bar(sight: Sight, board: Board) -> Document:
    """Return the verdicts, and the first thing that the checks say."""
    return {"buttons": list(_buttons(sight)), "first": first_check(sight, board)}


def _buttons(sight: Sight) -> Iterator[Document]:
    propose = "Propose edit" if sight.base else "Propose case"
    yield {"act": "propose", "label": propose, "key": "Ctrl+Enter", "primary": True}
    yield {"act": "right", "label": "Answer is right", "key": "G"}
    yield {"act": "duplicate", "label": "Duplicate …", "key": "D"}
    yield {"act": "not_actionable", "label": "Not actionable …", "key": "N"}
    yield {"act": "skip", "label": "Skip", "key": "S", "always": True}
    yield {"act": "undo", "label": "Undo", "key": "Z", "plain": True, "always": True}


def first_check(sight: Sight, board: Board) -> Document:
    """Return the first thing to fix, else to explain; "ready" only when there is neither."""
    if board.desk.locked:
        return {"text": board.desk.locked, "kind": "warning"}
    findings = _in_order(sight, board)
    to_fix = [f for f in findings if f.level is Level.ERROR]
    to_explain = unexplained(sight, board)
    if to_fix and to_explain and findings[0] is to_explain[0]:
        asked = f"✕ {len(to_fix)} to fix · △ {shown(findings[0].message)}"
        return {"text": asked, "kind": "warning"}
    if to_explain and not to_fix:
        ways = ways_on(sight.case, sight.checked, to_explain[0])
        return {"text": f"{_first('△', 'to explain', to_explain)} {ways}", "kind": "warning"}
    if to_fix:
        return {"text": _first("✕", "to fix", to_fix), "kind": "error"}
    return {"text": "✓ Ready to propose.", "kind": "fine"}


def _first(glyph: str, what: str, findings: Sequence[Finding]) -> str:
    return f"{glyph} {len(findings)} {what} · {shown(findings[0].message)}"


def ways_on(case: Case, says: Checked, finding: Finding) -> str:
    """Return the keys that lead on from a warning: its repair, unless it says so, and why."""
    repair = _repair(case, says, finding)
    why = "Y: say why."
    if repair is None or finding.check in _ASKS_THE_SAME:
        return why
    label = str(repair["label"])
    return f"{repair['key'] or 'B'}: {label[0].lower()}{label[1:]}. {why}"


def _cut(text: str) -> str:
    return text if len(text) <= _WORDING else text[: _WORDING - 1].rstrip() + "…"
