"""A judge on a server that speaks Anthropic's messages protocol."""

from typing import Any

import anthropic

from curation.domain.judging import FailureKind
from curation.judge.clients import Access
from curation.judge.failures import tokens, told_as_calls
from curation.judge.prompts import SCHEMA
from curation.judge.protocol import CallError, Prompt, Reply

__all__ = ["AnthropicClient"]


class AnthropicClient:
    """Calls one model; retries are the runner's, so that each is counted."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._client = anthropic.Anthropic(
            api_key=access.key.secret,
            base_url=access.base_url,
            timeout=access.timeout_s,
            max_retries=0,
        )

    def ask(self, prompt: Prompt) -> Reply:
        """Return the judge's reply to one try.

        Raises:
            CallError: there was none.
        """
        with told_as_calls(anthropic, self._access):
            return _reply(self._client.messages.create(**self._request(prompt)))

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        """Return what is sent; the client's own signature knows no temperature any more."""
        access = self._access
        request: dict[str, Any] = {
            "model": access.model,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "max_tokens": access.max_tokens,
        }
        if access.temperature is not None:
            request["extra_body"] = {"temperature": access.temperature}
        if access.structured:
            request["output_config"] = {"format": {"type": "json_schema", "schema": dict(SCHEMA)}}
        return request

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _reply(given: Any) -> Reply:  # noqa: ANN401 - a server may send anything in the reply's form
    """Return what a server sent, as far as it has the form of a reply."""
    content = getattr(given, "content", None)
    if not isinstance(content, list):
        raise CallError(FailureKind.API, "the server's reply holds no message")
    texts = [part.text for part in content if getattr(part, "type", None) == "text"]
    usage = getattr(given, "usage", None)
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    return Reply(
        text="".join(texts),
        refused=getattr(given, "stop_reason", None) == "refusal",
        model=getattr(given, "model", None),
        input_tokens=sum(tokens(usage, name) for name in ("input_tokens", *cached)),
        output_tokens=tokens(usage, "output_tokens"),
    )
