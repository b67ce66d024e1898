"""What a fact asks of a text: its values, what they hold for, its words and its direction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.anchors import Likeness, Quantity, QuantityKind, compare
from curation.metrics.clauses import is_break
from curation.metrics.comparators import COMPARATOR_WORDS
from curation.metrics.content import has_only, is_content, near_stems, row_of
from curation.metrics.items import VERSION_WORDS, Item, ItemKind
from curation.metrics.lexicon import word_set
from curation.metrics.polarity import is_negation, polarity_of
from curation.metrics.segments import Segment, SegmentKind, read_text
from curation.metrics.words import LIGHT_STEMS, STOPWORDS, stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


__all__ = ["Part", "Role", "Want", "WantKind", "read_wording"]


class WantKind(StrEnum):
    """What kind of thing a fact asks for."""

    QUANTITY = "quantity"
    IDENT = "ident"
    WORD = "word"
    SCRIPT = "script"


class Role(StrEnum):
    """A value is what the fact says; a scope is what it says it of."""

    VALUE = "value"
    SCOPE = "scope"
    CONTENT = "content"
    LIGHT = "light"


class Want(NamedTuple):
    """One thing a text must hold to say the fact."""

    kind: WantKind
    role: Role
    text: str
    stem: str = ""
    quantity: Quantity | None = None
    denied: bool = False
    proper: bool = False
    literal: bool = False
    compounds: tuple[str, ...] = ()
    at: int = -1
    clause: int = 0
    near: frozenset[str] = frozenset()
    row: int = -1
    chunk: int = 0

    @property
    def shown(self) -> str:
        """The words as people wrote them, where they are a quantity."""
        return self.quantity.text if self.quantity is not None else self.text


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of a fact: what it wants, in order, and how it is said."""

    wants: tuple[Want, ...]
    answer: str | None = None
    denied: bool = False
    doubtful: bool = False
    denials: Mapping[int, int] = field(default_factory=dict)
    modal: bool = False
    conditional: bool = False
    hedged: bool = False
    only: bool = False
    links: tuple[tuple[str, str], ...] = ()
    tokens: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    listed: frozenset[str] = frozenset()

    @property
    def values(self) -> tuple[Want, ...]:
        """The wants that carry what the fact says."""
        return tuple(want for want in self.wants if want.role is Role.VALUE)

    @property
    def scopes(self) -> tuple[Want, ...]:
        """The wants that say what the fact holds for."""
        return tuple(want for want in self.wants if want.role is Role.SCOPE)

    @property
    def content(self) -> tuple[Want, ...]:
        """The words that the fact cannot do without."""
        return tuple(want for want in self.wants if want.role is Role.CONTENT)


_SCOPE_WORDS = word_set("in for on of under with at during by using running etcd")
_MODALS = word_set("may might can could would able allowed permitted possible")
_LINKS = word_set(
    """
    than to from by before after over under into onto versus behind above below
    """
)
_VALUE_FRAMES = frozenset(
    {"default", "defaults", "defaulting", "value", "set", "named", "called", "="}
)
_COPULAS = word_set("is are was were be = : equals as to")


