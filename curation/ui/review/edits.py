"""Changes of the case that are no picks: rows moved, removed, grouped; fields written."""

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from curation.domain.case import (
    Decline,
    Evidence,
    EvidenceRole,
    Fact,
    FactKind,
    FactRole,
    ForbiddenFact,
    Mention,
)
from curation.domain.item_id import next_id
from curation.domain.review import Acknowledgement, Draft
from curation.domain.segments import fact_text
from curation.ui.review.picks import (
    FACT_IS_THERE,
    Done,
    Refused,
    has_fact,
    ids_of,
    with_each_fact,
    with_fact,
)

PLAIN_FIELDS = frozenset({"reference", "missing", "failure_why", "notes"})
OPTIONAL_FIELDS = frozenset(
    {"question", "standalone_question", "question_type", "slice", "category", "reason"}
)
BAD_WEIGHT = "The weight is a number above 0, at most 100."


def find_fact(draft: Draft, fact_id: str) -> tuple[FactKind, Fact] | None:
    """Return a fact with its kind."""
    return next(((kind, fact) for kind, fact in draft.facts.each if fact.id == fact_id), None)


def add_fact(draft: Draft, text: str, *, used: frozenset[str]) -> Done | Refused:
    """Return the draft with a typed fact, required."""
    words = fact_text(text)
    if not words:
        return Refused(why="Nothing was added: the line is empty.")
    if has_fact(draft, words):
        return FACT_IS_THERE
    fact = Fact(id=next_id("f", used | ids_of(draft)), text=words)
    draft = with_fact(draft, FactKind.REQUIRED, fact)
    return Done(draft=draft, said=f"✓ Must hold: {words}", touched=fact.id)


def remove_fact(draft: Draft, fact_id: str) -> Draft:
    """Return the draft without a fact, and without conclusions' pointers to it."""
    lists = {}
    for kind in FactKind:
        kept = (f for f in draft.facts.of(kind) if f.id != fact_id)
        lists[kind.value] = tuple(_not_from(fact, fact_id) for fact in kept)
    return draft.model_copy(update={"facts": draft.facts.model_copy(update=lists)})


def _not_from(fact: Fact, fact_id: str) -> Fact:
    """Return the fact without a pointer to another one."""
    if fact_id not in fact.from_:
        return fact
    left = tuple(other for other in fact.from_ if other != fact_id)
    role = fact.role if left else FactRole.STATEMENT
    return fact.model_copy(update={"from_": left, "role": role})


def move_fact(draft: Draft, fact_id: str, kind: FactKind) -> Draft:
    """Return the draft with a fact moved to another kind, with its id and words."""
    found = find_fact(draft, fact_id)
    if found is None or found[0] is kind:
        return draft
    was = found[1]
    common = {"id": was.id, "text": was.text, "any_of": was.any_of}
    if kind is FactKind.FORBIDDEN:
        versions = {e.doc_version for e in draft.evidence if e.id in was.evidence}
        value_of = versions.pop() if len(versions) == 1 else None
        moved: Fact = ForbiddenFact(**common, value_of=value_of)
    else:
        moved = Fact(**common, evidence=was.evidence, role=was.role, from_=was.from_)
    without = {
        other.value: tuple(f for f in draft.facts.of(other) if f.id != fact_id)
        for other in FactKind
    }
    without[kind.value] = (*without[kind.value], moved)
    return draft.model_copy(update={"facts": draft.facts.model_copy(update=without)})


def toggle_conclusion(draft: Draft, fact_id: str, source_id: str) -> Draft:
    """Return the draft with `follows from` of a fact switched for one other fact."""
    found = find_fact(draft, fact_id)
    if found is None or find_fact(draft, source_id) is None or fact_id == source_id:
        return draft
    fact = found[1]
    if source_id in fact.from_:
        return with_each_fact(draft, {fact_id: _not_from(fact, source_id)})
    changed = fact.model_copy(
        update={"from_": (*fact.from_, source_id), "role": FactRole.CONCLUSION}
    )
    return with_each_fact(draft, {fact_id: changed})


def toggle_mention(draft: Draft, fact_id: str) -> Draft:
    """Return the draft with `never even attributed` of a forbidden fact switched."""
    found = find_fact(draft, fact_id)
    if found is None or not isinstance(found[1], ForbiddenFact):
        return draft
    never = found[1].mention is Mention.NEVER
    mention = Mention.ATTRIBUTED_OK if never else Mention.NEVER
    return with_each_fact(draft, {fact_id: found[1].model_copy(update={"mention": mention})})


