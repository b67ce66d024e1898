"""The queue: order, reasons, counts, filters, and what the judge's part must not give away."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.domain.person import Person
from curation.domain.queue import MetricBelow
from curation.domain.review import AnswerState, Verdict
from curation.errors import CurationError
from curation.services.intake import ingest
from curation.services.triage import (
    QueueFilter,
    QueueState,
    filter_choices,
    list_queue,
    next_answer,
)
from curation.store.claims import claim, record_skip
from curation.store.reviews import is_blind
from tests.services.home import MIA, NOW, ROB, log, record, workspace
from tests.store.logs import finish

ANY = QueueFilter()


def bring(home, *records, name="log.jsonl"):
    folder = home.settings.home
    folder.mkdir(exist_ok=True)
    assert ingest(home, [log(folder, *records, name=name)], now=NOW).refused == 0


def rows(home, filters=ANY, person=MIA, **options):
    return list_queue(home, person, filters, now=NOW, **options).rows


def ids(home, filters=ANY, **options):
    return [row.answer_id for row in rows(home, filters, **options)]


def score(value, metric="m", **fields):
    return {"metric": metric, "value": value, "scale": [0, 1], **fields}


def said(*kinds):
    return [{"kind": kind} for kind in kinds]


def take(home, name, person=MIA):
    with home.store.writing() as session:
        claim(session, name, person, now=NOW, minutes=30)


# priority (measures.md section 9)


def test_priority_is_frequency_times_impact(home):
    same = {"question": "What is the timeout?"}
    bring(
        home,
        record("a", **same, signals=said("correction", "thumbs_down"), scores=[score(0.6)]),
        record("b", question="what is the  TIMEOUT"),
        record("c", **same),
    )
    (row,) = rows(home)
    assert row.priority == 3 * (4 + 3)
    assert row.reasons == ("correction", "thumbs down")
    assert (row.asked, row.more, row.answer_id) == (3, 2, "a")
    (judged,) = rows(home, show_judge=True)
    assert judged.priority == pytest.approx(3 * (4 + 3 + 3 * 0.4))
    assert judged.reasons == ("correction", "thumbs down", "m 0.6")


@pytest.mark.parametrize(
    ("signals", "impact"),
    [
        (said("correction"), 4),
        (said("escalation"), 4),
        (said("thumbs_down"), 3),
        (said("reformulation"), 2),
        (said("abandoned"), 1),
        (said("follow_up"), 0.5),
        (said("thumbs_up"), 0),
        (said("thumbs_up", "thumbs_down"), 1),
        (said("correction", "correction"), 4),
        ([{"kind": "reformulation", "confidence": 0.5}], 1),
        ([{"kind": "correction", "confidence": 0.5}], 4),
    ],
)
def test_the_weights_of_signals(home, signals, impact):
    bring(home, record("a", signals=signals))
    assert rows(home)[0].priority == impact


def test_a_kind_of_signal_counts_once_a_user(home):
    same = {"question": "Same?"}
    bring(
        home,
        record("a", **same, user_id="u1", signals=said("thumbs_down")),
        record("b", **same, user_id="u1", signals=said("thumbs_down")),
        record("c", **same, user_id="u2", signals=said("thumbs_down")),
        record("d", **same, session_id="s1", signals=said("thumbs_down")),
        record("e", **same, signals=said("thumbs_down")),
        record("f", **same, signals=said("thumbs_down")),
    )
    assert rows(home)[0].priority == 6 * 3 * 5


@pytest.mark.parametrize(
    ("scores", "judge_part", "reasons"),
    [
        ([score(1)], 0, ("score or sample",)),
        ([score(0)], 3, ("m 0",)),
        ([score(0.9), score(0.5, "n")], 1.5, ("n 0.5",)),
        ([{"metric": "bad", "value": 1, "scale": [1, 0]}], 3, ("bad 1",)),
        ([{"metric": "m", "value": 2, "scale": [1, 5]}], 3 * 0.75, ("m 2",)),
        ([{"metric": "m", "value": 0.5}], 1.5, ("m 0.5",)),
        ([{"metric": "m", "value": 7}], 0, ("score or sample",)),
        ([{"metric": "m", "status": "failed"}], 0, ("judge failed",)),
        (
            [score(0.5), {"metric": "n", "value": 9, "scale": [0, 1]}],
            1.5,
            ("m 0.5", "judge failed"),
        ),
        ([score(0, chunk_id="c")], 0, ("score or sample",)),
    ],
)
def test_the_judges_part_is_the_worst_shortfall(home, scores, judge_part, reasons):
    bring(home, record("a", scores=scores))
    (hidden,) = rows(home)
    assert (hidden.priority, hidden.reasons) == (None, ("score or sample",))
    (shown,) = rows(home, show_judge=True)
    assert shown.priority == pytest.approx(judge_part)
    assert shown.reasons == reasons


def test_a_row_without_a_signal_keeps_its_place_and_gives_nothing_away(home):
    bring(
        home,
        record("low", scores=[score(0)]),
        record("abandoned", signals=said("abandoned")),
        record("high", scores=[score(1)]),
    )
    shown = [(row.answer_id, row.priority, row.reasons) for row in rows(home)]
    assert shown == [
        ("low", None, ("score or sample",)),
        ("abandoned", 1, ("abandoned",)),
        ("high", None, ("score or sample",)),
    ]


def test_a_score_is_not_seen_in_a_priority_that_has_a_signal(home):
    """Two answers with the same signals look the same whatever the judge says."""
    bring(
        home,
        record("a", signals=said("thumbs_down"), scores=[score(0)]),
        record("b", signals=said("thumbs_down"), scores=[score(1)]),
    )
    first, second = rows(home)
    assert (first.priority, first.reasons) == (second.priority, second.reasons)


def test_the_window_is_30_days_before_the_newest(home):
    newest = datetime(2026, 11, 24, tzinfo=UTC)

    def asked(name, days, **fields):
        when = (newest - timedelta(days=days)).isoformat()
        return record(name, question="Same?", asked_at=when, **fields)

    bring(
        home,
        asked("a", 31, signals=said("correction")),
        asked("b", 29),
        record("c", question="Same?"),
    )
    assert rows(home)[0].asked == 3
    bring(home, asked("d", 0), name="2.jsonl")
    (row,) = rows(home)
    assert (row.asked, row.priority, row.more) == (3, 3 * 4, 3)


def test_a_group_that_is_out_of_the_window_counts_as_asked_once(home):
    old = {"question": "Old?", "asked_at": "2025-01-01T00:00:00Z"}
    bring(home, record("a", **old, signals=said("correction")), record("b", **old))
    assert rows(home)[0].asked == 2
    bring(home, record("n", asked_at="2026-11-24T00:00:00Z"), name="2.jsonl")
    found = {row.answer_id: (row.asked, row.priority) for row in rows(home)}
    assert found == {"a": (1, 4), "n": (1, None)}


def test_the_last_two_turns_are_part_of_the_question(home):
    def turns(*texts):
        return [{"role": "user", "text": text} for text in texts]

    ask = {"question": "And in 4.2?"}
    bring(
        home,
        record("a", **ask, conversation=turns("x", "Timeout?", "30 s")),
        record("b", **ask, conversation=turns("other", "timeout", "30 s.")),
        record("c", **ask, conversation=turns("Limit?", "9")),
        record("d", **ask),
    )
    assert sorted(row.asked for row in rows(home)) == [1, 1, 2]


def test_weights_come_from_the_configuration_and_may_change_later(tmp_path, home):
    bring(
        home,
        record("a", slice="billing", signals=said("abandoned")),
        record("b", signals=said("reformulation"), scores=[score(0)]),
    )
    assert ids(home) == ["b", "a"]
    home.store.dispose()
    weights = {"abandoned": 5, "judge_weight": 0, "slice_weight": {"billing": 2}}
    changed = workspace(tmp_path, priority=weights)
    assert [(row.answer_id, row.priority) for row in rows(changed)] == [("a", 10), ("b", 2)]
    changed.store.dispose()


def test_reasons_are_at_most_four_strongest_first(home):
    kinds = ("follow_up", "abandoned", "reformulation", "thumbs_down", "escalation", "thumbs_up")
    bring(home, record("a", signals=said(*kinds)))
    assert rows(home)[0].reasons == ("escalation", "thumbs down", "reformulation", "abandoned")


# rows, counts, pages


def test_a_row_stands_for_a_group_with_its_worst_open_answer(home):
    same = {"question": "Same?"}
    bring(
        home,
        record("a", **same, pipeline_version="1", signals=said("correction")),
        record("b", **same, pipeline_version="2", signals=said("thumbs_down")),
        record("c", **same, pipeline_version="2"),
    )
    assert [(row.answer_id, row.more) for row in rows(home)] == [("a", 2)]
    take(home, "a")
    assert [(row.answer_id, row.more) for row in rows(home)] == [("b", 1)]
    finish(home.store, "a")
    assert [(row.answer_id, row.more, row.state) for row in rows(home)] == [
        ("b", 1, AnswerState.OPEN)
    ]
    assert ids(home, QueueFilter(state=QueueState.DONE)) == ["a"]


def test_counts_are_answers_and_add_up_under_every_filter(home):
    bring(
        home,
        *(
            record(f"{letter}{n}", question=f"{letter}?", slice=letter, pipeline_version="1")
            for letter in "vwxyz"
            for n in range(3)
        ),
    )
    finish(home.store, "v0")
    finish(home.store, "w0", Verdict.NOT_ACTIONABLE)
    take(home, "x0")
    take(home, "y0", ROB)

    def counts(filters):
        found = list_queue(home, MIA, filters, now=NOW).counts
        return (found.open, found.held, found.done, found.dismissed, found.covered, found.all)

    assert counts(ANY) == (7, 2, 1, 1, 4, 15)
    for state in QueueState:
        assert counts(QueueFilter(state=state)) == (7, 2, 1, 1, 4, 15)
    assert counts(QueueFilter(slice="v")) == (0, 0, 1, 0, 2, 3)
    assert counts(QueueFilter(slice="x")) == (2, 1, 0, 0, 0, 3)
    assert counts(QueueFilter(slice="none")) == (0, 0, 0, 0, 0, 0)


def test_mine_held_and_to_review(home):
    bring(home, *(record(name) for name in "abc"))
    take(home, "a")
    take(home, "b", ROB)
    assert ids(home) == ["c"]
    assert ids(home, QueueFilter(state=QueueState.MINE)) == ["a"]
    assert ids(home, QueueFilter(state=QueueState.MINE), person=None) == []
    held = rows(home, QueueFilter(state=QueueState.HELD))
    assert {(row.answer_id, row.lease.person) for row in held if row.lease} == {
        ("a", MIA),
        ("b", ROB),
    }
    assert {row.state for row in held} == {AnswerState.HELD}
    page = list_queue(home, MIA, ANY, now=NOW)
    assert [(item.answer_id, item.lease.person) for item in page.leases] == [("a", MIA), ("b", ROB)]
    later = list_queue(home, MIA, ANY, now=NOW + timedelta(minutes=31))
    assert (later.counts.held, later.leases, len(later.rows)) == (0, (), 3)


def test_pages(home):
    bring(
        home, *(record(f"a{n:03}", asked_at=f"2026-11-01T00:{n % 60:02}:00Z") for n in range(120))
    )
    seen = []
    for number in (1, 2, 3):
        page = list_queue(home, MIA, ANY, now=NOW, page=number)
        assert (page.shown, page.pages, page.page) == (120, 3, number)
        seen += [row.answer_id for row in page.rows]
    assert len(set(seen)) == 120
    assert list_queue(home, MIA, ANY, now=NOW, page=99).page == 3
    assert list_queue(home, MIA, ANY, now=NOW, page=-1).page == 1
    nothing = list_queue(home, MIA, QueueFilter(words="none"), now=NOW, page=3)
    assert (nothing.rows, nothing.shown, nothing.page, nothing.pages) == ((), 0, 1, 1)


def test_an_empty_store_is_an_empty_queue(home):
    page = list_queue(home, None, ANY, now=NOW)
    assert (page.rows, page.counts.all, page.shown) == ((), 0, 0)
    assert next_answer(home, MIA, ANY, now=NOW) is None


# filters


@pytest.fixture
def mixed(home):
    bring(
        home,
        record("a", question="Default of 50% _off_?", slice="x", pipeline_version="1"),
        record("b", slice="y", signals=said("correction", "thumbs_up"), pipeline_version="2"),
        record("c", slice="y", scores=[score(0.3, "faith"), score(0.9, "other")]),
        record("d", scores=[{"metric": "hallucination", "value": 0.8, "scale": [1, 0]}]),
        record("e", scores=[{"metric": "faith", "value": 3, "scale": [1, 5]}]),
        record(
            "f", scores=[{"metric": "faith", "status": "failed"}, score(0, "faith", chunk_id="c")]
        ),
    )
    return home


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "abcdef"),
        ({"slice": "y"}, "bc"),
        ({"signal": "correction"}, "b"),
        ({"signal": "thumbs_up"}, "b"),
        ({"signal": "escalation"}, ""),
        ({"pipeline_version": "1"}, "a"),
        ({"metric_below": MetricBelow(metric="faith", value=0.5)}, "c"),
        ({"metric_below": MetricBelow(metric="faith", value=4)}, "ce"),
        ({"metric_below": MetricBelow(metric="faith", value=0.3)}, ""),
        ({"metric_below": MetricBelow(metric="hallucination", value=0.5)}, "d"),
        ({"metric_below": MetricBelow(metric="hallucination", value=0.9)}, ""),
        ({"words": "default"}, "a"),
        ({"words": " DEFAULT  off "}, "a"),
        ({"words": "50%"}, "a"),
        ({"words": "%"}, "a"),
        ({"words": "what_is"}, ""),
        ({"words": "' OR 1=1 --"}, ""),
        ({"words": "what is"}, "bcdef"),
        ({"slice": "y", "signal": "correction", "words": "what"}, "b"),
    ],
)
def test_filters(mixed, filters, expected):
    chosen = QueueFilter.model_validate(filters)
    page = list_queue(mixed, MIA, chosen, now=NOW)
    assert sorted(row.answer_id for row in page.rows) == list(expected)
    assert page.shown == page.counts.open == page.counts.all == len(expected)


def test_the_many_and_the_few_are_found_alike(mixed, monkeypatch):
    """Where many answers match, the groups are walked instead of collected."""
    for filters in (
        ANY,
        QueueFilter(slice="y"),
        QueueFilter(words="what"),
        QueueFilter(state="held"),
    ):
        collected = ids(mixed, filters)
        monkeypatch.setattr("curation.store.queue.FEW", 1)
        assert ids(mixed, filters) == collected
        monkeypatch.undo()


def test_choices_are_what_the_store_has_seen(mixed):
    found = filter_choices(mixed)
    assert found.slices == ("x", "y")
    assert [kind.value for kind in found.signals] == ["thumbs_up", "correction"]
    assert found.pipeline_versions == ("1", "2")
    assert found.metrics == ("faith", "hallucination", "other")


# the judge, and the next answer


def test_showing_the_judge_makes_reviews_of_the_page_not_blind(home):
    bring(home, record("a"), record("b"), record("c"))
    list_queue(home, MIA, ANY, now=NOW, size=1)
    list_queue(home, None, ANY, now=NOW, show_judge=True)
    shown = ids(home, size=1, show_judge=True)
    with home.store.reading() as session:
        assert [name for name in "abc" if not is_blind(session, name, MIA)] == shown
        assert all(is_blind(session, name, ROB) for name in "abc")


def test_filtering_by_a_metric_shows_the_judge(home):
    bring(home, record("a", scores=[score(0)]))
    below = QueueFilter(metric_below=MetricBelow(metric="m", value=1))
    assert rows(home, below)[0].priority == 3
    with home.store.reading() as session:
        assert not is_blind(session, "a", MIA)


def test_next_claims_in_the_order_of_the_list(home):
    bring(
        home,
        record("a", signals=said("abandoned")),
        record("b", signals=said("correction")),
        record("c", scores=[score(0)]),
    )
    order = ids(home)
    assert order == ["b", "c", "a"]
    with home.store.writing() as session:
        record_skip(session, "c", MIA, now=NOW)
    assert [next_answer(home, MIA, ANY, now=NOW) for _ in range(3)] == ["b", "a", None]
    assert next_answer(home, ROB, ANY, now=NOW) == "c"


def test_a_reader_gets_no_answer_to_review(tmp_path):
    home = workspace(tmp_path, people={"mia@example.org": "reviewer"})
    bring(home, record("a"))
    with pytest.raises(CurationError, match="needs the role reviewer"):
        next_answer(home, Person(name="X", email="x@example.org"), ANY, now=NOW)
    assert next_answer(home, MIA, ANY, now=NOW) == "a"
    home.store.dispose()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["claim", "right", "proposed", "duplicate", "undo", "later", "import"]),
        st.integers(0, 7),
    ),
    max_size=10,
)


@settings(max_examples=20)
@given(steps=STEPS)
def test_whatever_happens_rows_counts_and_next_agree(tmp_path_factory, steps):
    from curation.store.reviews import undo_review

    folder = tmp_path_factory.mktemp("queue")
    home = workspace(folder)
    now = NOW
    try:
        whole = [record(f"a{n}", question=f"q{n % 3}?", answer=f"t{n % 2}") for n in range(8)]
        bring(home, *whole[:5])
        size = 5
        for step, n in steps:
            name = f"a{n % size}"
            if step == "import":
                size = min(size + 1, 8)
                bring(home, *whole[:size], name="more.jsonl")
            elif step == "later":
                now += timedelta(minutes=20)
            elif step == "claim":
                with home.store.writing() as session:
                    claim(session, name, MIA, now=now, minutes=30)
            elif step == "undo":
                with home.store.writing() as session:
                    undo_review(session, name, MIA)
            else:
                finish(home.store, name, Verdict(step))
            page = list_queue(home, MIA, ANY, now=now)
            assert page.counts.all == size
            assert sum(row.more + 1 for row in page.rows) == page.counts.open
            assert len(page.rows) == page.shown
            assert len(page.leases) == page.counts.held
            for state, number in page.counts:
                if state != "open":
                    listed = list_queue(home, MIA, QueueFilter(state=state), now=now)
                    assert sum(row.more + 1 for row in listed.rows) == number
    finally:
        home.store.dispose()
