"""The queue's filters in the page's address, so that a filtered queue can be shared."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from curation.domain.answer import SignalKind
from curation.domain.base import Value
from curation.domain.queue import MetricBelow, QueueFilter, QueueState

SAMPLE = "sample"  # in the address, in place of a list

Kind = TypeVar("Kind", bound=StrEnum)


class QueueView(Value):
    """What the queue page shows: its filters and which page of the list."""

    filters: QueueFilter = QueueFilter()
    page: int = 1


def read_address(parameters: Mapping[str, str]) -> QueueView:
    """Return the view that an address asks for; what it says wrongly is left out."""
    return QueueView(
        filters=QueueFilter(
            state=_member(QueueState, parameters.get("show")) or QueueState.TO_REVIEW,
            slice=parameters.get("slice") or None,
            signal=_member(SignalKind, parameters.get("signal")),
            metric_below=_metric(parameters.get("metric"), parameters.get("below")),
            pipeline_version=parameters.get("version") or None,
            words=parameters.get("words", ""),
            sample=parameters.get("show") == SAMPLE,
        ),
        page=_page(parameters.get("page", "")),
    )


def write_address(view: QueueView) -> dict[str, str]:
    """Return the parameters that ask for the view; what is not set is left out."""
    filters = view.filters
    below = filters.metric_below
    if filters.sample:
        return {"show": SAMPLE}
    parameters = {
        "show": "" if filters.state is QueueState.TO_REVIEW else filters.state.value,
        "slice": filters.slice or "",
        "signal": filters.signal.value if filters.signal else "",
        "metric": below.metric if below else "",
        "below": f"{below.value:g}" if below else "",
        "version": filters.pipeline_version or "",
        "words": filters.words,
        "page": str(view.page) if view.page > 1 else "",
    }
    return {name: value for name, value in parameters.items() if value}


def narrowed(filters: QueueFilter) -> bool:
    """Return whether anything but the list itself is chosen."""
    return filters != QueueFilter(state=filters.state)


def _member(kind: type[Kind], text: str | None) -> Kind | None:
    """Return the member with that value, if there is one."""
    return next((member for member in kind if member.value == text), None) if text else None


def _metric(metric: str | None, below: str | None) -> MetricBelow | None:
    """Return the metric filter, if both of its parts are right."""
    if not metric or not below:
        return None
    try:
        value = float(below)
    except ValueError:
        return None
    return MetricBelow(metric=metric, value=value) if math.isfinite(value) else None


def _page(text: str) -> int:
    """Return the page number, 1 where it is none."""
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else 1
