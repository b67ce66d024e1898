"""Every text of a case: private data, characters that cannot be stored or cannot be seen."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from curation.checks.context import CheckContext, error, warning
from curation.checks.privacy import PrivateKind, find_private
from curation.domain.case import Case
from curation.domain.finding import Check, Finding
from curation.domain.visible import hidden_characters

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NAMES = {
    "question": "the question",
    "conversation": "an earlier turn",
    "standalone_question": "the stand-alone form",
    "reference": "the reference",
    "other_references": "another reference",
    "notes": "the notes",
    "reason": "the reason",
    "provenance": "the provenance",
    "readings": "a reading",
    "declines": "a line of what is missing",
    "evidence": "a quote",
}
_KEYS = {"reference": "W"}
_BYTE_FOR_BYTE = frozenset({"evidence"})  # quotes are as the chunk is


class Place(NamedTuple):
    """A text of a case and where it stands."""

    field: str
    item: str | None
    name: str
    text: str


def places(case: Case, reason: str = "") -> Iterator[Place]:
    """Yield every text of a case with its place, and the reason."""
    for field, text in _plain_texts(case, reason):
        if text:
            yield Place(field, None, _NAMES[field], text)
    for kind, fact in case.facts.each:
        number = case.facts.of(kind).index(fact) + 1
        for text in (fact.text, *fact.any_of):
            yield Place("facts", fact.id, f"{kind.value} fact {number}", text)
    for line in case.declines:
        for text in (line.text, *line.any_of):
            yield Place("declines", line.id, _NAMES["declines"], text)
    for item in case.evidence:
        yield Place("evidence", item.id, _NAMES["evidence"], item.quote)


def _plain_texts(case: Case, reason: str) -> Iterator[tuple[str, str]]:
    yield "question", case.question
    yield from (("conversation", turn.text) for turn in case.conversation)
    yield "standalone_question", case.standalone_question or ""
    yield "reference", case.reference
    yield from (("other_references", text) for text in case.other_references)
    yield from (("readings", text) for text in case.readings)
    yield "notes", case.notes
    yield "reason", reason
    provenance = case.provenance
    yield "provenance", provenance.answer_id or ""
    yield "provenance", provenance.external_id or ""
    yield from (("provenance", signal) for signal in provenance.signals)


def private_texts(context: CheckContext) -> Iterator[Finding]:
    """Yield secrets, which block, and personal data, which needs a word; once a place and kind."""
    seen: set[tuple[str, str | None, PrivateKind]] = set()
    for place in places(context.case, context.reason):
        for found in find_private(place.text):
            if (place.field, place.item, found.kind) in seen:
                continue
            seen.add((place.field, place.item, found.kind))
            make = error if found.kind.secret else warning
            ending = "Remove it." if found.kind.secret else "Redact it?"
            yield make(
                Check.SECRET if found.kind.secret else Check.PERSONAL_DATA,
                f"{found.kind.value} is in {place.name}. {ending}",
                field=place.field,
                item=place.item or place.field,
                key=_KEYS.get(place.field),
            )


def unreadable_texts(context: CheckContext) -> Iterator[Finding]:
    """Yield texts that cannot be stored, and texts with characters that nobody sees."""
    seen: set[tuple[str, str | None]] = set()
    for place in places(context.case, context.reason):
        where = (place.field, place.item)
        if where in seen:
            continue
        if _UNSTORABLE.search(place.text):
            seen.add(where)
            yield error(
                Check.BAD_TEXT,
                f"A character that cannot be stored is in {place.name}: "
                f"{', '.join(hidden_characters(place.text))}. Type it again.",
                field=place.field,
                item=place.item or place.field,
                key=_KEYS.get(place.field),
            )
        elif place.field not in _BYTE_FOR_BYTE and (hidden := hidden_characters(place.text)):
            seen.add(where)
            yield warning(
                Check.INVISIBLE_TEXT,
                f"Invisible characters are in {place.name}: {', '.join(hidden[:5])}.",
                field=place.field,
                item=place.item or place.field,
                key=_KEYS.get(place.field),
            )
