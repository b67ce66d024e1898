"""The options of `curation eval run`, and what they ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.errors import CurationError
from curation.evaluation.targets import LONGEST_CALL_S, SHORTEST_CALL_S
from curation.metrics.hits import HitRule

if TYPE_CHECKING:
    from curation.services.running import RunOptions
    from curation.services.targets import NamedTarget

Version = Annotated[
    str | None, typer.Option("--version", metavar="golden/vN", help="The newest if left out.")
]
Golden = Annotated[
    str | None,
    typer.Option(
        "--golden",
        metavar="SET",
        help="A golden set's folder, a golden.jsonl or a git address; the home's if left out.",
    ),
]
RunFile = Annotated[Path | None, typer.Option("--run", metavar="FILE", help="Outputs, one a line.")]
TargetName = Annotated[
    str | None, typer.Option("--target", metavar="MODULE:FUNCTION", help="A Python callable.")
]
Http = Annotated[
    str | None, typer.Option("--http", metavar="URL", help="POST a question, JSON back.")
]
Header = Annotated[
    list[str] | None, typer.Option("--header", help="Sent with each request: 'Name: value'.")
]
PipelineName = Annotated[
    str | None, typer.Option("--pipeline", help="The pipeline's name in the report.")
]
Corpus = Annotated[
    str | None, typer.Option("--corpus-snapshot", help="Which corpus the pipeline searches.")
]
Repeat = Annotated[int, typer.Option("--repeat", min=1, help="How often each case runs.")]
Concurrency = Annotated[int, typer.Option("--concurrency", min=1, help="Calls open at once.")]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout", min=SHORTEST_CALL_S, max=LONGEST_CALL_S, help="Seconds a call may take."
    ),
]
Retries = Annotated[int, typer.Option("--retries", min=0, help="Of a call that failed.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Do not go on where an interrupted run stopped.")
]
FailuresAsWrong = Annotated[
    bool, typer.Option("--failures-as-wrong", help="A failed case counts as the worst one.")
]
HitRuleOption = Annotated[
    HitRule | None,
    typer.Option("--hit-rule", help="By what a hit is evidence.", show_default=False),
]


class WhatToRunError(CurationError):
    """`eval run` was told of no outputs and no pipeline, or of several."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Nothing was run. Give one of --run FILE, --target MODULE:FUNCTION, --http URL."
        )


class HeaderError(CurationError):
    """A header is not written as `Name: value`."""

    exit_status = 2

    def __init__(self, text: str) -> None:
        name = text.partition(":")[0]
        super().__init__(f"The header {name!r} was not sent. Write --header 'Name: value'.")


@dataclass(frozen=True, kw_only=True)
class Calls:
    """How a pipeline is called."""

    concurrency: int
    timeout: float
    retries: int
    repeat: int


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Which pipeline is run, and how."""

    target: str | None
    http: str | None
    headers: Sequence[str]
    pipeline: str | None
    corpus_snapshot: str | None
    fresh: bool
    calls: Calls

    def named_target(self) -> "NamedTarget":
        """Return the target that was asked for.

        Raises:
            TargetError, AddressError: it cannot be found.
            HeaderError: a header has another form.
        """
        from curation.services.targets import http_target, python_target

        if self.http is not None:
            headers = _headers(self.headers)
            found = http_target(self.http, timeout_s=self.calls.timeout, headers=headers)
        else:
            found = python_target(self.target or "", folder=Path.cwd())
        return replace(found, pipeline=self.pipeline) if self.pipeline else found

    def options(self, folder: Path) -> "RunOptions":
        """Return how it is run; what is not finished is kept in `folder`."""
        from curation.evaluation.targets import TargetSettings
        from curation.services.running import RunOptions

        settings = TargetSettings(
            concurrency=self.calls.concurrency,
            timeout_s=self.calls.timeout,
            retries=self.calls.retries,
            repeats=self.calls.repeat,
        )
        return RunOptions(
            settings=settings,
            folder=folder,
            fresh=self.fresh,
            corpus_snapshot=self.corpus_snapshot,
        )


def _headers(texts: Sequence[str]) -> Mapping[str, str]:
    found = {}
    for text in texts:
        name, colon, value = text.partition(":")
        if not colon or not name.strip() or "\n" in text or "\r" in text:
            raise HeaderError(text)
        found[name.strip()] = value.strip()
    return found
