"""How the configured judge is called, and what is needed to reach it."""

from curation.config import JudgeSettings, judge_base_url, judge_key, judge_key_name
from curation.domain.judging import PROXY
from curation.judge import PROMPT_VERSION, Access, Client, open_client
from curation.judge.clients import Key, Provider
from curation.services.judge_errors import NoKeyError, NoModelError, ProxyOptionError

PROXY_VERSION = "proxy-1"
_OWN = {
    Provider.OPENAI: "https://api.openai.com/v1",
    Provider.ANTHROPIC: "https://api.anthropic.com",
}
_NO_KEY = "no-key-needed"


def judge_name(settings: JudgeSettings) -> str:
    """Return the name that scores carry: `proxy`, or the provider and the model."""
    if settings.provider == PROXY:
        return PROXY
    return f"{settings.provider}/{settings.model}"


def prompt_version(settings: JudgeSettings) -> str:
    """Return the version of the prompts, or of the rules of the proxy."""
    return PROXY_VERSION if settings.provider == PROXY else PROMPT_VERSION


def access_for(settings: JudgeSettings) -> Access | None:
    """Return how the judge is reached; None for the proxy, which asks nobody.

    Another server than the provider's own may need no key.

    Raises:
        NoModelError, NoKeyError: something is missing.
    """
    if settings.provider == PROXY:
        return None
    provider = Provider(settings.provider)
    if not settings.model:
        raise NoModelError(provider.value)
    given = settings.base_url or judge_base_url(provider.value)
    address = (given or _OWN[provider]).rstrip("/")
    own_server = address != _OWN[provider]
    if provider is Provider.ANTHROPIC:
        address = address.removesuffix("/v1")
    key = judge_key(provider.value)
    if key is None and not own_server:
        raise NoKeyError(provider.value, judge_key_name(provider.value))
    return Access(
        provider=provider,
        model=settings.model,
        base_url=address,
        key=Key(key or _NO_KEY),
        timeout_s=settings.timeout_s,
        max_tokens=settings.max_tokens,
        structured=settings.structured,
        temperature=0 if settings.send_temperature else None,
        own_server=own_server,
    )


def check_options(settings: JudgeSettings, *, model: str | None, base_url: str | None) -> None:
    """Refuse options of a network judge for the proxy.

    Raises:
        ProxyOptionError: one was given.
    """
    given = {"--model": model, "--base-url": base_url}
    if settings.provider == PROXY:
        for option, value in given.items():
            if value is not None:
                raise ProxyOptionError(option)


def open_judge(access: Access) -> Client:
    """Return the client of the judge.

    Raises:
        MissingClientError: its package is not installed.
    """
    return open_client(access)
