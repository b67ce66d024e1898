"""A judge on any server that speaks OpenAI's chat protocol."""

from typing import Any

import openai

from curation.domain.judging import FailureKind
from curation.judge.clients import Access
from curation.judge.failures import tokens, told_as_calls
from curation.judge.prompts import SCHEMA
from curation.judge.protocol import CallError, Prompt, Reply

__all__ = ["OpenAIClient"]


class OpenAIClient:
    """Calls one model; retries are the runner's, so that each is counted."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._client = openai.OpenAI(
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
        with told_as_calls(openai, self._access):
            return _reply(self._client.chat.completions.create(**self._request(prompt)))

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        """Return what is sent; the provider's newer models know the limit under a newer name."""
        access = self._access
        limit = "max_tokens" if access.own_server else "max_completion_tokens"
        request: dict[str, Any] = {
            "model": access.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            limit: access.max_tokens,
        }
        if access.temperature is not None:
            request["temperature"] = access.temperature
        if access.structured:
            form = {"name": "grade", "strict": True, "schema": dict(SCHEMA)}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        return request

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _reply(given: Any) -> Reply:  # noqa: ANN401 - a server may send anything in the reply's form
    """Return what a server sent, as far as it has the form of a reply."""
    choices = getattr(given, "choices", None) or [None]
    message = getattr(choices[0], "message", None)
    if message is None:
        raise CallError(FailureKind.API, "the server's reply holds no message")
    refusal = getattr(message, "refusal", None)
    filtered = getattr(choices[0], "finish_reason", None) == "content_filter"
    usage = getattr(given, "usage", None)
    return Reply(
        text=str(refusal or getattr(message, "content", None) or ""),
        refused=bool(refusal) or filtered,
        model=getattr(given, "model", None),
        input_tokens=tokens(usage, "prompt_tokens"),
        output_tokens=tokens(usage, "completion_tokens"),
    )
