"""The queue's filters as widgets, kept in step with the page's address."""

from collections.abc import Mapping, Sequence

import streamlit as st

from curation.domain.answer import SignalKind
from curation.domain.queue import FilterChoices, MetricBelow, QueueFilter, QueueState
from curation.ui import keys
from curation.ui.queue_filters import QueueView, read_address, write_address
from curation.ui.queue_view import STATE_LABELS

ANY = ""
_STATE, _SLICE, _SIGNAL = "queue_show", "queue_slice", "queue_signal"
_METRIC, _BELOW, _VERSION, _WORDS = "queue_metric", "queue_below", "queue_version", "queue_words"
_HALF = 0.5
_WIDTH = 132


def wanted_view(*, entered: bool) -> QueueView:
    """Return the view that the address asks for; coming back finds the filters as they were."""
    remembered: QueueView | None = st.session_state.get(keys.QUEUE_VIEW)
    asked = dict(st.query_params)
    if entered and not asked and remembered is not None:
        return remembered
    if remembered is not None and not entered and asked == write_address(remembered):
        return remembered
    return read_address(asked)


def set_view(view: QueueView) -> None:
    """Make this the view of the page: its widgets, its address and what is remembered."""
    filters, below = view.filters, view.filters.metric_below
    values: Mapping[str, object] = {
        _STATE: filters.state,
        _SLICE: filters.slice or ANY,
        _SIGNAL: filters.signal.value if filters.signal else ANY,
        _METRIC: below.metric if below else ANY,
        _BELOW: below.value if below else st.session_state.get(_BELOW, _HALF),
        _VERSION: filters.pipeline_version or ANY,
        _WORDS: filters.words,
    }
    for name, value in values.items():
        st.session_state[name] = value
    remember(view)


def remember(view: QueueView) -> None:
    """Write the view into the address and the session."""
    st.session_state[keys.QUEUE_VIEW] = view
    address = write_address(view)
    if dict(st.query_params) != address:
        st.query_params.from_dict(address)


def show_filters(view: QueueView, choices: FilterChoices) -> QueueView:
    """Draw the filters and return the view they now ask for; a new filter starts at page 1."""
    filters = _widgets(view.filters, choices)
    return view if filters == view.filters else QueueView(filters=filters)


def _widgets(filters: QueueFilter, choices: FilterChoices) -> QueueFilter:
    """Draw the widgets and return what they say."""
    state = st.segmented_control(
        "Show",
        list(QueueState),
        format_func=STATE_LABELS.__getitem__,
        key=_STATE,
        required=True,
    )
    wanted_slice = _select("Slice", choices.slices, filters.slice, key=_SLICE)
    known = [kind.value for kind in choices.signals]
    signal = _select("Signal", known, filters.signal.value if filters.signal else None, key=_SIGNAL)
    metric = _select(
        "Metric below (judge)",
        choices.metrics,
        filters.metric_below.metric if filters.metric_below else None,
        key=_METRIC,
    )
    below = st.number_input("Below", key=_BELOW, step=0.1, width=110) if metric else None
    version = _select(
        "Pipeline version", choices.pipeline_versions, filters.pipeline_version, key=_VERSION
    )
    words = st.text_input(
        "Words in the question",
        key=_WORDS,
        live=True,
        autocomplete="off",
        type="search",
        width=210,
    )
    return QueueFilter(
        state=state or filters.state,
        slice=wanted_slice,
        signal=SignalKind(signal) if signal else None,
        metric_below=MetricBelow(metric=metric, value=below)
        if metric and below is not None
        else None,
        pipeline_version=version,
        words=words,
    )


def _select(label: str, choices: Sequence[str], chosen: str | None, *, key: str) -> str | None:
    """Draw a list to choose from; what the address names is offered even where nothing has it."""
    known = [ANY, *choices]
    offered = known if not chosen or chosen in known else [*known, chosen]
    return st.selectbox(label, offered, format_func=_any_label, key=key, width=_WIDTH) or None


def _any_label(value: str) -> str:
    """Return how a choice reads: literal text, `any` where nothing is chosen."""
    return str(value).replace("_", " ") if value else "any"
