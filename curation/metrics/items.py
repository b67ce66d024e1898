"""A text read into items: words, quantities, identifiers, signs and line ends, in order."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from curation.metrics.anchors import Quantity, QuantityKind, in_unit
from curation.metrics.dates import DATE_STARTS, read_date, read_time
from curation.metrics.lexicon import word_set
from curation.metrics.normalise import Folded, fold
from curation.metrics.numerals import ORDINAL_WORDS, Numeral
from curation.metrics.quantity_reader import NUMBER_STARTS, Reading, read_number
from curation.metrics.relations import with_relations
from curation.metrics.tokens import Token, TokenKind, split_tokens
from curation.metrics.words import STOPWORDS, stem

if TYPE_CHECKING:
    from curation.metrics.units import Unit

__all__ = [
    "VERSION_WORDS",
    "Item",
    "ItemKind",
    "Reader",
    "quantities",
    "read_items",
    "without_citations",
]


class ItemKind(StrEnum):
    """What an item is to the matcher."""

    WORD = "word"
    QUANTITY = "quantity"
    IDENT = "ident"
    SCRIPT = "script"
    PUNCT = "punct"
    BREAK = "break"


class Item(NamedTuple):
    """One item; `start` and `end` count folded characters, `stem` is set for words."""

    kind: ItemKind
    text: str
    start: int
    end: int
    stem: str = ""
    quantity: Quantity | None = None
    proper: bool = False


_CITATION = re.compile(r"\[\^?\d{1,3}(?:\s*[,;-]\s*\^?\d{1,3})*\]|\u3010[^\u3011\n]{1,40}\u3011")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*(?:\(?\d{1,3}[.)]|[ivx]{1,4}[.)])(?=[ \t])")


def quantities(text: str) -> tuple[Quantity, ...]:
    """Return every number, version, date and time of the text, in order."""
    return tuple(
        item.quantity
        for item in read_items(text)[1]
        if item.quantity is not None and item.quantity.kind is not QuantityKind.TRUTH
    )


def read_items(text: str, *, plain: bool = False) -> tuple[Folded, tuple[Item, ...]]:
    """Return the folded text and its items.

    Args:
        text: The text as given.
        plain: Leave out citation markers and list numbers: they say nothing.
    """
    folded = fold(text)
    flat = folded.text
    if plain:
        flat = without_citations(flat)
        flat = _LIST_NUMBER.sub(_without_number, flat)
    items = Reader(text, folded, split_tokens(flat)).items()
    return folded, tuple(with_relations(items))


def without_citations(text: str) -> str:
    """Return the text with its citation markers blanked out."""
    return _CITATION.sub(lambda match: " " * len(match[0]), text)


def _without_number(match: re.Match[str]) -> str:
    """Blank out a list number, keeping a sign that a list item begins here."""
    kept = "\n" if match[0].startswith("\n") else ""
    return kept + " " * (len(match[0]) - len(kept) - 1) + "\u2022"


VERSION_WORDS = frozenset({"version", "versions", "release", "releases", "ver", "v"})
_NAMING = frozenset(
    {
        "in",
        "since",
        "from",
        "until",
        "before",
        "after",
        "to",
        "through",
        "for",
        "on",
        "with",
        "and",
        "or",
        "than",
    }
)
_TRUTHS = frozenset({"true", "false"})


_BEFORE_STATE = word_set("is are be was were = : turned turn switched default defaults to")
_PLAIN_KINDS = {
    TokenKind.WORD: ItemKind.WORD,
    TokenKind.SCRIPT: ItemKind.SCRIPT,
    TokenKind.PUNCT: ItemKind.PUNCT,
}
_ON_OFF = frozenset({"on", "off"})
_NO_QUANTITY = frozenset({TokenKind.PUNCT, TokenKind.FLAG, TokenKind.SCRIPT})
_LONG_WORD = 4  # in capitals too, so that a name is no longer told by them
_make = tuple.__new__  # spares a word the call that fills in what is left out
_STARTS = NUMBER_STARTS | DATE_STARTS | ORDINAL_WORDS.keys() | _TRUTHS
# Names that in small letters are words without meaning: the US, the IT team, the WHO.
_NAMES = frozenset({"us", "it", "who"})
_NOT_PLAIN = _STARTS | _ON_OFF | _NAMES | {"a"}


class _Draft(NamedTuple):
    """A quantity read from tokens first to last - 1, before it is placed in the text."""

    first: int
    last: int
    kind: QuantityKind
    keys: frozenset[str] = frozenset()
    values: frozenset[Fraction] = frozenset()
    weak: frozenset[Fraction] = frozenset()
    unit: Unit | None = None
    numeral: Numeral | None = None
    version_key: str = ""
    exact: bool = False
    soft: bool = False


class Reader:
    """Reads tokens into items, one step at a time."""

    def __init__(self, text: str, folded: Folded, tokens: list[Token]) -> None:
        self.text = text
        self.folded = folded
        self.tokens = [self._millions(token) if token.suffix else token for token in tokens]
        self.out: list[Item] = []

    def items(self) -> list[Item]:
        """Return the items of all tokens."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            small = token.text not in _NOT_PLAIN or self._is_small_name(token)
            if token.kind is TokenKind.WORD and small:
                self._word(token)
                at += 1
            else:
                at = self._step(at)
        return self.out

    def _word(self, token: Token) -> None:
        """Add a word that begins nothing else: most of a text."""
        _, text, start, end, _ = token
        proper = self.text[self.folded.starts[start]].isupper()
        self.out.append(_make(Item, (ItemKind.WORD, text, start, end, stem(text), None, proper)))

    def _is_small_name(self, token: Token) -> bool:
        """Return whether a word that may be a name begins with a small letter: most of them."""
        return token.text in _NAMES and self.text[self.folded.starts[token.start]].islower()

    def _millions(self, token: Token) -> Token:
        """Return 2M as two million; 2m stays metres."""
        if token.suffix == "m" and self.text[self.folded.ends[token.end - 1] - 1] == "M":
            return token._replace(suffix="mn")
        return token

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        if token.text == "\n":
            self.out.append(Item(ItemKind.BREAK, "\n", token.start, token.end))
            return at + 1
        if token.kind in _NO_QUANTITY or (
            token.kind is TokenKind.WORD and token.text not in _STARTS
        ):
            return self._plain(at)
        return self._quantity(at) or self._plain(at)

    def _quantity(self, at: int) -> int:
        """Read a quantity and return the token after it; 0 where there is none."""
        draft = self._named(at) or self._number(at)
        if draft is None:
            return 0
        self._put(draft)
        return draft.last

    def _named(self, at: int) -> _Draft | None:
        """Return the version, date, time, ordinal or truth value at a token."""
        token = self.tokens[at]
        if token.kind is TokenKind.VERSION or _is_dotted(token):
            return self._version(at, at + 1, token.text)
        if token.text in _TRUTHS and not self._is_followed_by(at, "that"):
            return _Draft(at, at + 1, QuantityKind.TRUTH, keys=frozenset({token.text}))
        if token.text in ORDINAL_WORDS:
            value = frozenset({Fraction(ORDINAL_WORDS[token.text])})
            return _Draft(at, at + 1, QuantityKind.ORDINAL, values=value, soft=True)
        date = read_date(self.tokens, at, self._is_upper)
        if date is not None:
            return _Draft(at, date[1], QuantityKind.DATE, keys=date[0])
        clock = read_time(self.tokens, at)
        if clock is not None:
            return _Draft(at, clock[1], QuantityKind.TIME, keys=clock[0])
        return None

    def _is_followed_by(self, at: int, text: str) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].text == text

    def _is_upper(self, at: int) -> bool:
        start = self.folded.starts[self.tokens[at].start]
        return self.text[start : start + 1].isupper()

    @staticmethod
    def _version(first: int, last: int, name: str) -> _Draft:
        key = name.removeprefix("v").removesuffix(".x")
        return _Draft(
            first,
            last,
            QuantityKind.VERSION,
            keys=frozenset({key}),
            values=_version_values(key),
            exact=True,
        )

    def _number(self, at: int) -> _Draft | None:
        reading = read_number(self.tokens, at)
        if reading is None:
            return None
        if reading.suffix in {"st", "nd", "rd", "th"}:
            values = reading.numeral.strong
            return _Draft(at, reading.last, QuantityKind.ORDINAL, values=values)
        if self._follows_version_word(reading):
            return self._version(reading.first, reading.last, self.tokens[at].text)
        return self._plain_number(reading)

    def _follows_version_word(self, reading: Reading) -> bool:
        at = reading.first
        token = self.tokens[at]
        if not at or token.kind is not TokenKind.NUMBER or reading.unit or "," in token.text:
            return False
        before = self.tokens[at - 1].text
        if before == "." and at > 1:
            before = self.tokens[at - 2].text
        return before in VERSION_WORDS

    def _plain_number(self, reading: Reading) -> _Draft:
        strong, weak = in_unit(reading.numeral, reading.unit)
        if len(strong) > 1 and reading.unit is not None and reading.unit.dimension.isupper():
            strong, weak = frozenset({max(strong)}), weak | {min(strong)}
        token = self.tokens[reading.first]
        bare = token.kind is TokenKind.NUMBER and reading.unit is None and not reading.scaled
        return _Draft(
            reading.first,
            reading.last,
            QuantityKind.NUMBER,
            values=strong,
            weak=weak,
            unit=reading.unit,
            numeral=reading.numeral,
            version_key=token.text if bare and _BARE_NUMBER.fullmatch(token.text) else "",
            soft=reading.spelled and reading.numeral.strong == {1},
        )

    def _put(self, draft: _Draft) -> None:
        """Add a quantity; a currency sign before it, read as an item before, becomes part of it."""
        start, end = self.tokens[draft.first].start, self.tokens[draft.last - 1].end
        while self.out and self.out[-1].start >= start:
            self.out.pop()
        span = self.folded.span(start, end)
        quantity = Quantity(
            text=self.text[span[0] : span[1]],
            span=span,
            kind=draft.kind,
            values=draft.values,
            weak=draft.weak,
            keys=draft.keys,
            unit=draft.unit.name if draft.unit else None,
            dimension=draft.unit.dimension if draft.unit else None,
            numeral=draft.numeral,
            exact=draft.exact,
            soft=draft.soft,
            named=draft.exact or self._is_named(draft.first, draft.version_key),
            version_key=draft.version_key,
        )
        text = self.folded.text[start:end]
        self.out.append(Item(ItemKind.QUANTITY, text, start, end, quantity=quantity))

    def _is_named(self, at: int, key: str) -> bool:
        """Return whether a number with one dot may be a version: etcd 3.3, in 3.3."""
        if "." not in key or not at:
            return False
        before = self.tokens[at - 1]
        if before.kind is TokenKind.IDENT or before.text in _NAMING:
            return True
        return before.kind is TokenKind.WORD and before.text not in STOPWORDS

    def _is_state(self, at: int) -> bool:
        """Return whether `on` or `off` is what something is: it is on by default."""
        before = self.tokens[at - 1].text if at else ""
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        ends = (
            after is None
            or after.kind is TokenKind.PUNCT
            or after.text in {"by", "and", "or", "in"}
        )
        return ends and (before in _BEFORE_STATE or (not at and after is None))

    def _is_shouted(self, at: int) -> bool:
        """Return whether a token is a word in capitals."""
        if not 0 <= at < len(self.tokens) or self.tokens[at].kind is not TokenKind.WORD:
            return False
        span = self.folded.span(self.tokens[at].start, self.tokens[at].end)
        return len(self.tokens[at].text) > 1 and self.text[span[0] : span[1]].isupper()

    def _is_name(self, at: int) -> bool:
        """Return whether an A names something: it is no article within or before the end."""
        if not self._is_upper(at) or self._is_shouted(at + 1) or self._is_shouted(at - 1):
            return False
        last = at + 1 >= len(self.tokens) or self.tokens[at + 1].kind is TokenKind.PUNCT
        inner = at > 0 and self.tokens[at - 1].kind is TokenKind.WORD
        return last or inner or self.tokens[at + 1].text in {"and", "or", "is", "costs", "to"}

    def _is_capital_name(self, at: int) -> bool:
        """Return whether a token is a name in capitals in a text that is not all in capitals."""
        around = [near for near in (at - 2, at - 1, at + 1, at + 2) if self._is_shouted(near)]
        words = [self.tokens[near].text for near in around]
        return self._is_shouted(at) and not any(
            len(word) >= _LONG_WORD or (word in STOPWORDS and word not in _NAMES) for word in words
        )

    def _has_meaning(self, at: int, text: str) -> bool:
        """Return whether a word that mostly means nothing by itself means something here."""
        if text == "a":
            return self._is_name(at)
        if text in _NAMES:
            return self._is_capital_name(at)
        return text in _ON_OFF and self._is_state(at)

    def _plain(self, at: int) -> int:
        token = self.tokens[at]
        kind = _PLAIN_KINDS.get(token.kind, ItemKind.IDENT)
        text = token.text + token.suffix
        if self._has_meaning(at, text):
            text = text.upper()
        key, proper = "", False
        if kind is ItemKind.WORD:
            key, proper = stem(text), self._is_upper(at)
        elif kind is ItemKind.IDENT:
            key = text.lstrip("-")
        self.out.append(Item(kind, text, token.start, token.end, key, None, proper))
        return at + 1


_SHORT_VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6})?")


@lru_cache(maxsize=4096)
def _version_values(key: str) -> frozenset[Fraction]:
    """Return the number that a short version looks like."""
    return frozenset({Fraction(key)} if _SHORT_VERSION.fullmatch(key) else ())


_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}")


def _is_dotted(token: Token) -> bool:
    """Return whether a number is a version such as 5.0.3, and no grouped one such as 1.250.000."""
    if token.kind is not TokenKind.NUMBER or token.suffix or token.text.count(".") < 2:
        return False
    return _DOTTED.fullmatch(token.text) is not None and _GROUPED.fullmatch(token.text) is None
