"""The filters of the golden set's cases."""

from collections.abc import Sequence
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


class Shown(StrEnum):
    """Which cases are listed."""

    ACTIVE = "active"
    RETIRED = "retired"
    ALL = "all"


def chosen_version() -> str | None:
    """Return the version that is looked at; None is the newest state."""
    wanted = st.session_state.get(_VERSION) or st.query_params.get("version") or NEWEST
    return None if wanted == NEWEST else str(wanted)


def show_filters(golden: GoldenSet, versions: Sequence[VersionInfo]) -> tuple[Case, ...]:
    """Draw the filters and return the cases that match, sorted by id."""
    names = [NEWEST, *(one.version for one in reversed(versions))]
    slices = sorted({case.slice for case in golden.cases.values()})
    types = sorted({case.question_type for case in golden.cases.values()})
    with st.container(key="cur_filters", horizontal=True, vertical_alignment="bottom"):
        wanted = chosen_version()
        st.selectbox(
            "Version",
            names,
            index=names.index(wanted) if wanted in names else 0,
            key=_VERSION,
            persist_state="session",
            width=140,
        )
        shown = st.segmented_control(
            "Show",
            list(Shown),
            default=Shown.ACTIVE,
            key=_STATUS,
            persist_state="session",
            required=True,
            format_func=lambda one: one.value.capitalize(),
        )
        in_slice = st.selectbox(
            "Slice",
            [ANY, *slices],
            format_func=_any,
            persist_state="session",
            key=_SLICE,
            width=150,
        )
        of_type = st.selectbox(
            "Type", [ANY, *types], format_func=_any, persist_state="session", key=_TYPE, width=140
        )
        words = st.text_input(
            "Words",
            key=_WORDS,
            persist_state="session",
            live=True,
            autocomplete="off",
            type="search",
            width=220,
        )
    return tuple(
        case
        for case in golden.cases.values()
        if matches(case, shown or Shown.ACTIVE, in_slice, of_type, words)
    )


def _any(value: str) -> str:
    """Return how a choice reads."""
    return value or "any"


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
