"""Which words of a sentence are denied, doubted or conditional."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.items import Item, ItemKind
from curation.metrics.lexicon import HEDGES, NEGATIONS, word_groups, word_set

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Polarity", "is_negation", "polarity_of", "says_used_to"]


_PASSIVE = word_set("is are was were be been being get gets got")


def says_used_to(texts: Sequence[str]) -> bool:
    """Return whether words say what was once so: it used to be; `is used to` is no such thing."""
    return any(
        texts[at] == "used" and texts[at + 1] == "to" and (at == 0 or texts[at - 1] not in _PASSIVE)
        for at in range(len(texts) - 1)
    )


class Polarity(NamedTuple):
    """For each item of a stretch: denied, doubtful (half denied), conditional, hedged.

    `clause` numbers the clauses in which a denial ends; `denials` counts those of each clause.
    """

    denied: tuple[bool, ...]
    doubtful: tuple[bool, ...]
    conditional: tuple[bool, ...]
    hedged: tuple[bool, ...]
    clause: tuple[int, ...]
    denials: Mapping[int, int]


_CONTRACTED = word_set(
    "dont doesnt isnt arent wont cant didnt wasnt werent hasnt havent couldnt shouldnt wouldnt"
)
_STOPS = word_set(", ; : ( ) . ! ? | but because however \u2022") | {"\n"}
_CONDITIONS = word_set("if unless whether provided suppose assuming")
# Bounds and emphasis that begin like a denial.
_NOT_DENIALS = word_groups(
    """
    no more than, no later than, no longer than, no less than, no fewer than, no greater than,
    not more than, not less than, not later than, not longer than, not fewer than,
    not greater than, not exceed, not exceeding, never exceed, never more than, not only,
    not just, not merely, not simply, no doubt, no matter, no ., nothing but,
    nicht nur, nicht mehr als, nicht weniger als, pas seulement, pas plus de, pas moins de,
    no solo, no s\u00f3lo
    """
)
_HALF_DENIED = word_set(
    """
    necessarily all every always entirely fully yet usually
    immer alle jeder unbedingt ganz noch toujours tous toutes forc\u00e9ment encore siempre todos
    """
)
_NEEDS_NEXT = {
    "rather": "than",
    "instead": "of",
    "other": "than",
    "opposed": "to",
    "fail": "to",
    "fails": "to",
    "failed": "to",
    "lack": "of",
    "far": "from",
}
_EVERYTHING = word_set("everything all anything everyone everybody anybody anyone everywhere")


def is_negation(items: Sequence[Item], at: int, last: int) -> bool:
    """Return whether the item denies what follows it."""
    item = items[at]
    if item.kind is not ItemKind.WORD:
        return False
    text = item.text
    if text == "but":
        return at > 0 and items[at - 1].text in _EVERYTHING
    if text in _NEEDS_NEXT:
        return at + 1 < last and items[at + 1].text == _NEEDS_NEXT[text]
    if text.endswith("n't") or text in _CONTRACTED:
        return not _begins_bound(items, at, last, "not")
    return text in NEGATIONS and _is_plain_negation(items, at, last)


def _is_plain_negation(items: Sequence[Item], at: int, last: int) -> bool:
    text = items[at].text
    if text == "non":
        return False
    if text == "no" and (at + 1 >= last or items[at + 1].kind is ItemKind.PUNCT):
        return False
    if text == "not" and at and items[at - 1].text in {"or", "why"}:
        return False
    return not _begins_bound(items, at, last, text)


def _begins_bound(items: Sequence[Item], at: int, last: int, text: str) -> bool:
    """Return whether the word begins a bound such as no more than, or not only."""
    return any(
        phrase[0] == text
        and at + len(phrase) <= last
        and all(items[at + step].text == word for step, word in enumerate(phrase) if step)
        for phrase in _NOT_DENIALS
    )


# Two denials this close undo each other: not without. Farther apart, each denies its own.
_NEAR = 2


class _Mood:
    """What holds at one item of a sentence read from the left."""

    def __init__(self) -> None:
        self.denied = self.doubtful = self.conditional = self.hedged = False
        self.clause = 0
        self.last_denial = -_NEAR - 1
        self.denials: Counter[int] = Counter()

    def pass_over(self, items: Sequence[Item], at: int, last: int) -> None:
        """Take in the next item."""
        item = items[at]
        if item.text in _STOPS and item.kind is not ItemKind.QUANTITY:
            self._end(item.text)
        if is_negation(items, at, last):
            half = at + 1 < last and items[at + 1].text in _HALF_DENIED
            self.doubtful = self.doubtful or half
            self.denied = not (self.denied and at - self.last_denial <= _NEAR)
            self.last_denial = at
            self.denials[self.clause] += 1
        elif self.denied and item.text in {"until", "unless"}:
            self.doubtful = True
        self.conditional = self.conditional or item.text in _CONDITIONS
        self.hedged = self.hedged or _is_hedge(items, at, last)

    def _end(self, mark: str) -> None:
        self.clause += 1
        self.last_denial = -_NEAR - 1
        self.denied = self.doubtful = False
        self.hedged = self.hedged and mark == ","
        self.conditional = self.conditional and mark not in {",", ";", "."}


def polarity_of(items: Sequence[Item], first: int, last: int) -> Polarity:
    """Return what is denied, doubted and conditional among items first to last - 1."""
    mood = _Mood()
    rows: list[tuple[bool, bool, bool, bool, int]] = []
    after_non = False
    for at in range(first, last):
        mood.pass_over(items, at, last)
        denied = mood.denied != after_non
        rows.append((denied, mood.doubtful, mood.conditional, mood.hedged, mood.clause))
        after_non = items[at].text == "non"
    if not rows:
        return Polarity((), (), (), (), (), mood.denials)
    denials, doubtful, conditional, hedged, clause = zip(*rows, strict=True)
    spread = _spread(items, first, hedged)
    return Polarity(denials, doubtful, conditional, spread, clause, mood.denials)


_MODALS = frozenset({"may", "would", "might", "could"})
_HEDGE_PAIRS = frozenset(
    {
        ("not", "certain"),
        ("not", "sure"),
        ("i", "think"),
        ("i", "believe"),
        ("going", "to"),
        ("false", "that"),
        ("wrong", "that"),
        ("incorrect", "that"),
        ("said", "to"),
        ("believed", "to"),
        ("supposed", "to"),
        ("expected", "to"),
    }
)


def _is_hedge(items: Sequence[Item], at: int, last: int) -> bool:
    item = items[at]
    following = items[at + 1].text if at + 1 < last else ""
    if (item.text, following) in _HEDGE_PAIRS:
        return True
    if item.text == "may" and item.proper and at and items[at - 1].kind is ItemKind.WORD:
        return False  # the month
    return item.kind is ItemKind.WORD and (item.text in HEDGES or item.text in _MODALS)


def _spread(items: Sequence[Item], first: int, hedged: Sequence[bool]) -> tuple[bool, ...]:
    """Return the hedges spread over their clause: `is planned` doubts its subject too."""
    out = list(hedged)
    start = 0
    for at in range(len(hedged) + 1):
        ends = at == len(hedged) or items[first + at].text in {";", ".", "but"}
        if ends:
            if any(out[start:at]):
                out[start:at] = [True] * (at - start)
            start = at + 1
    return tuple(out)
