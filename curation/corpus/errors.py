"""What can go wrong with the search index."""

from pathlib import Path

from curation.errors import CurationError


class CorpusIndexError(CurationError):
    """The index on disk cannot be read or written."""

    exit_status = 2

    def __init__(self, folder: Path | str, problem: str) -> None:
        super().__init__(
            f"The search index {folder} could not be used: {problem}. "
            "Run `curation corpus index --rebuild`; nothing is lost."
        )


class CorpusBusyError(CurationError):
    """Another process has been writing the index for too long."""

    exit_status = 2

    def __init__(self, folder: Path | str, seconds: float) -> None:
        super().__init__(
            f"The search index {folder} was not written: another process has been writing it "
            f"for {seconds:.0f} s. Run `curation corpus index` when it is done."
        )


class SearchEngineError(CurationError):
    """The team's own search engine did not do what it is asked."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"Nothing was searched with the engine {where}: {problem}. "
            "Look at [search] in curation.toml, or ask those who run the engine."
        )
