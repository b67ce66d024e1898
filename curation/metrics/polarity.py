"""Which words of a sentence are denied, doubted or conditional."""

from __future__ import annotations

from dataclasses import dataclass

from curation.metrics.items import Item, ItemKind
from curation.metrics.words import HEDGES, NEGATIONS
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Polarity", "is_negation", "polarity_of"]


@dataclass(frozen=True, slots=True)
class Polarity:
    """For each item of a stretch: denied, doubtful (half denied), conditional; and any hedge."""

    denied: tuple[bool, ...]
    doubtful: tuple[bool, ...]
    conditional: tuple[bool, ...]
    hedged: tuple[bool, ...]


_CONTRACTED = frozenset(
    [
        "dont",
        "doesnt",
        "isnt",
        "arent",
        "wont",
        "cant",
        "didnt",
        "wasnt",
        "werent",
        "hasnt",
        "havent",
        "couldnt",
        "shouldnt",
        "wouldnt",
    ]
)
_STOPS = frozenset(
    {",", ";", ":", "(", ")", ".", "!", "?", "|", "but", "because", "\n", "however", "\u2022"}
)
_CONDITIONS = frozenset({"if", "unless", "whether", "provided", "suppose", "assuming"})
_NOT_DENIALS = (
    ("no", "more", "than"), ("no", "later", "than"), ("no", "longer", "than"), ("no", "less", "than"),
    ("no", "fewer", "than"), ("no", "greater", "than"), ("not", "more", "than"), ("not", "less", "than"),
    ("not", "later", "than"), ("not", "longer", "than"), ("not", "fewer", "than"), ("not", "exceed"),
    ("not", "exceeding"), ("never", "exceed"), ("never", "more", "than"), ("not", "only"), ("not", "just"),
    ("not", "merely"), ("not", "simply"), ("no", "doubt"), ("no", "matter"), ("no", "."), ("not", "greater", "than"),
)  # fmt: skip
_DOUBTS = frozenset(
    ["necessarily", "all", "every", "always", "entirely", "fully", "yet", "usually"]
)
_PAIRS = {
    "rather": "than", "instead": "of", "other": "than", "opposed": "to", "fail": "to", "fails": "to",
    "failed": "to", "lack": "of",
}  # fmt: skip


_EVERYTHING = frozenset(
    "everything all anything everyone everybody anybody anyone everywhere".split()
)


def is_negation(items: Sequence[Item], at: int, last: int) -> bool:
    """Return whether the item denies what follows it."""
    text = items[at].text
    if items[at].kind is not ItemKind.WORD:
        return False
    if text == "but":
        return at > 0 and items[at - 1].text in _EVERYTHING
    if text in _PAIRS:
        return at + 1 < last and items[at + 1].text == _PAIRS[text]
    if text.endswith("n't") or text in _CONTRACTED:
        return not _is_bound(items, at, last, "not")
    if text not in NEGATIONS or text == "non":
        return False
    if text == "no" and (at + 1 >= last or items[at + 1].kind is ItemKind.PUNCT):
        return False
    if text == "not" and at and items[at - 1].text in {"or", "why"}:
        return False
    return not _is_bound(items, at, last, text)


def _is_bound(items: Sequence[Item], at: int, last: int, text: str) -> bool:
    """Return whether the word is part of a bound such as no more than, or of not only."""
    for phrase in _NOT_DENIALS:
        if phrase[0] == text and at + len(phrase) <= last:
            if all(items[at + step].text == word for step, word in enumerate(phrase) if step):
                return True
    return False


def polarity_of(items: Sequence[Item], first: int, last: int) -> Polarity:
    """Return what is denied, doubted and conditional among items first to last - 1."""
    denied: list[bool] = []
    doubtful: list[bool] = []
    conditional: list[bool] = []
    hedged: list[bool] = []
    deny = doubt = condition = hedge = once = False
    for at in range(first, last):
        text = items[at].text
        if text in _STOPS and items[at].kind is not ItemKind.QUANTITY:
            deny = doubt = False
            hedge = hedge and text == ","
            condition = condition and text not in {",", ";", ".", "then"}
        if is_negation(items, at, last):
            doubt = doubt or _is_doubt(items, at, last)
            deny = not deny
        elif deny and text in {"until", "unless"}:
            doubt = True
        condition = condition or text in _CONDITIONS
        hedge = hedge or _is_hedge(items, at, last)
        denied.append(deny != once)
        once = text == "non" and items[at].kind is ItemKind.WORD
        doubtful.append(doubt)
        conditional.append(condition)
        hedged.append(hedge)
    return Polarity(
        tuple(denied),
        tuple(doubtful),
        tuple(conditional),
        tuple(_both_ways(items, first, last, hedged)),
    )


def _is_doubt(items: Sequence[Item], at: int, last: int) -> bool:
    return at + 1 < last and items[at + 1].text in _DOUBTS


_MODALS = frozenset({"may", "would", "might", "could"})


def _is_hedge(items: Sequence[Item], at: int, last: int) -> bool:
    item = items[at]
    if item.kind is not ItemKind.WORD:
        return False
    if item.text in HEDGES or item.text in _MODALS:
        return True
    two = [entry.text for entry in items[at : min(at + 2, last)]]
    return two in (
        ["not", "certain"],
        ["not", "sure"],
        ["i", "think"],
        ["i", "believe"],
        ["going", "to"],
    )


def _both_ways(items: Sequence[Item], first: int, last: int, hedged: Sequence[bool]) -> list[bool]:
    """Return the hedges spread over the whole clause: `is planned` doubts its subject too."""
    out = list(hedged)
    start = 0
    for at in range(last - first + 1):
        end = at == last - first
        if end or (
            items[first + at].text in {";", ".", "but"}
            and items[first + at].kind is not ItemKind.QUANTITY
        ):
            if any(out[start:at]):
                out[start:at] = [True] * (at - start)
            start = at + 1
    return out
