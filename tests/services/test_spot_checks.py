"""Spot checks: a stratified draw, blind labelling by several people, and its end."""

from collections import Counter
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import NotFoundError, RoleError
from curation.services.agreement import judge_reports
from curation.services.spot_check import (
    NoLevelError,
    NotDrawnError,
    NothingToDrawError,
    NoTiesError,
    Said,
    SpotRequest,
    begin,
    label_items,
    shares,
    shown_items,
    take_back,
    waiting,
)
from curation.services.spot_summary import NotAtTheEndError, summary
from curation.services.workspace import Workspace
from curation.store.reviews import is_blind, mark_not_blind
from tests.services.home import MIA, NOW, ROB, workspace
from tests.store.logs import answer, put

LEVELS = {0: 3, 1: 10, 2: 40, None: 5}


def scores(level: int | None, **fields: Any) -> list[dict[str, Any]]:
    failed = {"status": "failed", "error_kind": "parse"} if level is None else {}
    whole = {"metric": "faithfulness", "value": level, "scale": (0, 2), "judge": "j", **failed}
    return [{**whole, "reason": "SECRET", **fields}]


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Workspace]:
    opened = workspace(tmp_path)
    log = [
        answer(f"{level}-{n:02}", scores=scores(level), labels=[])
        for level, count in LEVELS.items()
        for n in range(count)
    ]
    put(opened.store, *log)
    yield opened
    opened.store.dispose()


def label_all(desk: Workspace, number: int, level: int, person: Any = MIA) -> None:
    where = begin(desk, SpotRequest(), person=person, now=NOW)
    said = [Said(position=i.position, level=level, seconds=4.0) for i in where.items]
    label_items(desk, number, said, person=person, now=NOW)


def test_the_draw_is_stratified_with_its_probabilities(desk: Workspace) -> None:
    where = begin(desk, SpotRequest(n=20, seed=7), person=MIA, now=NOW)
    strata = Counter(item.stratum for item in where.items)
    assert strata == {"0": 3, "1": 6, "2": 6, "failed": 5}
    drawn = {item.stratum: item.probability for item in where.items}
    assert drawn == {"0": 1, "1": 6 / 10, "2": 6 / 40, "failed": 1}
    order = [item.stratum for item in where.items]
    assert order != sorted(order)


@given(st.dictionaries(st.sampled_from("0123"), st.integers(0, 50)), st.integers(0, 120))
def test_shares_give_all_that_was_asked_for_and_no_more_than_there_is(
    sizes: dict[str, int], n: int
) -> None:
    given_ = shares(sizes, n)
    assert sum(given_.values()) == min(n, sum(sizes.values()))
    assert all(0 < number <= sizes[name] for name, number in given_.items())
    full = [name for name in sizes if given_.get(name, 0) == sizes[name]]
    open_ = [given_.get(name, 0) for name in sizes if name not in full]
    assert max(open_, default=0) - min(open_, default=0) <= max(len(open_), 3)


def test_a_second_person_gets_the_same_items_and_an_interruption_goes_on(desk: Workspace) -> None:
    first = begin(desk, SpotRequest(n=6), person=MIA, now=NOW)
    label_items(desk, first.check.number, [Said(position=1, level=2)], person=MIA, now=NOW)
    again = begin(desk, SpotRequest(n=30), person=MIA, now=NOW)
    assert (again.check.number, again.done, again.next) == (1, 1, first.items[1])
    other = begin(desk, SpotRequest(n=6), person=ROB, now=NOW)
    assert (other.items, other.done) == (first.items, 0)
    assert [one.check.number for one in waiting(desk, ROB)] == [1]
    assert begin(desk, SpotRequest(n=6, new=True), person=MIA, now=NOW).check.number == 2
    seeded = begin(desk, SpotRequest(n=6, seed=5), person=MIA, now=NOW)
    same = begin(desk, SpotRequest(n=6, seed=5, new=True), person=MIA, now=NOW)
    assert [i.answer_id for i in seeded.items] == [i.answer_id for i in same.items]
    said = [Said(position=i.position, level=1) for i in same.items]
    label_items(desk, same.check.number, said, person=MIA, now=NOW)
    told = begin(desk, SpotRequest(n=6, seed=5), person=MIA, now=NOW)
    assert (told.check.number, told.finished) == (same.check.number, True)


def test_an_item_shows_nothing_of_the_judge_and_of_others(desk: Workspace) -> None:
    where = begin(desk, SpotRequest(n=8), person=MIA, now=NOW)
    label_items(desk, where.check.number, [Said(position=1, level=0)], person=ROB, now=NOW)
    shown = shown_items(desk, where)
    assert [item.of for item in shown] == [8] * 8
    assert all(not item.answer.scores and not item.answer.labels for item in shown)
    assert "SECRET" not in repr(shown)
    with pytest.raises(NotAtTheEndError, match="8 items are left"):
        summary(desk, where.check.number, person=MIA, now=NOW)


def test_a_first_word_stays_and_the_last_one_can_be_taken_back(desk: Workspace) -> None:
    where = begin(desk, SpotRequest(n=3), person=MIA, now=NOW)
    number = where.check.number
    label_items(desk, number, [Said(position=1, level=2)], person=MIA, now=NOW)
    where = label_items(desk, number, [Said(position=1, level=0)], person=MIA, now=NOW)
    assert [label.level for label in where.mine] == [2]
    later = NOW + timedelta(seconds=9)
    label_items(desk, number, [Said(position=2, level=1)], person=MIA, now=later)
    assert [label.position for label in take_back(desk, number, person=MIA).mine] == [1]
    for position in (2, 3):
        said = [Said(position=position, level=1)]
        where = label_items(desk, number, said, person=MIA, now=later)
    assert take_back(desk, number, person=MIA).finished  # the end has shown the judge


