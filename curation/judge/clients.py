"""Opening a provider's own client, from what the configuration says."""

from dataclasses import dataclass
from enum import StrEnum

from curation.errors import CurationError
from curation.judge.protocol import Client


class Provider(StrEnum):
    """Whose protocol a judge speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class MissingClientError(CurationError):
    """A provider's client is not installed."""

    exit_status = 2

    def __init__(self, package: str) -> None:
        super().__init__(
            f"Nothing was judged: the package {package} is not installed. "
            "Run `pip install 'curation[judge]'`."
        )


@dataclass(frozen=True, kw_only=True)
class Access:
    """How a judge is reached. The key is never shown.

    Args:
        provider: whose protocol.
        model: the pinned model.
        base_url: where the server is.
        key: the key, from the environment.
        timeout_s: seconds until a try counts as failed.
        max_tokens: the most tokens of a reply.
        structured: ask the server for a reply of the schema's form.
        temperature: what is sent; None sends none, for models that refuse it.
        own_server: whether it is another server than the provider's own.
    """

    provider: Provider
    model: str
    base_url: str
    key: "Key"
    timeout_s: float = 60
    max_tokens: int = 300
    structured: bool = True
    temperature: float | None = 0
    own_server: bool = False


@dataclass(frozen=True, repr=False)
class Key:
    """A key that shows itself to nobody who prints it."""

    secret: str

    def __repr__(self) -> str:
        """Return a name for it."""
        return "Key(hidden)"


def open_client(access: Access) -> Client:
    """Return the client of a provider.

    Raises:
        MissingClientError: its package is not installed.
    """
    if access.provider is Provider.ANTHROPIC:
        try:
            from curation.judge.anthropic_client import AnthropicClient  # noqa: PLC0415 - optional
        except ImportError as problem:
            raise MissingClientError("anthropic") from problem
        return AnthropicClient(access)
    try:
        from curation.judge.openai_client import OpenAIClient  # noqa: PLC0415 - optional
    except ImportError as problem:
        raise MissingClientError("openai") from problem
    return OpenAIClient(access)
