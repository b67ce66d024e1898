"""The form that edits a case as a change: what it shows, and the case that its fields make."""

from collections.abc import Mapping, Sequence
from typing import Any

from curation.domain.case import Answerable, Case, Fact, FactKind, ForbiddenFact, RetireReason
from curation.domain.finding import Finding, Level
from curation.domain.item_id import next_id
from curation.domain.policy import Policy
from curation.ui.actions import COMMIT, Action
from curation.ui.case_view import ANSWERABLE_WORDS, FIELD_LABELS, KIND_WORDS
from curation.ui.evidence_form import (
    NEW_FACTS,
    Picking,
    draw_evidence,
    taken_evidence,
    without_removed,
)
from curation.ui.form_fields import PREFIX, REMOVED, choice, first_field, line_field, text_field
from curation.ui.tree import Child, Node, node

REASON = "reason"
NEEDS_REASON = "Write here why, then press Ctrl+Enter again."
NOTHING = Picking()
RETIRE_WHY = "retire.why"
RETIRE_SUCCESSOR = "retire.successor"
_TEXTS = ("question", "reference", "standalone_question", "notes")
_LISTS = ("other_references", "readings")


def ends_of_form(label: str, act: str, close: str) -> list[Action]:
    """Return what ends a form of this kind: what it does once it says why, and closing it."""
    return [
        Action(
            act=act,
            label=label,
            keys=(COMMIT,),
            primary=True,
            needs=REASON,
            needs_said=NEEDS_REASON,
        ),
        Action(act=close, label="Close", keys=("Escape",), about="Close the form"),
    ]


def draw_edit(
    case: Case,
    policy: Policy,
    findings: Sequence[Finding],
    *,
    picking: Picking = NOTHING,
    slot: str = "",
    title: str = "",
    reason: str = "",
) -> list[Child]:
    """Return the form, filled from the case, with what the checks last said above it.

    Args:
        case: what the fields start with.
        policy: the lists to choose from.
        findings: what the checks said.
        picking: what was searched for and taken as new evidence.
        slot: the name under which the browser keeps what is typed; the case's id without one.
        title: the heading.
        reason: what the word of why starts with.
    """
    form = slot or case.id
    answerable = [(one.value, ANSWERABLE_WORDS[one]) for one in Answerable]
    return [
        node("h2", title or f"Edit {case.id} as a change"),
        *draw_findings(findings),
        *first_field(
            text_field(form, f"{PREFIX}question", FIELD_LABELS["question"], case.question)
        ),
        *choice(
            form,
            f"{PREFIX}answerable",
            FIELD_LABELS["answerable"],
            answerable,
            case.answerable.value,
        ),
        *text_field(form, f"{PREFIX}reference", FIELD_LABELS["reference"], case.reference, 3),
        *_facts_form(form, case),
        *draw_evidence(form, case, picking),
        *_details_form(form, case, policy),
        *text_field(form, REASON, "Why this change", reason),
    ]


def _details_form(form: str, case: Case, policy: Policy) -> list[Child]:
    """Return the fields beneath the facts and the evidence."""
    types = [(name, name.replace("_", " ")) for name in policy.question_types]
    slices = [(name, name) for name in dict.fromkeys((*policy.slices, case.slice))]
    return [
        *choice(form, f"{PREFIX}question_type", "Question type", types, case.question_type),
        *choice(form, f"{PREFIX}slice", "Slice", slices, case.slice),
        *line_field(form, f"{PREFIX}weight", "Weight", f"{case.weight:g}"),
        *text_field(
            form,
            f"{PREFIX}standalone_question",
            FIELD_LABELS["standalone_question"],
            case.standalone_question or "",
        ),
        *_items(form, case, "other_references", "Other reference"),
        *_items(form, case, "readings", "Possible reading"),
        *text_field(form, f"{PREFIX}notes", "Notes", case.notes),
    ]


def _items(form: str, case: Case, name: str, label: str) -> list[Child]:
    """Return a field for each text of a list, and one for a new one."""
    drawn: list[Child] = []
    for number, text in enumerate((*getattr(case, name), "")):
        drawn += text_field(form, f"{PREFIX}{name}.{number}", f"{label} {number + 1}", text, 1)
    return drawn


def _facts_form(form: str, case: Case) -> list[Child]:
    """Return a row for each fact and rows for new ones."""
    rows = [_fact_form(form, kind, fact.id, fact) for kind, fact in case.facts.each]
    rows += [
        _fact_form(form, FactKind.REQUIRED, f"new{number}", None) for number in range(NEW_FACTS)
    ]
    return [node("fieldset", node("legend", "Facts"), *rows, cls="cur-fieldset")]


def _fact_form(form: str, kind: FactKind, fact_id: str, fact: Fact | None) -> Node:
    """Return the fields of one fact."""
    name = f"{PREFIX}fact.{fact_id}"
    label = fact_id if fact else "a new fact"
    kinds = [(one.value, KIND_WORDS[one]) for one in FactKind]
    kinds += [(REMOVED, "take it out")] if fact else []
    value_of = fact.value_of or "" if isinstance(fact, ForbiddenFact) else ""
    return node(
        "div",
        node("div", *choice(form, f"{name}.kind", f"Kind of {label}", kinds, kind.value)),
        node(
            "div",
            *text_field(form, f"{name}.text", f"Text of {label}", fact.text if fact else "", 1),
        ),
        node(
            "div",
            *line_field(
                form,
                f"{name}.any_of",
                "Other wordings, with | between",
                " | ".join(fact.any_of) if fact else "",
            ),
        ),
        node("div", *line_field(form, f"{name}.value_of", "Value of version", value_of)),
        cls="cur-fact-form",
    )