def test_the_end_tells_the_pace_and_the_agreement_and_ends_blindness(desk: Workspace) -> None:
    where = begin(desk, SpotRequest(n=20), person=MIA, now=NOW)
    levels = {"0": 0, "1": 2, "2": 2, "failed": 1}
    said = [
        Said(position=i.position, level=levels[i.stratum], seconds=float(i.position))
        for i in where.items
    ]
    label_items(desk, 1, said, person=MIA, now=NOW)
    end = summary(desk, 1, person=MIA, now=NOW)
    assert (end.items, end.blind, end.judge_failed) == (20, 20, 5)
    assert (end.seconds_mean, end.seconds_median) == (10.5, 10.5)
    assert end.figures.confusion == ((3, 0, 0), (0, 0, 0), (0, 6, 6))
    assert len(end.disagreements) == 6
    assert end.figures.corrected is not None
    assert end.figures.corrected.raw == pytest.approx(43 / 53)  # 3 of 0, 10 of 1, 40 of 2
    with desk.store.reading() as session:
        assert not is_blind(session, where.items[0].answer_id, MIA)
        assert is_blind(session, where.items[0].answer_id, ROB)
    (report,) = judge_reports(desk)
    assert (report.figures.n, report.labels.spot_check) == (15, 20)


def test_somebody_in_the_middle_is_not_told_the_running_agreement(desk: Workspace) -> None:
    begin(desk, SpotRequest(n=4), person=MIA, now=NOW)
    label_items(desk, 1, [Said(position=1, level=2)], person=MIA, now=NOW)
    (mine,) = judge_reports(desk, person=MIA)
    (theirs,) = judge_reports(desk, person=ROB)
    assert (mine.labels.spot_check, theirs.labels.spot_check) == (0, 1)


def test_a_label_on_a_judge_that_was_seen_is_not_blind(desk: Workspace) -> None:
    where = begin(desk, SpotRequest(n=4), person=MIA, now=NOW)
    with desk.store.writing() as session:
        mark_not_blind(session, where.items[0].answer_id, MIA, now=NOW)
    label_all(desk, 1, 2)
    assert summary(desk, 1, person=MIA, now=NOW).blind == 3


def test_two_people_on_the_same_items_tell_how_people_agree_and_a_third_decides(
    desk: Workspace,
) -> None:
    where = begin(desk, SpotRequest(n=6), person=MIA, now=NOW)
    label_all(desk, 1, 2)
    said = [Said(position=i.position, level=0 if i.position == 1 else 2) for i in where.items]
    begin(desk, SpotRequest(), person=ROB, now=NOW)
    label_items(desk, 1, said, person=ROB, now=NOW)
    end = summary(desk, 1, person=ROB, now=NOW)
    assert (end.people.items, end.people.raters) == (6, 2)
    assert end.people.nominal is not None
    (report,) = judge_reports(desk)
    assert [tie.answer_id for tie in report.ties] == [where.items[0].answer_id]

    decided = begin(desk, SpotRequest(ties=True), person=MIA, now=NOW)
    assert [item.answer_id for item in decided.items] == [where.items[0].answer_id]
    label_items(desk, decided.check.number, [Said(position=1, level=0)], person=MIA, now=NOW)
    (after,) = judge_reports(desk)
    assert (len(after.ties), after.figures.n) == (0, report.figures.n + 1)
    assert sum(after.figures.confusion[0]) == 1  # the tied one is a 0 now


def test_refusals_say_what_to_do(desk: Workspace, tmp_path: Path) -> None:
    begin(desk, SpotRequest(n=2), person=MIA, now=NOW)
    with pytest.raises(NotDrawnError, match="spot check 1 has no item 9"):
        label_items(desk, 1, [Said(position=9, level=1)], person=MIA, now=NOW)
    for level in (3, -1, True):
        with pytest.raises(NoLevelError, match="is not 0, 1 or 2"):
            label_items(desk, 1, [Said(position=1, level=level)], person=MIA, now=NOW)
    with pytest.raises(NotFoundError, match="no spot check '7'"):
        summary(desk, 7, person=MIA, now=NOW)
    with pytest.raises(NothingToDrawError, match="the metric nothing"):
        begin(desk, SpotRequest(metric="nothing"), person=MIA, now=NOW)
    with pytest.raises(NoTiesError):
        begin(desk, SpotRequest(ties=True), person=MIA, now=NOW)
    guarded = workspace(tmp_path / "guarded", people={MIA.email: "reader"})
    with pytest.raises(RoleError):
        begin(guarded, SpotRequest(), person=MIA, now=NOW)
    guarded.store.dispose()


def test_chunks_are_drawn_and_labelled_one_by_one(tmp_path: Path) -> None:
    desk = workspace(tmp_path)
    chunks = [{"rank": n, "chunk_id": f"c-{n}", "text": f"text {n}"} for n in (1, 2)]
    judged = [score for n in (1, 2) for score in scores(n, metric="relevance", chunk_id=f"c-{n}")]
    put(desk.store, answer("a", retrieved=chunks, scores=judged))
    where = begin(desk, SpotRequest(), person=MIA, now=NOW)
    assert {item.chunk_id for item in where.items} == {"c-1", "c-2"}
    label_all(desk, 1, 2)
    (report,) = judge_reports(desk)
    desk.store.dispose()
    assert report.figures.n == 2
