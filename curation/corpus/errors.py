"""What can go wrong with the search index."""

from pathlib import Path

from curation.errors import CurationError


class CorpusIndexError(CurationError):
    """The index on disk cannot be read or written."""

    exit_status = 2

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(
            f"The search index {folder} could not be used: {problem}. "
            "Run `curation corpus index --rebuild`; nothing is lost."
        )


class CorpusBusyError(CurationError):
    """Another process has been writing the index for too long."""

    exit_status = 2

    def __init__(self, folder: Path, seconds: float) -> None:
        super().__init__(
            f"The search index {folder} was not written: another process has been writing it "
            f"for {seconds:.0f} s. Run `curation corpus index` when it is done."
        )