def remove_evidence(draft: Draft, evidence_id: str) -> Draft:
    """Return the draft without a piece of evidence; facts and groups no longer name it."""
    left = tuple(e for e in draft.evidence if e.id != evidence_id)
    orphans = [e for e in left if e.group == evidence_id]
    renamed = {e.id: e.model_copy(update={"group": orphans[0].id}) for e in orphans}
    facts = {
        fact.id: fact.model_copy(
            update={"evidence": tuple(e for e in fact.evidence if e != evidence_id)}
        )
        for _, fact in draft.facts.each
        if evidence_id in fact.evidence
    }
    draft = draft.model_copy(update={"evidence": tuple(renamed.get(e.id, e) for e in left)})
    return with_each_fact(draft, facts)


def toggle_alternative(draft: Draft, evidence_id: str, other_id: str) -> Draft:
    """Return the draft with evidence as an alternative to another, or on its own again."""
    items = {e.id: e for e in draft.evidence}
    item, other = items.get(evidence_id), items.get(other_id)
    if item is None or other is None or item is other:
        return draft
    group = evidence_id if item.group == other.group else other.group
    return _with_evidence(draft, _regrouped(draft, item, group))


def _regrouped(draft: Draft, item: Evidence, group: str) -> tuple[Evidence, ...]:
    """Return the evidence with one item in another group; a group keeps the name of a member."""
    changed = tuple(
        e.model_copy(update={"group": group}) if e.id == item.id else e for e in draft.evidence
    )
    members = {e.group: [m.id for m in changed if m.group == e.group] for e in changed}
    return tuple(
        e if e.group in members[e.group] else e.model_copy(update={"group": members[e.group][0]})
        for e in changed
    )


def toggle_near_miss(draft: Draft, evidence_id: str) -> Draft:
    """Return the draft with a piece of evidence as a near miss, or as proof again."""

    def switched(item: Evidence) -> Evidence:
        near = item.role is EvidenceRole.DISTRACTOR
        role = EvidenceRole.GOLD if near else EvidenceRole.DISTRACTOR
        return item.model_copy(update={"role": role})

    listed = tuple(switched(e) if e.id == evidence_id else e for e in draft.evidence)
    return _with_evidence(draft, listed)


def _with_evidence(draft: Draft, evidence: tuple[Evidence, ...]) -> Draft:
    return draft.model_copy(update={"evidence": evidence})


def read_field(draft: Draft, name: str) -> str:
    """Return the text that a field shows; empty where the draft has nothing there."""
    head, _, rest = name.partition(":")
    if head in PLAIN_FIELDS or head in OPTIONAL_FIELDS:
        return str(getattr(draft, head) or "")
    reader = _READERS.get(head)
    return reader(draft, rest) if reader else ""


def write_field(draft: Draft, name: str, value: str) -> Draft | Refused:
    """Return the draft with the text of a field, or why it cannot be taken."""
    head, _, rest = name.partition(":")
    if head in PLAIN_FIELDS:
        return draft.model_copy(update={head: value})
    if head in OPTIONAL_FIELDS:
        return draft.model_copy(update={head: value})
    writer = _WRITERS.get(head)
    return writer(draft, rest, value) if writer else draft


def _read_weight(draft: Draft, rest: str) -> str:
    del rest
    return f"{draft.weight:g}"


def _write_weight(draft: Draft, rest: str, value: str) -> Draft | Refused:
    del rest
    try:
        number = float(value.strip().replace(",", "."))
        weight = int(number) if number.is_integer() else number
        return Draft.model_validate({**dict(draft), "weight": weight})
    except (ValueError, OverflowError, ValidationError):
        return Refused(why=BAD_WEIGHT)


def _read_lines(draft: Draft, rest: str) -> str:
    del rest
    return "\n".join(draft.readings)


def _write_lines(draft: Draft, rest: str, value: str) -> Draft:
    del rest
    return draft.model_copy(update={"readings": tuple(_lines(value))})


def _lines(value: str) -> list[str]:
    return [line.strip() for line in value.split("\n") if line.strip()]


def _read_declines(draft: Draft, rest: str) -> str:
    del rest
    return "\n".join(decline.text for decline in draft.declines)


