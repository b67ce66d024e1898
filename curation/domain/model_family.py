"""The family of a model's name, so that a judge is not believed on its own kind unsaid."""

import re

_FAMILIES = {
    "gpt": ("gpt", "chatgpt", "o1", "o3", "o4", "text-davinci", "davinci"),
    "claude": ("claude",),
    "gemini": ("gemini",),
    "gemma": ("gemma",),
    "llama": ("llama", "meta-llama"),
    "mistral": ("mistral", "mixtral", "ministral", "codestral", "magistral", "pixtral"),
    "qwen": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "command": ("command", "c4ai-command"),
    "phi": ("phi",),
    "grok": ("grok",),
    "nova": ("nova", "amazon-nova"),
    "glm": ("glm", "chatglm"),
    "kimi": ("kimi", "moonshot"),
}
_PARTS = re.compile(r"[/:.@\s]+")


def model_family(name: str | None) -> str | None:
    """Return the family that a model's name tells: `openai/gpt-5-mini` is gpt; None if unknown.

    A name that several families stand in belongs to the last one: a distilled model is named
    after its teacher first.
    """
    if not name:
        return None
    found = None
    for part in _PARTS.split(name.strip().casefold()):
        for family, beginnings in _FAMILIES.items():
            if any(_begins(part, beginning) for beginning in beginnings):
                found = family
    return found


def _begins(part: str, beginning: str) -> bool:
    """Return whether a part of a name begins with a word: `o3-mini` with o3, `phileas` not phi."""
    rest = part[len(beginning) :]
    return part.startswith(beginning) and not rest[:1].isalpha()


def judges_its_own(judge_model: str | None, answer_model: str | None) -> bool:
    """Return whether judge and judged are known to be of one family."""
    family = model_family(judge_model)
    return family is not None and family == model_family(answer_model)
