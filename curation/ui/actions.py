"""What a person can do on a page: one action, one key, one meaning."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

COMMIT = "Mod+Enter"
KEY_NAMES = {
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "Escape": "Esc",
    "PageDown": "PageDown",
    "PageUp": "PageUp",
    COMMIT: "Ctrl+Enter",
}


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something that a key or a press does.

    `off` says in words why it cannot be done now; the action then stays visible and says so when
    it is asked for. `client` acts are done in the browser alone. `about` is the legend's text.
    An action that `needs` a field goes to it while it is empty, and says `needs_said`.
    """

    act: str
    label: str
    keys: tuple[str, ...] = ()
    off: str | None = None
    shown: bool = True
    primary: bool = False
    repeats: bool = False
    about: str = ""
    client: Literal["", "legend", "focus"] = ""
    target: str = ""
    arg: str = ""
    needs: str = ""
    needs_said: str = ""

    @property
    def hint(self) -> str:
        """The keys as people read them."""
        return " or ".join(
            KEY_NAMES.get(key, key.upper() if len(key) == 1 else key) for key in self.keys
        )

    def document(self) -> dict[str, object]:
        """Return what the browser is told of the action."""
        return {
            "act": self.act,
            "label": self.label,
            "keys": list(self.keys),
            "hint": self.hint,
            "off": self.off or "",
            "shown": self.shown,
            "primary": self.primary,
            "repeats": self.repeats,
            "about": self.about,
            "client": self.client,
            "target": self.target,
            "arg": self.arg,
            "needs": self.needs,
            "needsSaid": self.needs_said,
        }


LEGEND = Action(act="legend", label="Keys", keys=("h", "?"), client="legend", about="These keys")


def shared_keys(actions: Sequence[Action]) -> tuple[str, ...]:
    """Return the keys that more than one of the actions answers to; a page may have none."""
    seen: set[str] = set()
    twice: list[str] = []
    for key in _keys(actions):
        if key in seen:
            twice.append(key)
        seen.add(key)
    return tuple(twice)


def _keys(actions: Iterable[Action]) -> Iterable[str]:
    """Return every key of every action, in order."""
    return (key for action in actions for key in action.keys)