def _write_declines(draft: Draft, rest: str, value: str) -> Draft:
    """Return the draft with one decline a line; a line that stays keeps its id."""
    del rest
    known = {decline.text: decline for decline in draft.declines}
    used, listed = set(ids_of(draft)), []
    for place, line in enumerate(_lines(value)):
        was = known.pop(line, None) or _at_place(draft, place, _lines(value), known)
        decline = (
            was.model_copy(update={"text": line})
            if was
            else Decline(id=next_id("d", used), text=line)
        )
        used.add(decline.id)
        listed.append(decline)
    return draft.model_copy(update={"declines": tuple(listed)})


def _at_place(
    draft: Draft, place: int, lines: list[str], known: dict[str, Decline]
) -> Decline | None:
    """Return the decline whose line is being changed: at the same place and no longer there."""
    if place >= len(draft.declines):
        return None
    candidate = draft.declines[place]
    if candidate.text in lines or candidate.text not in known:
        return None
    return known.pop(candidate.text)


def _read_fact(draft: Draft, rest: str) -> str:
    found = find_fact(draft, rest)
    return found[1].text if found else ""


def _write_fact(draft: Draft, rest: str, value: str) -> Draft:
    found = find_fact(draft, rest)
    if found is None:
        return draft
    return with_each_fact(draft, {rest: found[1].model_copy(update={"text": value})})


def _read_wording(draft: Draft, rest: str) -> str:
    fact_id, _, place = rest.partition(":")
    found = find_fact(draft, fact_id)
    if found is None or not place.isdecimal() or int(place) >= len(found[1].any_of):
        return ""
    return found[1].any_of[int(place)]


def _write_wording(draft: Draft, rest: str, value: str) -> Draft:
    fact_id, _, place = rest.partition(":")
    found = find_fact(draft, fact_id)
    if found is None or not place.isdecimal():
        return draft
    wordings = list(found[1].any_of)
    if int(place) < len(wordings):
        wordings[int(place)] = value
    elif value.strip():
        wordings.append(value)
    return with_each_fact(draft, {fact_id: found[1].model_copy(update={"any_of": tuple(wordings)})})


def add_wording(draft: Draft, fact_id: str, wording: str) -> Draft | Refused:
    """Return the draft with another accepted wording of a fact."""
    found = find_fact(draft, fact_id)
    words = fact_text(wording)
    if found is None or not words:
        return Refused(why="Nothing was added: there is no such fact or wording.")
    fact = found[1].model_copy(update={"any_of": (*found[1].any_of, words)})
    return with_each_fact(draft, {fact_id: fact})


def remove_wording(draft: Draft, fact_id: str, place: int) -> Draft:
    """Return the draft without one wording of a fact."""
    found = find_fact(draft, fact_id)
    if found is None:
        return draft
    left = tuple(w for i, w in enumerate(found[1].any_of) if i != place)
    return with_each_fact(draft, {fact_id: found[1].model_copy(update={"any_of": left})})


def _read_other(draft: Draft, rest: str) -> str:
    place = int(rest) if rest.isdecimal() else len(draft.other_references)
    return draft.other_references[place] if place < len(draft.other_references) else ""


def _write_other(draft: Draft, rest: str, value: str) -> Draft:
    if not rest.isdecimal():
        return draft
    references = list(draft.other_references)
    if int(rest) < len(references):
        references[int(rest)] = value
    else:
        references.append(value)
    while references and not references[-1].strip():
        references.pop()
    return draft.model_copy(update={"other_references": tuple(references)})


def _read_ack(draft: Draft, rest: str) -> str:
    check, _, item = rest.partition(":")
    return next((a.why for a in draft.acks if a.check == check and (a.item or "") == item), "")


def _write_ack(draft: Draft, rest: str, value: str) -> Draft:
    check, _, item = rest.partition(":")
    others = tuple(a for a in draft.acks if not (a.check == check and (a.item or "") == item))
    ack = (Acknowledgement(check=check, why=value, item=item or None),) if value.strip() else ()
    return draft.model_copy(update={"acks": others + ack})


_READERS: Mapping[str, Callable[[Draft, str], str]] = {
    "weight": _read_weight,
    "readings": _read_lines,
    "declines": _read_declines,
    "fact": _read_fact,
    "wording": _read_wording,
    "other": _read_other,
    "ack": _read_ack,
}
_WRITERS: Mapping[str, Callable[[Draft, str, str], Draft | Refused]] = {
    "weight": _write_weight,
    "readings": _write_lines,
    "declines": _write_declines,
    "fact": _write_fact,
    "wording": _write_wording,
    "other": _write_other,
    "ack": _write_ack,
}
