"""Corpus search against SQLite's own text search: `python benchmarks/search.py [chunks] [address]`.

Chunks of about 600 characters, their words drawn from 150,000 by Zipf's law, in four versions of
each document. Both engines get the same questions in turns; the last column is their ratio. With
the address of a PostgreSQL its index is measured too.
"""

import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sqlalchemy import create_engine

from curation.corpus import CorpusIndex, PostgresIndex
from curation.domain.chunk import Chunk

SYLLABLES = [first + second for first in "bcdfghklmnprstvz" for second in "aeiou"]
WORDS, LENGTH, PART, EACH = 150_000, 90, 10_000, 60
VERSIONS = ("3.9", "4.0", "4.1", "4.2")
Search = Callable[[str], object]


def vocabulary() -> list[str]:
    chance = random.Random(7)
    found: dict[str, None] = {}
    while len(found) < WORDS:
        found["".join(chance.choices(SYLLABLES, k=chance.randrange(2, 6)))] = None
    return list(found)


def chunks(words: Sequence[str], count: int) -> Iterator[Chunk]:
    dice = np.random.default_rng(7)
    share = np.cumsum(1 / np.arange(2, WORDS + 2) ** 1.05)
    for start in range(0, count, PART):
        size = min(PART, count - start)
        drawn = np.searchsorted(share, dice.random((size, LENGTH)) * share[-1])
        for at, row in enumerate(np.minimum(drawn, WORDS - 1).tolist(), start=start):
            yield Chunk(
                chunk_id=f"c{at // 4}",
                doc_id=f"d{at // 400}",
                doc_version=VERSIONS[at % 4],
                text=" ".join([words[word] for word in row]),
            )


def questions(words: Sequence[str]) -> dict[str, list[str]]:
    """Questions of each kind; a slip takes a letter out of a word that is not the last."""
    chance = random.Random(11)
    rare = lambda: words[chance.randrange(2_000, 60_000)]  # noqa: E731
    often = lambda: words[chance.randrange(20, 400)]  # noqa: E731
    kinds: dict[str, Callable[[], str]] = {
        "one rare word": rare,
        "two words": lambda: f"{rare()} {often()}",
        "five words": lambda: " ".join([often(), rare(), often(), rare(), often()]),
        "a slip": lambda: f"{(w := rare() + often())[:3]}{w[4:]} {often()}",
        "one common word": often,
    }
    return {name: [make() for _ in range(EACH)] for name, make in kinds.items()}


def in_sqlite(path: Path, found: Iterator[Chunk]) -> Search:
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA cache_size=-262144")
    base.execute("CREATE VIRTUAL TABLE chunk USING fts5(text, content='', tokenize='porter')")
    rows = ((at, chunk.text) for at, chunk in enumerate(found, start=1))
    base.executemany("INSERT INTO chunk (rowid, text) VALUES (?, ?)", rows)
    base.commit()
    ask = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT 20"
    return lambda text: base.execute(ask, (" OR ".join(f'"{w}"' for w in text.split()),)).fetchall()


def built(name: str, make: Callable[[], object]) -> None:
    began, used = time.perf_counter(), time.process_time()
    make()
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    print(f"{name}: built in {wall:.0f} s wall, {cpu:.0f} s CPU of this process", flush=True)


def measured(search: Search, asked: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile of the wall time, in milliseconds."""
    taken = []
    for text in asked:
        began = time.perf_counter()
        search(text)
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def compare(engines: dict[str, Search], asked: dict[str, list[str]]) -> None:
    every = {name: [] for name in engines}
    for kind, texts in asked.items():
        line = f"{kind:16}"
        for name, search in engines.items():
            few = texts[: len(texts) // 4] if name == "sqlite" else texts
            search(texts[0])
            median, high = measured(search, few)
            every[name].append((median, high))
            line += f"  {name} {median:8.1f} / {high:8.1f} ms"
        base = every["sqlite"][-1]
        own = every["tantivy"][-1]
        print(f"{line}  ratio {base[0] / own[0]:.0f} / {base[1] / own[1]:.0f}", flush=True)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    words = vocabulary()
    asked = questions(words)
    with TemporaryDirectory() as name:
        folder = Path(name)
        index = CorpusIndex(folder / "index")
        built("tantivy", lambda: index.add(chunks(words, count), position=1))
        engines: dict[str, Search] = {
            "tantivy": index.search,
            "in 4.2": lambda text: index.search(text, doc_version="4.2"),
        }
        if len(sys.argv) > 2:
            own = PostgresIndex(create_engine(sys.argv[2]))
            built("postgresql", lambda: own.rebuild(chunks(words, count), position=1))
            engines["postgresql"] = own.search
        built(
            "sqlite", lambda: engines.update(sqlite=in_sqlite(folder / "s", chunks(words, count)))
        )
        compare(engines, asked)


if __name__ == "__main__":
    main()
