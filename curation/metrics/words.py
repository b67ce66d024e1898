"""Words as facts use them: stems, opposites, and words that are kin."""

from __future__ import annotations

from functools import lru_cache

from curation.metrics.lexicon import (
    COMPLEMENTS,
    EITHER_OR,
    HEDGES,
    IRREGULAR,
    LIGHT_STEMS,
    NEGATIONS,
    NOT_ADVERBS,
    OPPOSITES,
    RELATED,
    SAME,
    STOPWORDS,
    word_set,
)

__all__ = [
    "HEDGES",
    "LIGHT_STEMS",
    "NEGATIONS",
    "STOPWORDS",
    "complement_of",
    "opposite_of",
    "related",
    "stem",
    "without_prefix",
    "word_set",
]

_VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the form that a word's plural, -ed, -ing and -ly forms share, synonyms folded."""
    return _CANONICAL.get(base := _light_stem(word), base)


def _light_stem(word: str) -> str:
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 60 or not word.isascii():
        return word
    word = IRREGULAR.get(word, word)
    word = _without_plural(word)
    word = _without_verb_ending(word)
    return _tidied(word)


def _without_plural(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _without_verb_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ically") and len(word) > 7:
        return word[:-4]
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            return rest if not rest.endswith("e") else word
    if word.endswith("ly") and len(word) > 5 and word not in NOT_ADVERBS:
        return word[:-2]
    return word


def _tidied(word: str) -> str:
    """Return the word without a last silent e or doubled letter, in one spelling of -ise."""
    word = word.replace("isation", "ization")
    if word.endswith(("ise", "is")) and len(word) > 6:
        word = word.removesuffix("e")[:-1] + "z"
    if word.endswith("our") and len(word) > 4:
        word = word[:-3] + "or"
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    return word


_CANONICAL: dict[str, str] = {}
for _group in SAME:
    for _word in _group:
        _CANONICAL.setdefault(_light_stem(_word), _light_stem(_group[0]))


def _opposite_table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in (*EITHER_OR, *OPPOSITES):
        stems = {stem(word) for word in group}
        for one in stems:
            table.setdefault(one, set()).update(stems - {one})
    return {word: frozenset(others) for word, others in table.items()}


_OPPOSITE_TABLE = _opposite_table()
_COMPLEMENT_TABLE = {
    stem(one): stem(two)
    for first, second in COMPLEMENTS
    for one, two in ((first, second), (second, first))
}


def complement_of(word: str) -> str | None:
    """Return the stem that a denial turns a stem into: not enabled is disabled."""
    return _COMPLEMENT_TABLE.get(word)


def opposite_of(word: str) -> frozenset[str]:
    """Return the stems that mean the opposite of a stem."""
    return _OPPOSITE_TABLE.get(word, frozenset())


def _family_table() -> dict[str, frozenset[int]]:
    table: dict[str, set[int]] = {}
    for number, group in enumerate(RELATED):
        for word in group:
            table.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in table.items()}


_FAMILIES = _family_table()
_NO_FAMILY: frozenset[int] = frozenset()


def related(one: str, two: str) -> bool:
    """Return whether two stems look like kin: one begins as the other does, or one family."""
    if one == two:
        return True
    shared = min(len(one), len(two), 5)
    if shared >= 4 and one[:shared] == two[:shared]:
        return True
    return not _FAMILIES.get(one, _NO_FAMILY).isdisjoint(_FAMILIES.get(two, _NO_FAMILY))


_NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "de")


@lru_cache(maxsize=65536)
def without_prefix(word: str) -> str | None:
    """Return what a negative prefix turns around: incompatible gives compatible; else None."""
    for prefix in _NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).removeprefix("-")
        if rest != word and len(rest) >= 4:
            return rest
    return None
