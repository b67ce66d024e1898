"""The bytes of a file, plain or gzip, and its lines, in bounded memory."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from curation.importers.errors import UnreadableFileError

BLOCK = 1 << 18
LONGEST_LINE = 1 << 26
GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; `number` begins with 1.

    `whole` is False for a last line without an end, `too_long` for one that is not kept.
    """

    number: int
    data: bytes
    whole: bool = True
    too_long: bool = False


class CutShortError(Exception):
    """A compressed file ends before its end, or is damaged; what came before was given."""


def open_file(path: Path) -> BinaryIO:
    """Return the opened file.

    Raises:
        UnreadableFileError: it does not exist, is a folder, or may not be read.
    """
    try:
        return path.open("rb")
    except OSError as problem:
        raise UnreadableFileError(path, problem.strerror or str(problem)) from problem


def head(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of what the file holds, unpacked, without a byte order mark."""
    found = b""
    try:
        for block in blocks(path):
            found += block
            if len(found) >= size:
                break
    except CutShortError:
        pass
    return found.removeprefix(UTF8_MARK)[:size]


def blocks(path: Path) -> Iterator[bytes]:
    """Return what the file holds, unpacked, block by block.

    Raises:
        CutShortError: after the last good byte of a damaged or cut gzip file.
    """
    with open_file(path) as file:
        packed = file.read(2) == GZIP
        file.seek(0)
        if packed:
            yield from _unpacked(file)
            return
        while block := file.read(BLOCK):
            yield block


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    """Return the bytes of all members of a gzip file."""
    unpack = zlib.decompressobj(wbits=31)
    waiting = file.read(BLOCK)
    begun = False
    while waiting:
        begun = True
        try:
            data = unpack.decompress(waiting, BLOCK)
        except zlib.error as problem:
            raise CutShortError(str(problem)) from problem
        if data:
            yield data
        if unpack.eof:
            waiting = (unpack.unused_data or file.read(BLOCK)).lstrip(b"\0")
            unpack, begun = zlib.decompressobj(wbits=31), False
        else:
            waiting = unpack.unconsumed_tail or file.read(BLOCK)
    if begun:
        rest = unpack.flush()
        if rest:
            yield rest
        raise CutShortError("it ends before its end")


def lines(path: Path) -> Iterator[Line]:
    """Return the lines of a file, split on LF only, without CR at the end and without the mark.

    Raises:
        CutShortError: as `blocks`, after the last whole line.
    """
    number = 0
    rest = bytearray()
    dropped = False
    first = True
    for block in blocks(path):
        if first:
            block, first = block.removeprefix(UTF8_MARK), False  # noqa: PLW2901 - the mark is no text
        *ended, tail = block.split(b"\n")
        for part in ended:
            number += 1
            rest += part
            data = b"" if dropped else bytes(rest)
            yield Line(number, data.removesuffix(b"\r"), too_long=dropped)
            rest.clear()
            dropped = False
        if not dropped:
            rest += tail
            dropped = len(rest) > LONGEST_LINE
        if dropped:
            rest.clear()
    if rest or dropped:
        yield Line(number + 1, bytes(rest).removesuffix(b"\r"), whole=False, too_long=dropped)
