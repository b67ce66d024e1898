"""The history pass: each commit judged by what its parent says, while git still reads.

Freeze, approvals, trailers and ids are judged here. What the cases say is not: of the files that a
commit wrote, only policies, mailmaps and the records of experiments are read.
"""

from collections.abc import Generator
from typing import NamedTuple

from curation.golden.chain import Chain, Judged
from curation.golden.location import OpenGolden
from curation.golden.log import stream_log
from curation.golden.objects import ObjectReader
from curation.golden.record import Commit


class Step(NamedTuple):
    """One commit and what was judged of it; None before there is a set."""

    commit: Commit
    judged: Judged | None


def history_pass(
    golden: OpenGolden, reader: ObjectReader, chain: Chain, tip: str, *, after: str | None = None
) -> Generator[Step, None, None]:
    """Yield the commits up to `tip` with what the chain says of them, oldest first.

    Args:
        golden: the repository.
        reader: of its objects.
        chain: what is known before the first of them; it is moved along.
        tip: the id of the newest commit.
        after: the id of the commit after which to begin; None: the beginning.
    """
    for commit in stream_log(golden, tip, after=after):
        yield Step(commit, chain.take(commit, reader.content))
