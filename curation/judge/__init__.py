"""Judges over the network: prompts, the providers' own clients, and what their replies mean."""

from curation.judge.asks import Ask, asks_of
from curation.judge.clients import Access, open_client
from curation.judge.parsing import grade_of
from curation.judge.prompts import PROMPT_VERSION
from curation.judge.protocol import CallError, Client, Prompt, Reply

__all__ = [
    "PROMPT_VERSION",
    "Access",
    "Ask",
    "CallError",
    "Client",
    "Prompt",
    "Reply",
    "asks_of",
    "grade_of",
    "open_client",
]