@lru_cache(maxsize=4096)
def read_wording(fact: str) -> tuple[Part, ...]:
    """Return the statements of a fact; a fact of several sentences has several."""
    reading = read_text(fact)
    segments = [segment for segment in reading.segments if segment.kind is not SegmentKind.BLOCK]
    parts: list[Part] = []
    for segment in segments:
        for first, last in _statements(reading.items, segment):
            part = _part(reading.items, first, last)
            if part.wants or part.answer or part.tokens:
                parts.append(part)
    return tuple(_joined(parts))


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Return the parts; a bare yes or no is joined to the statement after it."""
    out: list[Part] = []
    for part in parts:
        if out and out[-1].answer and not out[-1].wants and not part.answer:
            out.append(replace(part, answer=out.pop().answer))
        else:
            out.append(part)
    return out


def _statements(items: Sequence[Item], segment: Segment) -> list[tuple[int, int]]:
    """Return one stretch, or several where the fact gives rival values to several things."""
    chunks: list[tuple[int, int]] = []
    start = segment.first
    for at in range(segment.first, segment.last):
        if items[at].text in {",", ";", "and", "but", "while", "whereas"} and at > start:
            chunks.append((start, at))
            start = at + 1
    chunks.append((start, segment.last))
    if len(chunks) < 2 or not all(_is_statement(items, *chunk) for chunk in chunks):
        return [(segment.first, segment.last)]
    quantities = [_values(items, *chunk) for chunk in chunks]
    rivals = any(
        compare(one, two) is Likeness.RIVAL
        for at, ones in enumerate(quantities)
        for others in quantities[at + 1 :]
        for one in ones
        for two in others
    )
    return chunks if rivals else [(segment.first, segment.last)]


def _values(items: Sequence[Item], first: int, last: int) -> list[Quantity]:
    return [item.quantity for item in items[first:last] if item.quantity is not None]


def _is_statement(items: Sequence[Item], first: int, last: int) -> bool:
    words = [item for item in items[first:last] if item.stem and item.text not in STOPWORDS]
    return bool(words) and bool(_values(items, first, last))


def _part(items: Sequence[Item], first: int, last: int) -> Part:
    answer, start = _leading_answer(items, first, last)
    polarity = polarity_of(items, start, last)
    texts = {item.text for item in items[start:last]}
    chunks = list(accumulate(is_break(items, at, start) for at in range(start, last)))
    wants = [
        want._replace(
            clause=polarity.clause[at - start],
            near=near_stems(items, at),
            row=row_of(items, at),
            chunk=chunks[at - start],
        )
        for at in range(start, last)
        if (want := _want(items, at, last, denied=polarity.denied[at - start])) is not None
    ]
    wants = _with_roles(_promoted(_without_contrast(wants)), items)
    wants = _with_literals(items, start, last, wants)
    return Part(
        wants=tuple(wants),
        answer=answer,
        denied=any(want.denied for want in wants if want.role is not Role.LIGHT),
        modal=bool(texts & _MODALS),
        conditional=any(polarity.conditional),
        hedged=any(polarity.hedged),
        doubtful=any(polarity.doubtful),
        denials=polarity.denials,
        only=has_only(items, start, last),
        links=tuple(_links(items, start, last)),
        tokens=tuple(
            item.text
            for item in items[start:last]
            if item.kind not in {ItemKind.PUNCT, ItemKind.BREAK}
        ),
        ordered=tuple(_ordered(items, start, last)),
        listed=_listed(items, start, chunks, wants),
    )


_ARTICLES = word_set("a an the and or both")


def _listed(
    items: Sequence[Item], start: int, chunks: Sequence[int], wants: Sequence[Want]
) -> frozenset[str]:
    """Return the stems that stand in clauses of a name alone: parts of a list."""
    spoken = {
        chunk
        for chunk, item in zip(chunks, items[start:], strict=False)
        if item.kind is ItemKind.WORD and item.text in STOPWORDS - _ARTICLES
    }
    return frozenset(want.stem for want in wants if want.chunk not in spoken)


def _leading_answer(items: Sequence[Item], first: int, last: int) -> tuple[str | None, int]:
    """Return a leading yes or no and where the statement goes on."""
    at = first
    while at < last and items[at].kind is ItemKind.PUNCT:
        at += 1
    alone = at + 1 >= last or items[at + 1].kind is ItemKind.PUNCT
    if at < last and alone and items[at].text in {"yes", "no"}:
        return items[at].text, at + 1
    return None, first


def _want(items: Sequence[Item], at: int, last: int, *, denied: bool) -> Want | None:
    item = items[at]
    if item.quantity is not None:
        return Want(
            WantKind.QUANTITY, Role.VALUE, item.text, quantity=item.quantity, denied=denied, at=at
        )
    if item.kind is ItemKind.IDENT:
        return Want(WantKind.IDENT, Role.VALUE, item.text, stem=item.stem, denied=denied, at=at)
    if item.kind is ItemKind.SCRIPT:
        return Want(WantKind.SCRIPT, Role.CONTENT, item.text, denied=denied, at=at)
    if item.kind is not ItemKind.WORD or item.text in STOPWORDS or is_negation(items, at, last):
        return None
    if _belongs_to_quantity(items, at):
        return None
    role = Role.LIGHT if item.stem in LIGHT_STEMS else Role.CONTENT
    return Want(
        WantKind.WORD,
        role,
        item.text,
        stem=item.stem,
        denied=denied,
        proper=item.proper and at > 0,
        compounds=tuple(_compounds(items, at)),
        at=at,
    )


def _compounds(items: Sequence[Item], at: int) -> Iterator[str]:
    """Yield the one word that a word and its neighbour may be written as: set-up, setup."""
    for one, two in ((at - 1, at), (at, at + 1)):
        if one < 0 or two >= len(items) or items[two].kind is not ItemKind.WORD:
            continue
        if items[one].kind is ItemKind.WORD and items[two].start - items[one].end <= 1:
            yield stem(items[one].text + items[two].text)


def _belongs_to_quantity(items: Sequence[Item], at: int) -> bool:
    """Return whether a word is the comparator or the rate of a quantity near it."""
    text = items[at].text
    near = [item for item in items[max(at - 3, 0) : at + 7] if item.quantity is not None]
    if text in COMPARATOR_WORDS:
        return any(item.quantity and item.quantity.comparator != "none" for item in near)
    before = items[at - 1] if at else None
    if text in VERSION_WORDS and at + 1 < len(items):
        return items[at + 1].quantity is not None
    if text in {"daily", "weekly", "monthly", "yearly", "annually", "hourly"}:
        return bool(before is not None and before.quantity and before.quantity.per)
    after_per = before is not None and before.text in {"/", "per", "a", "an", "each", "every"}
    return after_per and any(
        item.quantity and item.quantity.per for item in items[max(at - 5, 0) : at]
    )


def _without_contrast(wants: Sequence[Want]) -> list[Want]:
    """Return the wants less a value that only another one is set against: 5, not 10.

    Of `in v4.2 it is not 60 s` the version is no such value, and the denial stays.
    """
    said = [want.quantity for want in wants if want.quantity is not None and not want.denied]
    return [
        want
        for want in wants
        if not (want.denied and want.quantity is not None and _is_against(want.quantity, said))
    ]


def _is_against(denied: Quantity, said: Sequence[Quantity]) -> bool:
    alike = [other for other in said if other.named == denied.named]
    return any(compare(denied, other) is Likeness.RIVAL for other in alike)


def _promoted(wants: Sequence[Want]) -> list[Want]:
    """Return the wants; light words count in full where there is nothing else."""
    if any(want.role is not Role.LIGHT for want in wants):
        return list(wants)
    return [want._replace(role=Role.CONTENT) for want in wants]


def _with_roles(wants: Sequence[Want], items: Sequence[Item]) -> list[Want]:
    """Return the wants with versions, years and flags made scopes where a value stands beside."""
    anchors = [want for want in wants if want.kind in {WantKind.QUANTITY, WantKind.IDENT}]
    scopes = [want.at for want in anchors if _is_scope(items, want.at)]
    if anchors and len(scopes) == len(anchors) and not _has_predicate(wants):
        scopes.pop()
    return [want._replace(role=Role.SCOPE) if want.at in scopes else want for want in wants]


def _has_predicate(wants: Sequence[Want]) -> bool:
    return any(want.role is Role.CONTENT for want in wants)


def _is_scope(items: Sequence[Item], at: int) -> bool:
    item = items[at]
    before = items[at - 1].text if at else ""
    quantity = item.quantity
    if quantity is None:
        return item.text.startswith("-") or before in _SCOPE_WORDS or "_" in item.text
    if quantity.kind is QuantityKind.VERSION or quantity.named:
        naming = before in {
            "since",
            "from",
            "until",
            "is",
            "=",
            ":",
            "than",
            "after",
            "before",
            "to",
            "version",
            "release",
        }
        if before in {"version", "release"} and at > 1:
            return items[at - 2].text not in {
                "since",
                "from",
                "until",
                "is",
                ":",
                "after",
                "before",
                "to",
            }
        return not naming
    plain = quantity.unit is None and quantity.kind is QuantityKind.NUMBER
    year = plain and len(item.text) == 4 and item.text[:2] in {"19", "20"}
    return year and before in {"in", "for", "of", "during"}


def _with_literals(
    items: Sequence[Item], first: int, last: int, wants: Sequence[Want]
) -> list[Want]:
    """Mark the words after `default is` and the like: they are values, to be found as they are."""
    texts = [item.text for item in items[first:last]]
    frame = bool(_VALUE_FRAMES & set(texts)) or ":" in texts
    if not frame or any(want.role is Role.VALUE for want in wants):
        return list(wants)
    places = [at for at, text in enumerate(texts) if text in _COPULAS]
    if not places:
        return list(wants)
    tail = {stem(text) for text in texts[places[-1] + 1 :]}
    words = [want for want in wants if want.kind is WantKind.WORD and want.stem in tail]
    if not 1 <= len(words) <= 2:
        return list(wants)
    return [
        want._replace(role=Role.CONTENT, literal=True) if want in words else want for want in wants
    ]


def _links(items: Sequence[Item], first: int, last: int) -> list[tuple[str, str]]:
    """Return the direction words with what each leads to: reports to Bob."""
    out: list[tuple[str, str]] = []
    for at in range(first, last):
        if items[at].text in _LINKS:
            target = next(
                (item.stem for item in items[at + 1 : min(at + 4, last)] if is_content(item)), None
            )
            if target is not None:
                out.append((items[at].text, target))
    return out


_PREPOSITIONS = word_set(
    """
    in on at by for with of from to during after before per as under over via
    """
)


def _ordered(items: Sequence[Item], first: int, last: int) -> list[str]:
    """Return the stems outside prepositional phrases, where their order carries meaning."""
    texts = {item.text for item in items[first:last]}
    if texts & {",", "and", "or", "is", "are", "was", "were", "be", ":", "="}:
        return []
    out: list[str] = []
    inside = False
    for item in items[first:last]:
        if item.text in _PREPOSITIONS:
            inside = True
        elif is_content(item):
            if not inside:
                out.append(item.stem)
            inside = False
    return out
