"""What changed in a case, drawn as was and now: by field, by fact, by word."""

from collections.abc import Iterable, Sequence
from typing import Any

from curation.domain.case import Case, Evidence, Fact, FactKind
from curation.domain.diff import CaseDiff, EvidenceChange, FactChange, ItemChange
from curation.domain.plural import plural
from curation.domain.word_diff import Segment, SegmentKind, word_diff
from curation.ui.case_view import (
    FIELD_LABELS,
    KIND_WORDS,
    evidence_words,
    fact_notes,
    field,
    kind_class,
    kind_label,
    plain_field,
)
from curation.ui.file_diff import LineKind, diff_lines
from curation.ui.tree import Child, Node, node

_ORDER = (
    "question",
    "conversation",
    "standalone_question",
    "answerable",
    "status",
    "retired",
    "reference",
    "facts",
    "evidence",
    "declines",
    "readings",
    "other_references",
    "doc_version",
    "question_type",
    "slice",
    "category",
    "weight",
    "reference_source",
    "notes",
    "provenance",
)
_SHOWN_UNCHANGED = frozenset({"question", "conversation", "answerable", "reference", "slice"})


_TALLY_ORDER = (ItemChange.CHANGED, ItemChange.MOVED, ItemChange.ADDED, ItemChange.REMOVED)
_UNCHANGED = "unchanged"


def was_now(old: str | None, new: str | None) -> list[Child]:
    """Return a text before and after on two lines: what went struck, what came underlined twice."""
    if old is None or new is None:
        text, tag, mark = (new, "new", "ins") if old is None else (old, "was", "del")
        whole = node(mark, text or "(empty)", cls="cur-whole")
        return [_line(tag, [whole])] if text is not None else []
    segments = word_diff(old, new)
    return [
        _line("was", _words(segments, SegmentKind.REMOVED, "del") or ["(empty)"]),
        _line("now", _words(segments, SegmentKind.ADDED, "ins") or ["(empty)"]),
    ]


def _words(segments: Iterable[Segment], kind: SegmentKind, tag: str) -> list[Child]:
    """Return one side of a word diff."""
    return [
        node(tag, segment.text) if segment.kind is kind else segment.text
        for segment in segments
        if segment.kind in {kind, SegmentKind.SAME}
    ]


def _line(tag: str, words: Sequence[Child]) -> Node:
    """Return a line with its word in front: was, now, new."""
    return node(
        "p",
        node("span", tag, cls="cur-tag"),
        node("span", *words, cls="cur-literal"),
        cls="cur-line",
    )


def draw_diff(diff: CaseDiff, old: Case | None, new: Case | None) -> list[Child]:
    """Return every changed field as was and now; the unchanged ones that matter are grey."""
    changed = set(diff.names)
    drawn: list[Child] = []
    for name in _ORDER:
        if name == "facts":
            drawn.append(_facts(diff, new))
        elif name == "evidence":
            drawn.append(_evidence(diff, new))
        elif name in changed:
            drawn += _changed_field(name, old, new)
        elif name in _SHOWN_UNCHANGED and new is not None and plain_field(new, name):
            drawn.append(_unchanged(FIELD_LABELS[name], plain_field(new, name)))
    return drawn


def _changed_field(name: str, old: Case | None, new: Case | None) -> list[Child]:
    """Return a changed field; an added case leaves its empty fields out."""
    before = "\n".join(plain_field(old, name)) if old else None
    after = "\n".join(plain_field(new, name)) if new else None
    if not before and not after:
        return []
    below = "" if old is None else "changed"  # every line of an added case says that it is new
    return [field(FIELD_LABELS[name], was_now(before, after), below=below)]


def _unchanged(label: str, texts: Sequence[str]) -> Node:
    """Return a field that stays as it is."""
    lines = [node("p", text, cls="cur-literal") for text in texts]
    return field(label, lines, below=_UNCHANGED, cls="cur-unchanged")


def _facts(diff: CaseDiff, new: Case | None) -> Node:
    """Return all facts of the new state, then those that went."""
    by_id = {change.fact_id: change for change in diff.facts}
    rows: list[Child] = []
    for kind, fact in new.facts.each if new else ():
        change = by_id.get(fact.id)
        rows.append(_changed_fact(change) if change else _same_fact(kind, fact))
    gone = [c for c in diff.facts if c.change is ItemChange.REMOVED]
    rows += [_changed_fact(change) for change in gone]
    return _listed("facts", rows, "" if diff.added else _tally(c.change for c in diff.facts))


def _listed(name: str, rows: Sequence[Child], below: str) -> Node:
    """Return a field that is a list of items; grey where none of them changed."""
    cls = "cur-unchanged" if below == _UNCHANGED else ""
    return field(FIELD_LABELS[name], rows, below=below, cls=cls)


def _tally(kinds: Iterable[ItemChange]) -> str:
    """Return `1 changed, 1 moved, 1 added`, or `unchanged`."""
    found = list(kinds)
    counted = [f"{found.count(kind)} {kind.value}" for kind in _TALLY_ORDER if kind in found]
    return ", ".join(counted) or _UNCHANGED


def _same_fact(kind: FactKind, fact: Fact) -> Node:
    """Return a fact that stays as it is."""
    return _fact(kind, [node("p", fact.text, cls="cur-literal")], fact_notes(fact), same=True)


