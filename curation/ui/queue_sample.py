"""The sample on the queue page: how far it is, what it says, and the form that draws the next one.

Its answers are served one by one in the drawn order and never listed, since a list's order could
tell which of them came in by chance.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo

from pydantic import ValidationError

from curation.domain.queue import QueueFilter
from curation.domain.sample import SampleRequest
from curation.errors import CurationError, NotFoundError
from curation.services import sampling
from curation.services.sample_words import estimate_lines
from curation.services.workspace import Workspace
from curation.ui import bar, session
from curation.ui.actions import COMMIT, Action
from curation.ui.bar import Event
from curation.ui.queue_filters import QueueView
from curation.ui.tree import Child, Node, button, node

NONE_YET = "No sample was drawn yet."
WHAT_FOR = (
    "A sample says how many answers are bad, with an interval, and keeps the judge honest. A part "
    "of it is drawn by chance alone, the rest the likelier the more an answer matters; nothing "
    "tells which is which. Its answers are reviewed one by one."
)
NOT_DRAWN = "Nothing was drawn: {label} {wanted}. Write it and draw again."
_FIELDS = (
    ("sample.n", "How many answers", "50"),
    ("sample.control", "Share by chance alone, in %", "10"),
    ("sample.double", "Share that two people look at, in %", "0"),
    ("sample.seed", "Seed", "0"),
)
_DAYS = (
    ("sample.since", "Asked from (any day when empty)"),
    ("sample.until", "Asked before (any day when empty)"),
)
_DAY_EXAMPLE = "2026-11-30"


class SampleFieldError(CurationError):
    """A field of the form does not hold a number or a day that a sample can have."""

    def __init__(self, label: str, wanted: str) -> None:
        super().__init__(NOT_DRAWN.format(label=label, wanted=wanted))


def read_request(fields: Mapping[str, str], zone: tzinfo = UTC) -> SampleRequest:
    """Return what the form asks for; its days are those of the reader.

    Raises:
        SampleFieldError: a field is no whole number in its range, or no day.
    """
    values = {name: _number(label, fields.get(name, "")) for name, label, _ in _FIELDS}
    since, until = (_day(label, fields.get(name, ""), zone) for name, label in _DAYS)
    if since and until and since >= until:
        raise SampleFieldError(f"“{_DAYS[1][1]}”", "is after the day from which it is asked")
    try:
        return SampleRequest(
            n=values["sample.n"],
            control=values["sample.control"] / 100,
            double=values["sample.double"] / 100,
            seed=values["sample.seed"],
            since=since,
            until=until,
        )
    except ValidationError as problem:
        part = str(problem.errors()[0]["loc"][0])
        label = next(label for name, label, _ in _FIELDS if name == f"sample.{part}")
        wanted = "is at least 1" if part == "n" else "is between 0 and 100"
        raise SampleFieldError(f"“{label}”", wanted) from problem


def _number(label: str, text: str) -> int:
    """Return the whole number that a field holds."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise SampleFieldError(f"“{label}”", "is a whole number")
    return int(digits)


def _day(label: str, text: str, zone: tzinfo) -> datetime | None:
    """Return where the day that a field holds begins, None where it is empty."""
    if not text.strip():
        return None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as problem:
        raise SampleFieldError(f"“{label}”", f"is a day such as {_DAY_EXAMPLE}") from problem
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def draw_sample(workspace: Workspace) -> list[Child]:
    """Return the progress of the newest sample, what it says, and the form for the next."""
    try:
        said = estimate_lines(sampling.estimate(workspace))
    except NotFoundError:
        said = [NONE_YET]
    form = node(
        "section",
        node("h2", "Draw a sample"),
        *(_field(name, label, value) for name, label, value in _FIELDS),
        *(_field(name, label, "", example=_DAY_EXAMPLE) for name, label in _DAYS),
        node("p", button("Draw a sample", "draw", key="Ctrl+Enter")),
        cls="cur-fieldset",
        aria_label="Draw a sample",
    )
    return [
        node(
            "div",
            node("h1", "Sample"),
            node("p", WHAT_FOR),
            node("div", *(node("p", line) for line in said), role="status"),
            form,
            cls="cur-sample",
        )
    ]


def nothing_free(workspace: Workspace) -> str:
    """Return why nothing of the sample could be opened, and what to do."""
    if not sampling.was_drawn(workspace):
        return "Nothing was opened: no sample was drawn yet. Ctrl+Enter draws one."
    return "Nothing was opened: nothing of the sample is free for you. X shows the whole list."


def _field(name: str, label: str, value: str, example: str | None = None) -> Node:
    """Return a field with its label."""
    slot = name.replace(".", "-")
    made = node(
        "input",
        id=slot,
        type="text",
        value=value,
        placeholder=example,
        data_field=name,
        data_keep=slot,
    )
    return node("p", node("label", label, " ", for_=slot), made, cls="cur-sample-field")


def actions(settle: Sequence[Action] = ()) -> list[Action]:
    """Return what can be done beside a sample, and the way to verdicts that differ."""
    return [
        Action(act="next", label="Review next of the sample", keys=("Enter",), primary=True),
        Action(act="draw", label="Draw a sample", keys=(COMMIT,), shown=False),
        *settle,
        Action(act="clear", label="Back to the list", keys=("x",)),
    ]


def act(event: Event, workspace: Workspace) -> None:
    """Draw a sample as the form says."""
    try:
        request = read_request(event.fields, session.zone())
        drawn = sampling.draw(workspace, session.acting_person(), request, now=session.now())
    except CurationError as problem:
        bar.refuse(str(problem))
        return
    bar.say(
        f"Sample {drawn.id} is drawn: {drawn.size} of {drawn.frame} unreviewed answers. "
        "Enter reviews the first."
    )


def sample_view() -> QueueView:
    """Return the view that shows the sample."""
    return QueueView(filters=QueueFilter(sample=True))
