"""What the action bar's list of events means to Python."""

from hypothesis import given
from hypothesis import strategies as st

from curation.ui.actions import Action, shared_keys
from curation.ui.bar import Event, parse_events


def sent(seq: int, act: str = "next", token: str = "t:queue", **more: object) -> dict[str, object]:
    return {"token": token, "seq": seq, "act": act, **more}


def test_events_are_acted_on_in_order_each_once() -> None:
    value = [sent(3, "c"), sent(2, "b"), sent(2, "again"), sent(1, "a")]
    found = parse_events(value, token="t:queue", acknowledged=1)
    assert [(e.seq, e.act) for e in found] == [(2, "b"), (3, "c")]


def test_events_of_another_page_or_session_are_not_acted_on() -> None:
    value = [sent(1, token="t:changes"), sent(2, token="u:queue"), sent(3)]
    assert [e.seq for e in parse_events(value, token="t:queue", acknowledged=0)] == [3]


def test_an_event_carries_its_argument_rows_and_fields() -> None:
    value = [sent(1, arg="0148", rows={"queue": "a7"}, fields={"comment": "-- no\n"})]
    assert parse_events(value, token="t:queue", acknowledged=0) == (
        Event(seq=1, act="next", arg="0148", rows={"queue": "a7"}, fields={"comment": "-- no\n"}),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_whatever_a_browser_sends_is_read_without_a_failure(value: object) -> None:
    assert parse_events(value, token="t:queue", acknowledged=0) == ()


@given(st.permutations(range(1, 8)), st.integers(0, 7))
def test_any_order_and_any_repetition_give_the_unacknowledged_numbers(
    order: list[int], acknowledged: int
) -> None:
    value = [sent(seq) for seq in [*order, *order]]
    found = parse_events(value, token="t:queue", acknowledged=acknowledged)
    assert [event.seq for event in found] == list(range(acknowledged + 1, 8))


def test_two_actions_with_one_key_are_found() -> None:
    actions = [
        Action(act="a", label="A", keys=("n", "Enter")),
        Action(act="b", label="B", keys=("p", "n")),
    ]
    assert shared_keys(actions) == ("n",)
