"""Marks in texts: what is required, optional, forbidden, unsure, unsupported, quoted."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from curation.domain.case import Evidence, Fact, FactKind
from curation.domain.review import Draft
from curation.domain.verdict import CaseVerdict, FactPresence, Presence, TextFacts
from curation.metrics import match_fact
from curation.ui.review.picks import Passage, evidence_of
from curation.ui.review.texts import Mark

UNSUPPORTED = "number in no retrieved chunk"
LEGEND = {
    "unsupported": ("?", UNSUPPORTED),
    "required": ("✓", "required"),
    "optional": ("○", "optional"),
    "forbidden": ("✕", "forbidden"),
    "unsure": ("◐", "unsure"),
    "attributed": ("┄", "attributed to its version"),
    "quote": ("❝", "quoted"),
}
_LONGEST_SEARCHED = 30_000


def fact_marks(says: TextFacts | None) -> tuple[Mark, ...]:
    """Return the marks of the facts that a text says, or may say."""
    return tuple(_presence_marks(says.facts + says.declines)) if says else ()


def _presence_marks(facts: Iterable[FactPresence]) -> Iterator[Mark]:
    for fact in facts:
        if fact.span is None or fact.span[0] >= fact.span[1]:
            continue
        kind = _kind_of(fact)
        if kind:
            title = fact.name if kind != "unsure" else f"{fact.name}: unsure, {fact.reason}"
            yield (*fact.span, kind, title)


def _kind_of(fact: FactPresence) -> str:
    """Return the shape of a fact's mark; empty where the fact is absent."""
    if fact.presence is Presence.UNSURE:
        return "unsure"
    if fact.presence is Presence.ATTRIBUTED:
        return "attributed"
    if fact.presence is Presence.ABSENT:
        return ""
    return fact.kind.value if fact.kind else "required"


def answer_marks(logged: CaseVerdict | None) -> tuple[Mark, ...]:
    """Return the marks of the logged answer: facts, and quantities that nothing retrieved holds."""
    if logged is None:
        return ()
    unsupported = ((start, end, "unsupported", UNSUPPORTED) for start, end in logged.unsupported)
    return (*fact_marks(logged.text), *unsupported)


def legend(marks: Sequence[Mark]) -> list[dict[str, str]]:
    """Return the legend of the marks that are there, in a fixed order."""
    kinds = {mark[2] for mark in marks}
    return [{"glyph": g, "text": t} for kind, (g, t) in LEGEND.items() if kind in kinds]


def passage_marks(
    passage: Passage, draft: Draft, differing: Sequence[tuple[int, int]]
) -> tuple[Mark, ...]:
    """Return the marks of a chunk: quotes, the facts in them, forbidden values, differences."""
    marks: list[Mark] = [
        (start, end, "differs", "differs between the versions") for start, end in differing
    ]
    for item in evidence_of(draft, passage):
        at = passage.text.find(item.quote) if item.quote else -1
        if at < 0:
            continue
        marks.append((at, at + len(item.quote), "quote", f"evidence {item.id}"))
        marks += _proved_facts(draft, item, at)
    marks += _forbidden_here(passage, draft)
    return tuple(marks)


def _proved_facts(draft: Draft, item: Evidence, at: int) -> Iterator[Mark]:
    """Yield the facts that a quote proves, where they stand in it."""
    for kind in (FactKind.REQUIRED, FactKind.OPTIONAL):
        for fact in draft.facts.of(kind):
            span = _where(item.quote, fact) if item.id in fact.evidence else None
            if span is not None:
                yield (at + span[0], at + span[1], kind.value, f"{kind.value}: {fact.id}")


def _forbidden_here(passage: Passage, draft: Draft) -> Iterator[Mark]:
    """Yield the forbidden values that a chunk of their own version holds."""
    if not passage.proves or len(passage.text) > _LONGEST_SEARCHED:
        return
    for fact in draft.facts.forbidden:
        if fact.value_of is not None and fact.value_of == passage.doc_version:
            span = _where(passage.text, fact)
            if span is not None:
                yield (*span, "forbidden", f"forbidden: {fact.id}")


def _where(text: str, fact: Fact) -> tuple[int, int] | None:
    """Return where a text says a fact, if it clearly does."""
    return _found(text, fact.text)


@lru_cache(maxsize=4096)
def _found(text: str, fact: str) -> tuple[int, int] | None:
    at = text.find(fact)
    if at >= 0:
        return at, at + len(fact)
    match = match_fact(text, fact)
    return match.span if match.verdict.value == Presence.PRESENT.value else None