def draw_findings(findings: Sequence[Finding]) -> list[Child]:
    """Return what the checks said, to fix first."""
    order = (Level.ERROR, Level.WARNING, Level.FINE)
    words = {Level.ERROR: "✕ Fix: ", Level.WARNING: "△ Explain: ", Level.FINE: "✓ "}
    found = sorted(findings, key=lambda finding: order.index(finding.level))
    return [
        node("p", node("strong", words[one.level]), one.message, cls="cur-literal") for one in found
    ]


def edited_document(
    case: Case, fields: Mapping[str, str], picking: Picking = NOTHING
) -> dict[str, Any]:
    """Return the case file that the form's fields make.

    A field that still says what the form showed leaves the stored text as it is, byte for byte.
    """
    document: dict[str, Any] = case.model_dump(mode="json", by_alias=True)
    given = {
        name.removeprefix(PREFIX): text for name, text in fields.items() if name.startswith(PREFIX)
    }
    for name in (*_TEXTS, "answerable", "question_type", "slice"):
        document[name] = _kept(given.get(name), document[name])
    for name in _LISTS:
        texts = [*document[name], ""]
        new = [_kept(given.get(f"{name}.{at}"), text) for at, text in enumerate(texts)]
        document[name] = [text for text in new if text.strip()]
    document["weight"] = _number(given.get("weight", ""), case.weight)
    taken, proves = taken_evidence(case, given, picking)
    document["facts"] = _facts(case, given, proves)
    document["evidence"] = [*without_removed(document["evidence"], given), *taken]
    return document


def _kept(given: str | None, stored: str | None) -> Any:  # noqa: ANN401 - text, or none as stored
    """Return the stored text unless the field says something else; a field knows one line end."""
    shown = (stored or "").replace("\r\n", "\n").replace("\r", "\n")
    return stored if given is None or given == shown else given


def _number(text: str, otherwise: float) -> float | str:
    """Return the number that was typed; what is none is handed on and refused by its form."""
    if not text.strip() or text == f"{otherwise:g}":
        return otherwise
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() else value


def _facts(
    case: Case, given: Mapping[str, str], proves: Mapping[str, Sequence[str]]
) -> dict[str, list[dict[str, Any]]]:
    """Return the facts by kind as the form says them, each with the new evidence that proves it."""
    facts: dict[str, list[dict[str, Any]]] = {kind.value: [] for kind in FactKind}
    for kind, fact in case.facts.each:
        wanted = given.get(f"fact.{fact.id}.kind", kind.value)
        if wanted != REMOVED:
            old = fact.model_dump(mode="json", by_alias=True)
            stays = [i for i in old["evidence"] if given.get(f"evidence.{i}") != REMOVED]
            old["evidence"] = [*stays, *proves.get(fact.id, ())]
            facts[wanted].append(_fact(old, wanted, f"fact.{fact.id}", given))
    taken = {fact.id for _, fact in case.facts.each}
    for number in range(NEW_FACTS):
        name = f"fact.new{number}"
        if given.get(f"{name}.text", "").strip():
            fresh = next_id("f", taken)
            taken.add(fresh)
            wanted = given.get(f"{name}.kind", FactKind.REQUIRED.value)
            new = {"id": fresh, "evidence": list(proves.get(f"new{number}", ()))}
            facts[wanted].append(_fact(new, wanted, name, given))
    return facts


def _fact(old: dict[str, Any], kind: str, name: str, given: Mapping[str, str]) -> dict[str, Any]:
    """Return one fact; only a forbidden one has a version and a mention."""
    fact = {key: value for key, value in old.items() if key not in {"value_of", "mention"}}
    fact["text"] = _kept(given.get(f"{name}.text"), fact.get("text", ""))
    joined = _one_line(" | ".join(fact.get("any_of", ())))
    if given.get(f"{name}.any_of", joined) != joined:
        parts = given[f"{name}.any_of"].split("|")
        fact["any_of"] = [part.strip() for part in parts if part.strip()]
    if kind == FactKind.FORBIDDEN.value:
        version = given.get(f"{name}.value_of")
        same = version is None or version == _one_line(old.get("value_of") or "")
        fact["value_of"] = old.get("value_of") if same else version or None
        if "mention" in old:
            fact["mention"] = old["mention"]
    return fact


def _one_line(text: str) -> str:
    """Return the text as a field of one line holds it."""
    return text.replace("\r", "").replace("\n", "")


def draw_retire(case: Case, others: Sequence[str]) -> list[Child]:
    """Return the form that proposes to retire a case."""
    reasons = [(one.value, one.value.replace("_", " ")) for one in RetireReason]
    successors = [("", "none"), *((name, name) for name in others if name != case.id)]
    return [
        node("h2", f"Retire {case.id} as a change"),
        *first_field(
            choice(
                case.id, RETIRE_WHY, "What is wrong with it", reasons, RetireReason.OUTDATED.value
            )
        ),
        *choice(case.id, RETIRE_SUCCESSOR, "Replaced by", successors, ""),
        *text_field(case.id, REASON, "Why", ""),
    ]


def draw_restore(case: Case) -> list[Child]:
    """Return the form that proposes to make a retired case count again."""
    return [
        node("h2", f"Restore {case.id} as a change"),
        *first_field(text_field(case.id, REASON, "Why", "")),
    ]
