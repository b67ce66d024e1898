"""What people ask the sample pipelines, and what a right answer would hold.

The truth is never part of the log: it only decides what users do.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from curation.domain.base import Value
from curation.domain.case import Answerable
from curation.sample.documents import WORLD, read_documents
from curation.sample.text import holds

Key = tuple[str, str]  # chunk id and version


class Truth(Value):
    """What the corpus says on a question."""

    answerable: Answerable = Answerable.ANSWERABLE
    required: tuple[tuple[str, ...], ...] = ()  # all of them, each by any of its wordings
    forbidden: dict[str, str] = Field(default_factory=dict)  # version: its value
    declines: tuple[tuple[str, ...], ...] = ()
    gold: tuple[tuple[Key, ...], ...] = ()  # all groups, each by any of its chunks


class Question(Value):
    """One question in its wordings, asked so many times, for one version."""

    id: str
    slice: str
    version: str
    wordings: tuple[str, ...]
    asked: int
    truth: Truth
    said: str
    asks_value: bool
    corrections: tuple[str, ...] = ()
    after: str | None = None
    language: str = "en"

    @property
    def value(self) -> str | None:
        """The one value that a right answer gives; None where a right answer is more than that."""
        return self.truth.required[0][0] if self.asks_value else None

    @property
    def current(self) -> bool:
        """Whether the question names no version and means the newest."""
        return self.version == "newest"


class _Entry(Value):
    """One entry of a question file: a question for each version it is asked for."""

    id: str
    slice: str
    said: str
    asked: dict[str, int]
    wordings: tuple[str, ...]
    chunk: str | None = None
    also: tuple[str, ...] = ()
    value: str | None = None
    unit: str | None = None
    phrase: str = "{value}"
    gold: tuple[str, ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    forbidden: dict[str, str] = Field(default_factory=dict)
    declines: tuple[tuple[str, ...], ...] = ()
    answerable: Answerable = Answerable.ANSWERABLE
    corrections: tuple[str, ...] = ()
    after: str | None = None
    language: str = "en"

    @classmethod
    def read(cls, path: Path) -> Iterator[Self]:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in table["question"]:
            yield cls(**{"slice": table["slice"], **entry})

    def questions(self) -> Iterator[Question]:
        for version, asked in self.asked.items():
            yield Question(
                id=f"{self.id}@{version}",
                slice=self.slice,
                version=version,
                wordings=tuple(_worded(wording, version) for wording in self.wordings),
                asked=asked,
                truth=self._truth(version),
                said=self.said,
                asks_value=self.value is not None,
                corrections=self.corrections,
                after=self.after,
                language=self.language,
            )

    def _truth(self, version: str) -> Truth:
        fixed: dict[str, Any] = {"answerable": self.answerable, "declines": self.declines}
        if self.chunk is None or self.value is None:
            return Truth(
                required=self.required,
                forbidden=self.forbidden,
                gold=tuple((_key(name),) for name in self.gold),
                **fixed,
            )
        document = read_documents()[self.chunk.split("#")[0]]
        meant = document.newest(version)
        by_version = {v: self._told(document.value(self.value, v)) for v in document.versions}
        right = by_version[meant]
        return Truth(
            required=((right,),),
            forbidden={v: told for v, told in by_version.items() if not holds(right, told)},
            gold=(tuple((name, meant) for name in (self.chunk, *self.also)),),
            **fixed,
        )

    def _told(self, value: str) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return self.phrase.format(value=value) + unit


def _key(name: str) -> Key:
    """Return the id and version that `id@version` names."""
    chunk_id, version = name.rsplit("@", 1)
    return chunk_id, version


def _worded(wording: str, version: str) -> str:
    """Return a wording for one version; `{in}` is left out for the newest."""
    asked = "" if version == "newest" else f" in {version}"
    return wording.replace(" {in}", asked).replace("{v}", version)


@cache
def read_questions() -> tuple[Question, ...]:
    """Return all questions in the order of their files."""
    paths = sorted((WORLD / "questions").glob("*.toml"))
    return tuple(q for path in paths for entry in _Entry.read(path) for q in entry.questions())
