"""Why a judge was not asked, or why its run says that it failed."""

from curation.errors import CurationError


class NoModelError(CurationError):
    """A judge over the network has no model."""

    exit_status = 2

    def __init__(self, provider: str) -> None:
        super().__init__(
            f"Nothing was judged: no model is named for {provider}. "
            "Give --model, or write `model` under [judge] in curation.toml."
        )


class NoKeyError(CurationError):
    """A provider's key is not in the environment."""

    exit_status = 2

    def __init__(self, provider: str, variable: str) -> None:
        super().__init__(
            f"Nothing was judged: {provider} needs a key. Set {variable} in the environment."
        )


class ProxyOptionError(CurationError):
    """The proxy was given an option of a judge that is asked over the network."""

    exit_status = 2

    def __init__(self, option: str) -> None:
        super().__init__(
            f"Nothing was judged: the proxy asks no model, so that {option} means nothing. "
            "Leave it out, or name a judge with --judge."
        )


class NoPriceError(CurationError):
    """A cost limit was given and no price is known."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Nothing was judged: --max-cost needs prices. Write input_price and output_price "
            "(per million tokens) under [judge] in curation.toml, or use --max-calls."
        )


class SampleAndLimitError(CurationError):
    """A sample was asked for together with a limit."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Nothing was judged: with --limit the answers of --sample would no longer be a sample. "
            "Give one of the two."
        )


class NotAnswersError(CurationError):
    """An option that is about stored answers was given with the outputs of a run."""

    exit_status = 2

    def __init__(self, option: str) -> None:
        super().__init__(
            f"Nothing was judged: {option} is about stored answers, and --run scores all outputs "
            "of a run. Leave one of them out."
        )


class AllFailedError(CurationError):
    """A judge gave not one score."""

    def __init__(self, failed: int, kinds: str, last: str) -> None:
        why = f" The last one: {last.rstrip('.')}." if last else ""
        super().__init__(
            f"All {failed} scores failed ({kinds}).{why} They are kept as failed. "
            "Correct the cause and run again with --failed."
        )


class JudgeFailingError(CurationError):
    """A judge gave nothing any more, so that the rest was not asked."""

    def __init__(self, last: str, left: int) -> None:
        super().__init__(
            f"The judge stopped answering: {last.rstrip('.')}. {left} were not judged. "
            "Correct the cause and run again."
        )
