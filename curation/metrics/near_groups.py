"""Near-duplicate questions put together: banded MinHash proposes, a guard decides.

MinHash after Broder (1997), banding after Leskovec, Rajaraman, Ullman: Mining of Massive Datasets,
chapter 3. Questions that differ in a number, a version or a negation never meet: both are part of
what is hashed. Memory grows by about 100 bytes a question besides the questions themselves.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio

from curation.domain.same_question import may_be_same, sorted_words
from curation.domain.wording import anchors, negated

__all__ = ["near_groups"]

NEAR = 80  # similarity of two questions with their words sorted, of 100
BANDS, ROWS = 16, 2
GRAM = 4  # characters
SEED = 20_261_130
_PART = 20_000
_Hashes = NDArray[np.uint64]
_Places = NDArray[np.int64]


def near_groups(keys: Sequence[str], sizes: Sequence[int] | None = None) -> list[int]:
    """Return for each question the place of the question that stands for it, its own for most.

    The most frequent question of a group stands for it, and every other one may be the same as
    that one: a chain of small steps does not lead from one question to another.

    Args:
        keys: normalised questions, each once.
        sizes: how often each was asked; equal where left out.
    """
    if not keys:
        return []
    plain = [sorted_words(key) for key in keys]
    often = [1] * len(keys) if sizes is None else sizes
    order = np.argsort(np.array(plain, dtype=object), kind="stable").astype(np.int64)
    roots = list(range(len(keys)))
    bands = _bands(keys, plain)
    for band in range(BANDS):
        for one, two in _meeting(bands[band], order):
            _join(roots, one, two, keys, plain)
    return _led([_root(roots, at) for at in range(len(keys))], keys, plain, often)


def _bands(keys: Sequence[str], plain: Sequence[str]) -> _Hashes:
    """Return a hash for each band and question; equal ones are worth a comparison."""
    found = np.empty((BANDS, len(keys)), dtype=np.uint64)
    dice = np.random.default_rng(SEED)
    odd = dice.integers(0, 2**63, size=BANDS * ROWS, dtype=np.uint64) * 2 + 1
    add = dice.integers(0, 2**63, size=BANDS * ROWS, dtype=np.uint64)
    for start in range(0, len(keys), _PART):
        texts = plain[start : start + _PART]
        grams, first = _grams(texts)
        guard = np.array([_guard(key) for key in keys[start : start + _PART]], dtype=np.uint64)
        for band in range(BANDS):
            mixed = guard.copy()
            for row in range(band * ROWS, band * ROWS + ROWS):
                least = np.minimum.reduceat(_spread(grams * odd[row] + add[row]), first)
                mixed = _spread(mixed * np.uint64(0x9E37_79B9_7F4A_7C15) + least)
            found[band, start : start + len(texts)] = mixed
    return found


def _guard(key: str) -> int:
    """Return a hash of what makes similar questions differ: numbers, names and negation."""
    marks = "\0".join(sorted(anchors(key))) + ("\1" if negated(key) else "")
    return zlib.crc32(marks.encode("utf-8", "surrogatepass"))


def _grams(texts: Sequence[str]) -> tuple[_Hashes, _Places]:
    """Return the hashed runs of characters of all texts in a row, and where each text begins."""
    padded = [f" {text} ".ljust(GRAM) for text in texts]
    joined = "".join(padded).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(joined, dtype=np.uint32).astype(np.uint64)
    lengths = np.array([len(text) for text in padded], dtype=np.int64)
    begins = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    hashed = np.zeros(len(codes) - GRAM + 1, dtype=np.uint64)
    for step in range(GRAM):
        hashed = hashed * np.uint64(1_000_003) + codes[step : step + len(hashed)]
    inside = np.ones(len(hashed), dtype=bool)
    for end in (begins[1:] - 1, begins[1:] - 2, begins[1:] - 3):
        inside[end] = False
    counts = lengths - GRAM + 1
    first = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64)
    return hashed[inside], first


def _spread(values: _Hashes) -> _Hashes:
    """Return the values with their bits mixed (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    mixed: _Hashes = values ^ (values >> np.uint64(31))
    return mixed


def _meeting(hashes: _Hashes, order: _Places) -> Iterator[tuple[int, int]]:
    """Yield the questions with an equal hash, each with its neighbour and with the first one.

    In the order of their words neighbours are alike, so a crowded hash costs no more than others.
    """
    placed = order[np.argsort(hashes[order], kind="stable")]
    values = hashes[placed]
    same = np.flatnonzero(values[1:] == values[:-1]) + 1
    head, last = -1, -2
    for at in same.tolist():
        if at != last + 1:
            head = at - 1
        last = at
        yield int(placed[at - 1]), int(placed[at])
        if head != at - 1:
            yield int(placed[head]), int(placed[at])


def _root(roots: list[int], at: int) -> int:
    while roots[at] != at:
        roots[at] = roots[roots[at]]
        at = roots[at]
    return at


def _join(roots: list[int], one: int, two: int, keys: Sequence[str], plain: Sequence[str]) -> None:
    """Put two questions together if they may be the same and are not together yet."""
    first, second = _root(roots, one), _root(roots, two)
    if first != second and _same(one, two, keys, plain):
        roots[max(first, second)] = min(first, second)


def _same(one: int, two: int, keys: Sequence[str], plain: Sequence[str]) -> bool:
    if ratio(plain[one], plain[two], score_cutoff=NEAR) == 0:
        return False
    return may_be_same(keys[one], keys[two])


def _led(
    roots: Sequence[int], keys: Sequence[str], plain: Sequence[str], often: Sequence[int]
) -> list[int]:
    """Return who stands for each question; those that are not like their leader get another."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, root in enumerate(roots):
        members[root].append(at)
    leaders = list(range(len(roots)))
    for group in members.values():
        left = sorted(group, key=lambda at: (-often[at], keys[at]))
        while left:
            leader, *others = left
            left = []
            for at in others:
                if _same(leader, at, keys, plain):
                    leaders[at] = leader
                else:
                    left.append(at)
    return leaders
