"""A golden case as it is drawn: its fields in order, its facts with their marks."""

from collections.abc import Callable, Iterable, Sequence

from curation.domain.case import (
    Answerable,
    Case,
    CaseStatus,
    Evidence,
    EvidenceRole,
    Fact,
    FactKind,
    FactRole,
    ForbiddenFact,
    Mention,
    Provenance,
)
from curation.ui.tree import Child, Node, node

KIND_MARKS = {FactKind.REQUIRED: "✓", FactKind.OPTIONAL: "○", FactKind.FORBIDDEN: "✕"}
KIND_WORDS = {
    FactKind.REQUIRED: "must",
    FactKind.OPTIONAL: "may",
    FactKind.FORBIDDEN: "must not",
}
ANSWERABLE_WORDS = {
    Answerable.ANSWERABLE: "yes",
    Answerable.UNANSWERABLE: "no",
    Answerable.PARTIAL: "in part",
    Answerable.UNDERSPECIFIED: "unclear what is asked",
}
FIELD_LABELS = {
    "status": "Status",
    "question": "Question",
    "conversation": "Earlier turns",
    "standalone_question": "Stand-alone form",
    "answerable": "Can the corpus answer it?",
    "question_type": "Question type",
    "slice": "Slice",
    "category": "Category",
    "weight": "Weight",
    "reference": "Reference answer",
    "other_references": "Other references",
    "reference_source": "Words of the reference",
    "facts": "Facts",
    "declines": "What is missing",
    "readings": "Which readings are possible",
    "evidence": "Evidence",
    "doc_version": "Document version",
    "provenance": "Where it comes from",
    "retired": "Retired",
    "notes": "Notes",
}


def kind_class(kind: FactKind) -> str:
    """Return the class that draws the bar of a kind: solid, dotted, double."""
    return f"cur-fact cur-{kind.value}"


def kind_label(kind: FactKind) -> Node:
    """Return the mark of a kind of fact: a shape and a word."""
    return node(
        "span",
        node("span", KIND_MARKS[kind], aria_hidden="true"),
        f" {KIND_WORDS[kind]}",
        cls="cur-kind",
    )


def fact_notes(fact: Fact) -> list[str]:
    """Return what is said beneath a fact: wordings, role, value of, evidence."""
    notes = [fact.id]
    if fact.any_of:
        notes.append("also " + " / ".join(f"“{text}”" for text in fact.any_of))
    if fact.role is FactRole.CONCLUSION:
        notes.append(f"follows from {', '.join(fact.from_)}" if fact.from_ else "a conclusion")
    if isinstance(fact, ForbiddenFact):
        if fact.value_of:
            notes.append(f"value of {fact.value_of}")
        if fact.mention is Mention.NEVER:
            notes.append("never, even attributed")
    if fact.evidence:
        notes.append(f"evidence {', '.join(fact.evidence)}")
    return notes


def evidence_words(item: Evidence) -> str:
    """Return a piece of evidence in one line: chunk, version, role, group, quote."""
    version = f", version {item.doc_version}" if item.doc_version else ""
    role = " · near miss" if item.role is EvidenceRole.DISTRACTOR else ""
    group = f" · alternative in {item.group}" if item.group != item.id else ""
    quote = f" ❝ {item.quote}" if item.quote else ""
    return f"{item.chunk_id}{version}{role}{group}{quote}"


def origin_words(provenance: Provenance) -> str:
    """Return where a case came from, in one line."""
    parts = [provenance.origin.value.replace("_", " ")]
    if provenance.answer_id:
        parts.append(f"answer {provenance.answer_id}")
    if provenance.external_id:
        parts.append(f"external id {provenance.external_id}")
    if provenance.pipeline_version:
        parts.append(f"pipeline {provenance.pipeline_version}")
    if provenance.failure:
        parts.append(provenance.failure)
    parts += [signal.replace("_", " ") for signal in provenance.signals]
    return " · ".join(parts)


def plain_field(case: Case, name: str) -> list[str]:
    """Return the text or texts of a field that is neither facts nor evidence."""
    special = _SPECIAL.get(name)
    if special is not None:
        return special(case)
    value = getattr(case, name)
    if value is None or value == "":
        return []
    return [str(value)] if isinstance(value, str) else [str(item) for item in value]


def retired_words(case: Case) -> list[str]:
    """Return why a case was retired and what replaces it."""
    if case.retired is None:
        return []
    words = case.retired.reason.value.replace("_", " ")
    successor = case.retired.superseded_by
    return [f"{words}, replaced by {successor}" if successor else words]


_SPECIAL: dict[str, Callable[[Case], list[str]]] = {
    "conversation": lambda case: [f"{turn.role}: {turn.text}" for turn in case.conversation],
    "answerable": lambda case: [ANSWERABLE_WORDS[case.answerable]],
    "declines": lambda case: [" / ".join((one.text, *one.any_of)) for one in case.declines],
    "provenance": lambda case: [origin_words(case.provenance)],
    "retired": retired_words,
    "weight": lambda case: [f"{case.weight:g}"],
    "status": lambda case: [case.status.value],
    "question_type": lambda case: [case.question_type.replace("_", " ")],
    "reference_source": lambda case: [case.reference_source.value.replace("_", " ")],
}

_HEAD = ("question", "conversation", "standalone_question", "answerable", "reference")
_TAIL = (
    "other_references",
    "declines",
    "readings",
    "doc_version",
    "question_type",
    "slice",
    "category",
    "weight",
    "reference_source",
    "provenance",
    "notes",
)


def draw_case(case: Case) -> list[Child]:
    """Return the case as it stands, field by field; what is empty is left out."""
    retired = retired_words(case)
    return [
        node("p", "✕ Retired: ", *retired, cls="cur-banner")
        if case.status is CaseStatus.RETIRED and retired
        else "",
        *_plain_fields(case, _HEAD),
        field("Facts", [draw_fact(kind, fact) for kind, fact in case.facts.each]),
        field(
            "Evidence",
            [node("p", evidence_words(item), cls="cur-literal") for item in case.evidence],
        ),
        *_plain_fields(case, _TAIL),
    ]


def _plain_fields(case: Case, names: Iterable[str]) -> list[Child]:
    """Return the fields that hold something."""
    drawn: list[Child] = []
    for name in names:
        texts = plain_field(case, name)
        if texts:
            shown = [node("p", text, cls="cur-literal") for text in texts]
            drawn.append(field(FIELD_LABELS[name], shown))
    return drawn


def draw_fact(kind: FactKind, fact: Fact) -> Node:
    """Return one fact with its mark and what is said beneath it."""
    return node(
        "div",
        kind_label(kind),
        node(
            "div",
            node("p", fact.text, cls="cur-literal"),
            node("p", " · ".join(fact_notes(fact)), cls="cur-small cur-soft cur-literal"),
        ),
        cls=kind_class(kind),
    )


def field(label: str, value: Sequence[Child], *, below: str = "", cls: str = "") -> Node:
    """Return one field: its name at the left, what it holds at the right."""
    if not value:
        value = [node("p", "none", cls="cur-soft")]
    return node(
        "div",
        node(
            "div",
            node("h3", label, cls="cur-name"),
            node("p", below, cls="cur-small") if below else None,
        ),
        node("div", *value),
        cls=f"cur-field {cls}".strip(),
    )
