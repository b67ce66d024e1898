"""What the browser sends: a numbered list of events, kept there until it is acknowledged.

The list is untrusted input: what does not have the form of an event is left out.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError

from curation.domain.base import Value

Json = str | int | float | bool | None


class _Event(Value):
    """A numbered event; `serial` names the answer on the screen when it was made."""

    seq: int = Field(ge=1)
    serial: int


class FieldTyped(_Event):
    """A field's text; `v` counts the typing in it, so that an echo can say what it has seen."""

    type: Literal["field"]
    field: str
    value: str
    v: int


class Picked(_Event):
    """Words of a block, picked for something; offsets are code points of the stored text."""

    type: Literal["pick"]
    kind: Literal[
        "required",
        "optional",
        "forbidden",
        "required_and_forbid",
        "evidence",
        "reference",
        "wording",
    ]
    block: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    mode: Literal["sentence", "words", "mouse"] = "sentence"
    caret: int | None = None


class Acted(_Event):
    """A key or button that is not a pick."""

    type: Literal["act"]
    act: str
    args: dict[str, Json] = Field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return an argument as text; empty when it is missing."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int | None:
        """Return an argument as a whole number, if it is one."""
        value = self.args.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


class Here(_Event):
    """Somebody is at the page: the hold is renewed."""

    type: Literal["here"]


class Look(_Event):
    """The page asks again whether something is free."""

    type: Literal["look"]


class Missing(_Event):
    """The page lacks texts that it was only told the ids of."""

    type: Literal["missing"]
    texts: tuple[str, ...] = ()


Event = FieldTyped | Picked | Acted | Here | Look | Missing
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class Letter(Value):
    """One message of the browser: who it is, which texts it has, the events it keeps."""

    client: str = ""
    n: int = 0
    last: int = 0  # the highest number in the list, whether its event has a form or not
    have: frozenset[str] = frozenset()
    events: tuple[Event, ...] = ()

    def after(self, acknowledged: int) -> tuple[Event, ...]:
        """Return the events that were not acted on yet, in order, each number once."""
        fresh = {event.seq: event for event in self.events if event.seq > acknowledged}
        return tuple(fresh[seq] for seq in sorted(fresh))


def read_letter(value: object) -> Letter:
    """Return the message that the component's state holds; an empty one where it has no form."""
    if not isinstance(value, Mapping):
        return Letter()
    client, sends = value.get("client"), value.get("n")
    items, have = value.get("items"), value.get("have")
    if not isinstance(client, str) or not isinstance(items, list):
        return Letter()
    return Letter(
        client=client,
        n=sends if isinstance(sends, int) else 0,
        last=max((_number(item) for item in items), default=0),
        have=frozenset(h for h in have if isinstance(h, str))
        if isinstance(have, list)
        else frozenset(),
        events=tuple(event for event in map(_read_event, items) if event is not None),
    )


def _number(item: object) -> int:
    """Return the number of an item; 0 where it has none."""
    number = item.get("seq") if isinstance(item, Mapping) else None
    return number if isinstance(number, int) else 0


def _read_event(item: object) -> Event | None:
    """Return the event that an item says; None where it says none."""
    try:
        return _EVENT.validate_python(_whole(item))
    except ValidationError:
        return None


def _whole(value: object) -> object:
    """Return a value whose texts hold whole characters: half of a pair cannot be stored."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    return value
