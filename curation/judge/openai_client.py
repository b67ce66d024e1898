"""A judge on any server that speaks OpenAI's chat protocol."""

from datetime import UTC, datetime
from typing import Any

import openai

from curation.domain.judging import FailureKind
from curation.judge.clients import Access
from curation.judge.failures import of_status, without_key
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
        try:
            return _reply(self._client.chat.completions.create(**self._request(prompt)))
        except openai.APITimeoutError as problem:
            said = f"no reply within {self._access.timeout_s:g} s"
            raise CallError(FailureKind.TIME_OUT, said, again=True) from problem
        except openai.APIStatusError as problem:
            said = without_key(problem.message, self._access.key.secret)
            headers = problem.response.headers
            raise of_status(problem.status_code, headers, said, now=datetime.now(UTC)) from problem
        except openai.APIError as problem:
            said = without_key(str(problem.__cause__ or problem), self._access.key.secret)
            raise CallError(FailureKind.API, said, again=True) from problem

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
        input_tokens=_tokens(usage, "prompt_tokens"),
        output_tokens=_tokens(usage, "completion_tokens"),
    )


def _tokens(usage: object, name: str) -> int:
    found = getattr(usage, name, 0)
    return found if isinstance(found, int) and found > 0 else 0
