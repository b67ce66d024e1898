"""Sentences, quantities and versions in the texts of the sample world."""

import re
import unicodedata
from collections.abc import Iterator

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])")
_ROW = re.compile(r"^\|(?P<cells>.+)\|$")
_MARKER = re.compile(r"\s*\[\d+\]")
_THOUSANDS = re.compile(r"(?<=\d)[ ,](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_DURATION = re.compile(
    r"(?<![\d.])(?P<number>\d+(?:\.\d+)?)[ -]?"
    r"(?P<unit>s|sec|seconds?|min|minutes?|h|hours?)(?![a-z])"
)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_VERSION = re.compile(r"(?<![\d.,$])v?(?P<version>[34]\.\d|202[56])(?![\d]|[.,]\d)", re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown text; a table row reads `Header: cell; Header: cell`."""
    fenced = False
    header: list[str] = []
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        row = _ROW.match(line)
        if row is None:
            header = []
        if fenced or not line or line.startswith(("#", "```")):
            continue
        if row is None:
            yield from _SENTENCE_END.split(line)
            continue
        cells = [cell.strip() for cell in row["cells"].split("|")]
        if not header:
            header = cells
        elif set("".join(cells)) != {"-"}:
            yield "; ".join(f"{n}: {c}" for n, c in zip(header, cells, strict=True) if c) + "."


def without_markers(text: str) -> str:
    """Return the answer without its citation markers."""
    return _MARKER.sub("", text)


def plain(text: str) -> str:
    """Return the text as values are looked up in it: one case, one space, no thousands signs.

    Durations become seconds, so that `5 minutes` equals `300 s`.
    """
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return _DURATION.sub(_in_seconds, _THOUSANDS.sub("", text))


def _in_seconds(found: re.Match[str]) -> str:
    return f"{float(found['number']) * _SECONDS[found['unit'][0]]:g} s"


def holds(text: str, value: str) -> bool:
    """Return whether the text holds the value as whole tokens: `10 s` is not in `110 s`."""
    wanted = plain(value)
    pattern = rf"(?<![\w.$]){re.escape(wanted)}(?![\w%]|[.,]\d)"
    if not wanted[:1].isalnum():
        pattern = rf"{re.escape(wanted)}(?!\w|[.,]\d)"
    return re.search(pattern, plain(text)) is not None


def quantities(text: str) -> tuple[str, ...]:
    """Return the numbers of a text in order, each once; a duration counts in seconds."""
    shown = plain(without_markers(text))
    return tuple(dict.fromkeys(_NUMBER.findall(shown)))


def versions_in(text: str) -> tuple[str, ...]:
    """Return the releases and editions that a text names, in order, each once."""
    return tuple(dict.fromkeys(found["version"] for found in _VERSION.finditer(text)))
