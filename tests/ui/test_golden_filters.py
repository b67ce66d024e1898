"""The golden set's filters stand in its address, so that what one sees can be shared."""

from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from curation.ui.golden_controls import NEWEST, Shown, read_address, write_address
from curation.ui.shell import PAGES

VERSIONS = (NEWEST, "golden/v1", "golden/v2")
views = st.fixed_dictionaries(
    {
        "cases_version": st.sampled_from(VERSIONS),
        "cases_status": st.sampled_from(Shown),
        "cases_slice": st.sampled_from(["", "billing"]),
        "cases_type": st.sampled_from(["", "value"]),
        "cases_words": st.text(max_size=9),
    }
)


@given(views)
def test_an_address_says_what_the_filters_say(values: dict[str, object]) -> None:
    assert read_address(write_address(values), VERSIONS) == values


def test_what_an_address_says_wrongly_is_left_out() -> None:
    wrong = {"version": "golden/v9", "show": "everything"}
    assert read_address(wrong, VERSIONS) == read_address({}, VERSIONS)
    assert write_address(read_address({}, VERSIONS)) == {}


def test_the_page_opens_with_the_filters_of_its_address_and_names_new_ones(
    demo_home: Path, run_app: Callable[..., AppTest]
) -> None:
    app = run_app(demo_home)
    app.query_params["words"] = "event"
    app.query_params["case"] = "q-0001"
    entry = next(one for one in PAGES if one.slug == "golden_set")
    app.switch_page(str(entry.path)).run()
    assert not app.exception
    words = next(field for field in app.text_input if field.key == "cases_words")
    assert words.value == "event"
    words.set_value("plan").run()
    assert not app.exception
    assert (app.query_params["words"], app.query_params["case"]) == ("plan", "q-0001")
