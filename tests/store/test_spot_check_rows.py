"""Spot checks and scores by judge, the same on both databases."""

import pytest

from curation.store import Store
from curation.store.human_labels import imported_labels, spot_labels, tagged, unfinished_checks
from curation.store.scores_by_judge import JudgeKey, items_of, judged_items, score_counts
from curation.store.spot_checks import (
    SpotCheck,
    SpotItem,
    SpotLabel,
    add_check,
    add_label,
    all_checks,
    drop_label,
    items_of_check,
    label_counts,
    labelled_by,
    labels_of_check,
)
from tests.store.logs import MIA, NOW, ROB, answer, put, score

CHECK = SpotCheck(
    number=0, metric="faithfulness", judge="j", seed=3, wanted=2, drawn_by=MIA, at=NOW
)
ITEMS = (
    SpotItem(position=1, answer_id="a", stratum="2", probability=0.25),
    SpotItem(position=2, answer_id="b", chunk_id="c", stratum="failed", probability=1),
)


def label(position: int, level: int = 2, blind: bool = True) -> SpotLabel:
    return SpotLabel(position=position, person=MIA, level=level, seconds=2.5, at=NOW, blind=blind)


@pytest.fixture
def filled(store: Store) -> Store:
    put(
        store,
        answer(
            "a",
            tags=("duel",),
            scores=[score("faithfulness", 1, judge="j", at=NOW), score("odd", 1)],
            labels=[
                {"metric": "faithfulness", "value": 3, "scale": (1, 4), "person": "r"},
                {"metric": "faithfulness", "value": 9, "scale": (1, 4), "person": "s"},
                {"metric": "verdict", "value": 0.4, "scale": (0, 1), "label": "bad"},
            ],
        ),
        answer(
            "b",
            scores=[score("faithfulness", None, judge="j", status="failed", chunk_id="c")],
        ),
    )
    return store


def test_a_check_is_kept_with_its_items_under_the_next_number(filled: Store) -> None:
    with filled.writing() as session:
        first = add_check(session, CHECK, ITEMS)
        second = add_check(session, CHECK.model_copy(update={"decides": True}), ITEMS[:1])
    with filled.reading() as session:
        assert all_checks(session) == (second, first)
        assert items_of_check(session, first.number) == ITEMS
        assert label_counts(session, MIA) == {1: (2, 0), 2: (1, 0)}


def test_a_first_word_stays_until_it_is_taken_back(filled: Store) -> None:
    with filled.writing() as session:
        add_check(session, CHECK, ITEMS)
        add_label(session, 1, label(1))
        add_label(session, 1, label(1, 0))
        assert labels_of_check(session, 1) == (label(1),)
        assert unfinished_checks(session, MIA.key) == {1}
        assert labelled_by(session, MIA) == frozenset()
        add_label(session, 1, label(2, 0, blind=False))
        assert unfinished_checks(session, MIA.key) == frozenset()
        assert labelled_by(session, MIA) == {"a", "b"}
        drop_label(session, 1, 2, MIA)
        assert label_counts(session, MIA) == {1: (2, 1)}
        assert label_counts(session, ROB) == {1: (2, 0)}


def test_labels_come_back_with_what_they_are_about(filled: Store) -> None:
    with filled.writing() as session:
        add_check(session, CHECK, ITEMS)
        add_label(session, 1, label(1))
        found = spot_labels(session)
        assert spot_labels(session, hidden_from=MIA.key) == []
        assert spot_labels(session, hidden_from=ROB.key) == found
    (one,) = found
    assert (one.unit, one.metric, one.level, one.person) == (
        ("a", None),
        "faithfulness",
        2,
        MIA.key,
    )
    assert (one.probability, one.blind, one.decides) == (0.25, True, False)


def test_imported_labels_keep_their_rater_and_their_number(filled: Store) -> None:
    with filled.reading() as session:
        found = imported_labels(session)
        assert tagged(session, ["a", "b"], ["duel", "other"]) == {"a"}
        assert tagged(session, ["a"], []) == frozenset()
    assert [(one.metric, one.person, one.level, one.given) for one in found] == [
        ("faithfulness", "r", 1, (3.0, (1.0, 4.0))),
        ("verdict", "unnamed", 0, (0.0, (0, 2))),
    ]


def test_scores_are_counted_by_judge_metric_and_prompt(filled: Store) -> None:
    with filled.reading() as session:
        counts = {one.key: one for one in score_counts(session)}
        items = items_of(session, JudgeKey("j", "faithfulness", None))
        both = judged_items(session, ["a", "b"])
    faithful = counts[JudgeKey("j", "faithfulness", None)]
    assert (faithful.scores, faithful.failed, faithful.newest, faithful.per_chunk) == (
        2,
        1,
        NOW,
        True,
    )
    assert counts[JudgeKey(None, "odd", None)].newest is None
    assert [(one.answer_id, one.chunk_id, one.failed) for one in items] == [
        ("a", None, False),
        ("b", "c", True),
    ]
    assert len(both) == 3