def _changed_fact(change: FactChange) -> Node:
    """Return a fact that changed, moved, came or went."""
    last = change.new or change.old
    kind = change.new_kind or change.old_kind
    if last is None or kind is None:
        raise ValueError(change.fact_id)
    old, new = change.old, change.new
    lines = was_now(old.text if old else None, new.text if new else None)
    if old is not None and new is not None and old.text == new.text:
        lines = [node("p", new.text, cls="cur-literal")]
    return _fact(kind, lines, [*_what_happened(change), *fact_notes(last)])


def _what_happened(change: FactChange) -> list[str]:
    """Return in words what became of a fact: `moved, was “must”`."""
    if change.change is ItemChange.MOVED and change.old_kind is not None:
        return [f"moved, was “{KIND_WORDS[change.old_kind]}”"]
    said = [change.change.value]
    if change.change is ItemChange.CHANGED and change.old is not None:
        before = [note for note in fact_notes(change.old) if note not in fact_notes_of(change)]
        said += [f"was: {note}" for note in before]
    return said


def fact_notes_of(change: FactChange) -> list[str]:
    """Return the notes of a fact's new state."""
    return fact_notes(change.new) if change.new is not None else []


def _fact(
    kind: FactKind, lines: Sequence[Child], notes: Sequence[str], *, same: bool = False
) -> Node:
    """Return a fact's row."""
    return node(
        "div",
        kind_label(kind),
        node("div", *lines, node("p", " · ".join(notes), cls="cur-small cur-soft cur-literal")),
        cls=f"{kind_class(kind)} cur-unchanged" if same else kind_class(kind),
    )


def _evidence(diff: CaseDiff, new: Case | None) -> Node:
    """Return all evidence of the new state, then what went."""
    by_id = {change.evidence_id: change for change in diff.evidence}
    rows: list[Child] = []
    for item in new.evidence if new else ():
        change = by_id.get(item.id)
        rows += _changed_evidence(change) if change else [_same_evidence(item)]
    for change in diff.evidence:
        if change.change is ItemChange.REMOVED:
            rows += _changed_evidence(change)
    return _listed("evidence", rows, _in_and_out(diff.evidence))


def _same_evidence(item: Evidence) -> Node:
    """Return evidence that stays as it is."""
    return node("p", evidence_words(item), cls="cur-literal cur-unchanged")


def _changed_evidence(change: EvidenceChange) -> list[Child]:
    """Return evidence that came, went or changed."""
    old = evidence_words(change.old) if change.old else None
    new = evidence_words(change.new) if change.new else None
    if old == new and new is not None:
        return [node("p", new, " · its text has another hash", cls="cur-literal")]
    return was_now(old, new)


def _in_and_out(changes: Sequence[EvidenceChange]) -> str:
    """Return `1 out, 1 in`, or `unchanged`."""
    kinds = [change.change for change in changes]
    counted = (
        (kinds.count(ItemChange.REMOVED), "out"),
        (kinds.count(ItemChange.ADDED), "in"),
        (kinds.count(ItemChange.CHANGED), "changed"),
    )
    return ", ".join(f"{number} {word}" for number, word in counted if number) or _UNCHANGED


def draw_changes(diff: CaseDiff) -> list[Child]:
    """Return only what changed, for timelines and comparisons that do not hold whole cases."""
    if diff.added:
        return [node("p", "New case.")]
    drawn: list[Child] = []
    for change in sorted(diff.fields, key=lambda one: _place(one.field)):
        lines = was_now(value_words(change.old), value_words(change.new))
        drawn.append(field(FIELD_LABELS.get(change.field, change.field), lines))
    if diff.facts:
        rows = [_changed_fact(change) for change in diff.facts]
        drawn.append(_listed("facts", rows, _tally(c.change for c in diff.facts)))
    if diff.evidence:
        items = [line for change in diff.evidence for line in _changed_evidence(change)]
        drawn.append(_listed("evidence", items, _in_and_out(diff.evidence)))
    if diff.reordered:
        drawn.append(node("p", f"Another order of: {', '.join(diff.reordered)}"))
    return drawn or [node("p", "Nothing of the case changed.")]


def _place(name: str) -> int:
    """Return where a field stands among the others."""
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def value_words(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a JSON value as people read it."""
    if value is None:
        return ""
    if isinstance(value, dict):
        named = ((name, value_words(part)) for name, part in value.items())
        return ", ".join(f"{name.replace('_', ' ')} {words}" for name, words in named if words)
    if isinstance(value, list):
        return "\n".join(value_words(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def draw_file(diff: str) -> Node:
    """Return the exact diff that git will record, line by line; no sign stands beside a text."""
    said = {LineKind.WAS: "was", LineKind.NOW: "now"}
    rows = [
        node(
            "div",
            node("span", said.get(line.kind, ""), cls="cur-tag"),
            node("span", line.text, cls="cur-literal"),
            cls=f"cur-file-line cur-file-{line.kind.value}",
        )
        for line in diff_lines(diff)
    ]
    return node("div", *rows, cls="cur-mono cur-file")


def summary(diff: CaseDiff) -> str:
    """Return what changed in a few words, for lists."""
    if diff.added:
        return "new case"
    names = [FIELD_LABELS.get(name, name).casefold() for name in diff.names]
    return f"{plural(len(names), 'field')}: {', '.join(names)}" if names else "nothing changed"
