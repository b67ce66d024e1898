"""The documentation of the sample world: one text per document, its values per version.

A document is a Markdown file with a TOML head. `[[name]]` stands for the value of the version at
hand; a heading `## Title {#anchor, 4.0+}` or a line `@3.9,4.0 text` belongs to these versions only.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from curation.domain.base import Value
from curation.domain.chunk import Chunk

WORLD = Path(__file__).parent / "world"
RELEASES = ("3.9", "4.0", "4.2")
EDITIONS = ("2025", "2026")
NEWEST = frozenset({RELEASES[-1], EDITIONS[-1]})

_HEADING = re.compile(r"^## (?P<title>.+?) \{#(?P<anchor>[a-z0-9-]+)(?:, (?P<only>[^}]+))?\}$")
_ONLY = re.compile(r"^@(?P<only>[0-9.,]+\+?) (?P<text>.*)$")
_VALUE = re.compile(r"\[\[(?P<name>[a-z0-9_]+)\]\]")


class Document(Value):
    """A document in all of its versions."""

    id: str
    title: str
    category: str
    family: str
    versions: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    body: str

    def value(self, name: str, version: str) -> str:
        """Return the value that one version gives."""
        return self.values[name][self.versions.index(version)]

    def newest(self, version: str) -> str:
        """Return the version itself, or the newest one for `newest`."""
        return self.versions[-1] if version == "newest" else version

    def chunks(self, version: str) -> tuple[Chunk, ...]:
        """Return the sections of one version, each a chunk."""
        return tuple(
            Chunk(
                chunk_id=f"{self.id}#{section.anchor}",
                doc_id=self.id,
                doc_version=version,
                title=f"{self.title}: {section.title}",
                text=f"## {section.title}\n\n{self._filled(section.text, version)}",
                category=self.category,
                doc_family=self.family,
            )
            for section in _sections(self.body, version)
        )

    def _filled(self, text: str, version: str) -> str:
        return _VALUE.sub(lambda found: self.value(found["name"], version), text)


class _Section(Value):
    title: str
    anchor: str
    text: str


def _in_version(only: str | None, version: str) -> bool:
    """Return whether `4.0+`, `3.9,4.0` or nothing includes the version."""
    if only is None:
        return True
    if only.endswith("+"):
        return RELEASES.index(version) >= RELEASES.index(only[:-1])
    return version in only.split(",")


def _lines(block: list[str], version: str) -> Iterator[str]:
    """Yield the lines of a section that belong to the version."""
    for line in block:
        marked = _ONLY.match(line)
        if marked is None:
            yield line
        elif _in_version(marked["only"], version):
            yield marked["text"]


def _flowed(lines: Iterator[str]) -> str:
    """Return the lines as Markdown: prose joined to paragraphs, tables and code kept."""
    shown: list[str] = []
    fenced = False
    for line in lines:
        fence = line.startswith("```")
        kept = fenced or fence or not line or line.startswith("|")
        fenced ^= fence
        if kept or not shown or not shown[-1] or shown[-1].startswith(("|", "```")):
            shown.append(line)
        else:
            shown[-1] = f"{shown[-1]} {line}"
    return "\n".join(shown).strip()


def _sections(body: str, version: str) -> Iterator[_Section]:
    """Yield the sections of a document that the version has, in order."""
    for part in re.split(r"^(?=## )", body, flags=re.MULTILINE)[1:]:
        first, *rest = part.split("\n")
        heading = _HEADING.match(first)
        if heading is None or not _in_version(heading["only"], version):
            continue
        yield _Section(
            title=heading["title"],
            anchor=heading["anchor"],
            text=_flowed(_lines(rest, version)),
        )


def _read(path: Path) -> Document:
    _, head, body = path.read_text(encoding="utf-8").split("+++\n", 2)
    return Document(**tomllib.loads(head), body=body)


@cache
def read_documents() -> dict[str, Document]:
    """Return all documents by id, sorted."""
    documents = sorted((_read(path) for path in WORLD.glob("docs/*/*.md")), key=lambda d: d.id)
    return {document.id: document for document in documents}


@cache
def read_chunks() -> tuple[Chunk, ...]:
    """Return the corpus in the order of a crawl, which begins with the newest versions."""
    return tuple(
        chunk
        for version in sorted(RELEASES + EDITIONS, key=_age)
        for document in read_documents().values()
        if version in document.versions
        for chunk in document.chunks(version)
    )


def _age(version: str) -> int:
    """Return how many releases or editions have come since."""
    family = RELEASES if version in RELEASES else EDITIONS
    return len(family) - family.index(version)


@cache
def chunk_texts() -> dict[tuple[str, str | None], str]:
    """Return the text of each chunk by id and version."""
    return {chunk.key: chunk.text for chunk in read_chunks()}
