"""What every judge over the network does: one prompt in, one reply out."""

from dataclasses import dataclass
from typing import Protocol

from curation.domain.judging import FailureKind


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One question to a judge."""

    system: str
    user: str

    @property
    def characters(self) -> int:
        """How long it is."""
        return len(self.system) + len(self.user)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a judge said, and what it took."""

    text: str
    refused: bool = False
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class CallError(Exception):
    """A call that brought no reply.

    Args:
        kind: the kind of failure.
        said: what the server or the client says, without the key.
        again: whether trying again may help.
        refused: whether the server refuses the key, the model or the address.
        pause: seconds that the server asks to wait.
    """

    def __init__(
        self,
        kind: FailureKind,
        said: str,
        *,
        again: bool = False,
        refused: bool = False,
        pause: float | None = None,
    ) -> None:
        self.kind, self.said = kind, said
        self.again, self.refused, self.pause = again, refused, pause
        super().__init__(said)


class Client(Protocol):
    """A provider's client. Safe to use from several threads at once."""

    def ask(self, prompt: Prompt) -> Reply:
        """Return the judge's reply to one try.

        Raises:
            CallError: there was none.
        """

    def close(self) -> None:
        """Close the connections."""
