"""The filters of the golden set's cases."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import streamlit as st

from curation.domain.case import Case, CaseStatus
from curation.golden import GoldenSet, VersionInfo
from curation.ui import keys
from curation.ui.golden_view import PAGE_SIZE

ANY = ""
NEWEST = "newest"
_VERSION, _STATUS, _SLICE = "cases_version", "cases_status", "cases_slice"
_TYPE, _WORDS = "cases_type", "cases_words"
_ADDRESS = {"version": _VERSION, "show": _STATUS, "slice": _SLICE, "type": _TYPE, "words": _WORDS}


class Shown(StrEnum):
    """Which cases are listed."""

    ACTIVE = "active"
    RETIRED = "retired"
    ALL = "all"


def read_address(parameters: Mapping[str, str], versions: Sequence[str]) -> dict[str, object]:
    """Return the values of the widgets that an address asks for; what it lacks is the default."""
    shown = parameters.get("show", Shown.ACTIVE.value)
    version = parameters.get("version", NEWEST)
    return {
        _VERSION: version if version in versions else NEWEST,
        _STATUS: Shown(shown) if shown in set(Shown) else Shown.ACTIVE,
        _SLICE: parameters.get("slice", ANY),
        _TYPE: parameters.get("type", ANY),
        _WORDS: parameters.get("words", ""),
    }


def write_address(values: Mapping[str, object]) -> dict[str, str]:
    """Return the parameters that ask for these values; what is not set is left out."""
    usual = read_address({}, (NEWEST,))
    return {
        name: str(values[key])
        for name, key in _ADDRESS.items()
        if values.get(key) not in {None, usual[key]}
    }


def settle_filters(versions: Sequence[VersionInfo], *, entered: bool) -> None:
    """Give the widgets the values of the address; coming back finds them as they were."""
    asked = {name: st.query_params[name] for name in _ADDRESS if name in st.query_params}
    remembered = st.session_state.get(keys.CASES_ADDRESS)
    if remembered is not None and (asked == remembered or (entered and not asked)):
        return
    names = [NEWEST, *(one.version for one in versions)]
    for key, value in read_address(asked, names).items():
        st.session_state[key] = value


def _remember(values: Mapping[str, object]) -> None:
    """Write what the widgets say into the address, beside what else stands there."""
    address = write_address(values)
    st.session_state[keys.CASES_ADDRESS] = address
    others = {name: value for name, value in st.query_params.items() if name not in _ADDRESS}
    if dict(st.query_params) != others | address:
        st.query_params.from_dict(others | address)


def chosen_version() -> str | None:
    """Return the version that is looked at; None is the newest state."""
    wanted = st.session_state.get(_VERSION) or st.query_params.get("version") or NEWEST
    return None if wanted == NEWEST else str(wanted)


def show_filters(golden: GoldenSet, versions: Sequence[VersionInfo]) -> tuple[Case, ...]:
    """Draw the filters, keep them in the address, and return the cases that match, by id."""
    names = [NEWEST, *(one.version for one in reversed(versions))]
    slices = sorted({case.slice for case in golden.cases.values()})
    types = sorted({case.question_type for case in golden.cases.values()})
    with st.container(key="cur_filters", horizontal=True, vertical_alignment="bottom"):
        version = _select("Version", names, key=_VERSION, width=140)
        shown = st.segmented_control(
            "Show",
            list(Shown),
            key=_STATUS,
            persist_state="session",
            required=True,
            format_func=lambda one: one.value.capitalize(),
        )
        in_slice = _select("Slice", [ANY, *slices], key=_SLICE, width=150)
        of_type = _select("Type", [ANY, *types], key=_TYPE, width=140)
        words = st.text_input(
            "Words",
            key=_WORDS,
            persist_state="session",
            live=True,
            autocomplete="off",
            type="search",
            width=220,
        )
    shown = shown or Shown.ACTIVE
    said = {_VERSION: version, _STATUS: shown, _SLICE: in_slice, _TYPE: of_type, _WORDS: words}
    _remember(said)
    return tuple(
        case for case in golden.cases.values() if matches(case, shown, in_slice, of_type, words)
    )


def _select(label: str, known: Sequence[str], *, key: str, width: int) -> str:
    """Draw a list to choose from; what the address names is offered even where nothing has it."""
    chosen = st.session_state.get(key)
    offered = [*known, *([chosen] if chosen and chosen not in known else [])]
    picked: str = st.selectbox(
        label,
        offered,
        format_func=_type if key == _TYPE else _any,
        persist_state="session",
        key=key,
        width=width,
    )
    return picked


def _any(value: str) -> str:
    """Return how a choice reads."""
    return value or "any"


def _type(value: str) -> str:
    """Return how a question type reads."""
    return _any(value.replace("_", " "))


def matches(case: Case, shown: Shown, in_slice: str, of_type: str, words: str) -> bool:
    """Return whether a case is listed under these filters."""
    if shown is not Shown.ALL and (case.status is CaseStatus.RETIRED) != (shown is Shown.RETIRED):
        return False
    if (in_slice and case.slice != in_slice) or (of_type and case.question_type != of_type):
        return False
    text = " ".join((case.id, case.question, *(fact.text for _, fact in case.facts.each)))
    return all(word in text.casefold() for word in words.casefold().split())


def page_of(cases: Sequence[Case]) -> tuple[int, int]:
    """Return the page of the list, from 0, and how many there are."""
    pages = max(1, -(-len(cases) // PAGE_SIZE))
    at = min(int(st.session_state.get(keys.CASES_PAGE, 0)), pages - 1)
    st.session_state[keys.CASES_PAGE] = at
    return at, pages


def why_empty(golden: GoldenSet) -> str:
    """Return why no case is listed."""
    if golden.cases:
        return f"No case matches these filters. The set has {len(golden.cases)} without them."
    return "The golden set has no case yet. Propose the first one in Review."
