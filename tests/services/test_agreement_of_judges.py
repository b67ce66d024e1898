"""Judges against people: which labels count, what they are compared with, and who may see it."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from curation.config import AgreementSettings
from curation.domain.adjudication import Settlement
from curation.domain.human_label import LabelSource, labels_of_review, level_of
from curation.domain.person import Person
from curation.domain.review import FailureCategory, Review, Verdict
from curation.metrics.agreement_between_people import Measure
from curation.metrics.agreement_verdict import Belief
from curation.services.agreement import AgreementQuery, judge_reports
from curation.services.agreement_lines import report_document, report_lines
from curation.services.judge_blindness import seen_disagreements
from curation.services.workspace import Workspace
from curation.store.adjudication import read_contest, settle
from curation.store.reviews import is_blind, mark_not_blind
from curation.store.schema import SAMPLE, SAMPLE_ITEM
from tests.services.home import MIA, NOW, ROB, workspace
from tests.store.logs import answer, finish, put

JUDGE = "openai/gpt-5-mini"


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Workspace]:
    opened = workspace(tmp_path)
    yield opened
    opened.store.dispose()


def scored(value: float | None, metric: str = "faithfulness", **fields: Any) -> dict[str, Any]:
    whole = {"metric": metric, "value": value, "scale": (0, 2), "judge": JUDGE}
    return {**whole, "prompt_version": "1", **fields}


def labelled(value: float | None, person: str, **fields: Any) -> dict[str, Any]:
    whole = {"metric": "faithfulness", "value": value, "scale": (0, 2), "person": person}
    return {**whole, **fields}


def review(
    desk: Workspace,
    answer_id: str,
    verdict: Verdict,
    failure: FailureCategory | None = None,
    person: Person = MIA,
) -> None:
    finish(desk.store, answer_id, verdict, failure=failure, person=person)


def test_a_review_labels_what_measures_says_and_nothing_else() -> None:
    def said(verdict: Verdict, failure: FailureCategory | None = None) -> dict[str, int]:
        one = Review(
            answer_id="a",
            person=MIA,
            verdict=verdict,
            reason="r",
            at=NOW,
            blind=True,
            failure=failure,
        )
        return {label.metric: label.level for label in labels_of_review(one)}

    assert said(Verdict.RIGHT) == {"faithfulness": 2, "answer_relevancy": 2}
    assert said(Verdict.PROPOSED, FailureCategory.FAITHFULNESS) == {"faithfulness": 0}
    assert said(Verdict.EDITED, FailureCategory.ANSWER_RELEVANCY) == {"answer_relevancy": 0}
    assert said(Verdict.DUPLICATE, FailureCategory.OVER_ABSTENTION) == {"answer_relevancy": 0}
    assert said(Verdict.PROPOSED, FailureCategory.CONTEXT_RECALL) == {"context_recall": 0}
    assert said(Verdict.NOT_ACTIONABLE, FailureCategory.FAITHFULNESS) == {}
    for other in ("context_precision", "citation", "false_answer", "none"):
        assert said(Verdict.PROPOSED, FailureCategory(other)) == {}
    assert said(Verdict.PROPOSED) == {}


@pytest.mark.parametrize(
    ("value", "scale", "word", "level"),
    [
        (0, (0, 2), None, 0),
        (1, (0, 2), None, 1),
        (0, (2, 0), None, 2),
        (0, (0, 1), None, 0),
        (1, (0, 1), None, 2),
        (0.25, (0, 1), None, 1),  # half way: in between
        (0.75, (0, 1), None, 1),
        (0.76, (0, 1), None, 2),
        (2, (1, 4), None, 1),
        (4, (1, 4), None, 2),
        (0.4, None, "bad", 0),
        (None, None, "Partial", 1),
        (None, None, "excellent", None),
        (3, (0, 2), None, None),
        (-1, None, None, None),
        (1, (1, 1), None, None),
        (None, (0, 2), None, None),
    ],
)
def test_a_number_is_read_as_the_nearest_level(
    value: float | None, scale: tuple[float, float] | None, word: str | None, level: int | None
) -> None:
    assert level_of(value, scale, word) == level


def test_only_blind_labels_count_and_failures_stay_apart(desk: Workspace) -> None:
    put(
        desk.store,
        answer("right", scores=[scored(2)]),
        answer("wrong", scores=[scored(2)]),
        answer("seen", scores=[scored(0)]),
        answer("broken", scores=[scored(None, status="failed", error_kind="time_out")]),
        answer("unlabelled", scores=[scored(1)]),
    )
    review(desk, "right", Verdict.RIGHT)
    review(desk, "wrong", Verdict.PROPOSED, FailureCategory.FAITHFULNESS)
    with desk.store.writing() as session:
        mark_not_blind(session, "seen", MIA, now=NOW)
    review(desk, "seen", Verdict.RIGHT)
    review(desk, "broken", Verdict.RIGHT)
    (found,) = judge_reports(desk)
    assert (found.figures.n, found.labels.review, found.labels.not_blind) == (2, 3, 1)
    assert (found.failed, found.compared_failed) == (1, 1)
    assert found.figures.confusion == ((0, 0, 1), (0, 0, 0), (0, 0, 1))
    assert (found.figures.kappa.value, found.figures.bad.recall.value) == (0.0, 0.0)
    assert [d.answer_id for d in found.disagreements] == ["wrong"]


def test_raters_are_kept_and_decide_by_majority_never_by_the_mean(desk: Workspace) -> None:
    put(
        desk.store,
        answer(
            "two",
            scores=[scored(2)],
            labels=[labelled(v, p) for v, p in ((2, "a"), (2, "b"), (0, "c"))],
        ),
        answer("tied", scores=[scored(1)], labels=[labelled(0, "a"), labelled(2, "b")]),
        answer("again", scores=[scored(0)], labels=[labelled(2, "a"), labelled(0, "a")]),
    )
    (found,) = judge_reports(desk)
    assert found.figures.confusion == ((1, 0, 0), (0, 0, 0), (0, 0, 1))
    assert [(tie.answer_id, tie.raters) for tie in found.ties] == [("tied", 2)]
    assert (found.people.items, found.people.raters) == (2, 3)


def test_two_different_numbers_that_read_alike_are_no_majority(desk: Workspace) -> None:
    given = [labelled(v, p, scale=(1, 4)) for v, p in ((2, "a"), (3, "b"), (4, "c"))]
    put(desk.store, answer("x", scores=[scored(1)], labels=given))
    (found,) = judge_reports(desk)
    assert (found.figures.n, len(found.ties)) == (0, 1)


def test_labels_of_one_class_leave_the_figures_undefined(desk: Workspace) -> None:
    put(desk.store, *(answer(f"a-{n}", scores=[scored(2)]) for n in range(12)))
    for n in range(12):
        review(desk, f"a-{n}", Verdict.RIGHT)
    (found,) = judge_reports(desk)
    assert found.figures.kappa.value is None
    text = "\n".join(report_lines(found, seen_disagreements(desk, (), person=None, now=NOW)))
    assert "weighted kappa: undefined" in text
    assert "nan" not in text.casefold()
    document = report_document(found, seen_disagreements(desk, (), person=None, now=NOW))
    assert document["figures"]["kappa"]["value"] is None


def test_another_judge_or_prompt_since_makes_figures_stale(desk: Workspace) -> None:
    later = NOW + timedelta(days=2)
    put(
        desk.store,
        answer("a", scores=[scored(2, at=NOW), scored(2, prompt_version="2", at=later)]),
        answer("b", scores=[scored(2, judge="proxy/quantities", at=NOW - timedelta(days=9))]),
    )
    found = {(r.judge, r.prompt_version): r.stale for r in judge_reports(desk)}
    assert "the same judge with prompt 2" in (found[JUDGE, "1"] or "")
    assert found[JUDGE, "2"] is None
    assert found["proxy/quantities", "1"] is None  # a proxy stands beside a model


def test_a_judge_of_the_same_family_is_named(desk: Workspace) -> None:
    put(
        desk.store,
        answer("own", model="gpt-4o", scores=[scored(2)], labels=[labelled(2, "a")]),
        answer("other", model="claude-sonnet-4", scores=[scored(2)], labels=[labelled(2, "a")]),
    )
    (found,) = judge_reports(desk)
    assert found.own_kind == 1
    seen = seen_disagreements(desk, (), person=None, now=NOW)
    assert any(
        line.strip().startswith("Same family: 1 of the 2") for line in report_lines(found, seen)
    )


def test_what_a_metric_is_compared_with(tmp_path: Path) -> None:
    settings = AgreementSettings(compare={"theirs": "faithfulness"}, relative=("duel",))
    desk = workspace(tmp_path, agreement=settings.model_dump())
    names = ("theirs", "unknown", "faithfulness", "answer_relevancy")
    scores = [scored(2, metric) for metric in names]
    whole = {"metric": "verdict", "label": "good", "person": "adjudicated"}
    put(
        desk.store,
        answer("a", scores=scores, labels=[labelled(2, "r"), whole]),
        answer("b", scores=scores, labels=[labelled(0, "r"), whole], tags=("duel",)),
    )
    found = {r.metric: (r.against, r.figures.n, r.labels.relative) for r in judge_reports(desk)}
    desk.store.dispose()
    assert found["theirs"] == ("faithfulness", 1, 1)
    assert found["faithfulness"] == ("faithfulness", 1, 1)
    assert found["unknown"] == ("verdict", 1, 1)
    assert found["answer_relevancy"] == (
        "answer_relevancy",
        0,
        0,
    )  # a bad answer may be to the point


def test_slices_and_a_threshold(desk: Workspace) -> None:
    put(
        desk.store,
        answer("a", slice="x", scores=[scored(1)], labels=[labelled(0, "r")]),
        answer("b", slice="y", scores=[scored(2)], labels=[labelled(2, "r")]),
    )
    (found,) = judge_reports(desk)
    assert [(s.slice, s.figures.n) for s in found.slices] == [("x", 1), ("y", 1)]
    (only,) = judge_reports(desk, AgreementQuery(slice="x", below=1.5))
    assert (only.figures.n, only.figures.bad.recall.hits) == (1, 1)


def test_a_judge_that_hands_out_good_marks_is_called_so(desk: Workspace) -> None:
    put(
        desk.store,
        *(answer(f"b-{n}", scores=[scored(2)], labels=[labelled(0, "r")]) for n in range(3)),
    )
    (found,) = judge_reports(desk)
    assert found.verdict.belief is Belief.GENEROUS
    assert found.verdict.words.startswith(
        "Hands out good marks to bad answers: it gives 2 to 3 of 3"
    )


def test_a_disagreement_stays_hidden_until_ones_own_word_is_in(desk: Workspace) -> None:
    put(
        desk.store,
        answer("mine", scores=[scored(2)]),
        answer("imported", scores=[scored(2)], labels=[labelled(0, "r")]),
    )
    review(desk, "mine", Verdict.PROPOSED, FailureCategory.FAITHFULNESS)
    (found,) = judge_reports(desk)
    seen = seen_disagreements(desk, found.disagreements, person=MIA, now=NOW)
    assert ([d.answer_id for d in seen.shown], seen.hidden) == (["mine"], 1)
    nobody = seen_disagreements(desk, found.disagreements, person=ROB, now=NOW)
    assert (nobody.shown, nobody.hidden) == ((), 2)
    document = report_document(found, nobody)
    assert (document["disagreements"], document["hidden_disagreements"]) == ([], 2)

    everything = seen_disagreements(desk, found.disagreements, person=ROB, now=NOW, show_judge=True)
    assert len(everything.shown) == 2
    with desk.store.reading() as session:
        assert not is_blind(session, "imported", ROB)
        assert is_blind(session, "imported", MIA)


def test_labels_say_where_they_come_from() -> None:
    assert [source.value for source in LabelSource] == ["imported", "review", "spot_check"]
    assert datetime.now(UTC) > NOW - timedelta(days=3650)


def sample(desk: Workspace, pi: dict[str, float], *, slots: int = 1) -> None:
    """Store a sample with these answers and probabilities."""
    with desk.store.writing() as session:
        session.connection().execute(
            SAMPLE.insert().values(
                drawn_at=NOW,
                name=MIA.name,
                email=MIA.email,
                asked_for=len(pi),
                seed=1,
                control_share=0,
                double_share=0,
                frame=99,
                control=0,
                targeted=len(pi),
            )
        )
        number = session.connection().execute(select(func.max(SAMPLE.c.id))).scalar_one()
        for at, (answer_id, one) in enumerate(pi.items()):
            session.connection().execute(
                SAMPLE_ITEM.insert().values(
                    sample_id=number,
                    answer_id=answer_id,
                    position=at,
                    arm="targeted",
                    pi=one,
                    slots=slots,
                )
            )


def test_reviews_of_a_sample_weigh_one_over_their_probability(desk: Workspace) -> None:
    put(desk.store, answer("a", scores=[scored(0)]), answer("b", scores=[scored(2)]))
    sample(desk, {"a": 1.0, "b": 0.1})
    review(desk, "a", Verdict.PROPOSED, FailureCategory.FAITHFULNESS)
    review(desk, "b", Verdict.PROPOSED, FailureCategory.FAITHFULNESS)
    (found,) = judge_reports(desk)
    assert found.figures.raw.value == 0.5
    assert found.figures.corrected is not None
    assert found.figures.corrected.raw == pytest.approx(1 / 11)
    assert found.figures.corrected.recall == pytest.approx(1 / 11)


def test_a_first_of_two_verdicts_says_nothing_until_the_second_is_in(desk: Workspace) -> None:
    put(desk.store, answer("a", scores=[scored(2)]))
    sample(desk, {"a": 0.5}, slots=2)
    review(desk, "a", Verdict.RIGHT)
    (found,) = judge_reports(desk)
    assert (found.figures.n, found.labels.review) == (0, 0)
    review(desk, "a", Verdict.RIGHT, person=ROB)
    (found,) = judge_reports(desk)
    assert (found.figures.n, found.labels.review, found.people.items) == (1, 2, 1)


def stand(desk: Workspace, answer_id: str, whose: Person) -> None:
    """Let one of the verdicts on an answer stand, whoever says so."""
    with desk.store.writing() as session:
        contest = read_contest(session, answer_id)
        assert contest is not None
        chosen = contest.of(whose)
        assert chosen is not None
        word = Settlement(review_id=chosen.review_id, person=whose, at=NOW, reason="It is.")
        settle(session, answer_id, word)


def test_the_verdict_that_somebody_let_stand_decides(desk: Workspace) -> None:
    put(desk.store, answer("a", scores=[scored(2)]))
    sample(desk, {"a": 0.5}, slots=2)
    review(desk, "a", Verdict.RIGHT)
    review(desk, "a", Verdict.PROPOSED, FailureCategory.FAITHFULNESS, person=ROB)
    (found,) = judge_reports(desk)
    assert found.labels.review == 0
    stand(desk, "a", ROB)
    (found,) = judge_reports(desk)
    assert (found.figures.n, found.ties) == (1, ())
    assert found.figures.confusion[0] == (0, 0, 1)


def test_people_agree_as_far_as_both_verdicts_of_each_pair_do_whichever_stands(
    desk: Workspace,
) -> None:
    said = [(2, 2), (2, 0), (0, 0), (0, 2), (2, 2), (0, 0), (2, 0)]
    put(desk.store, *(answer(f"a{n}", scores=[scored(2)]) for n in range(len(said))))
    sample(desk, {f"a{n}": 0.5 for n in range(len(said))}, slots=2)
    for n, pair in enumerate(said):
        for level, person in zip(pair, (MIA, ROB), strict=True):
            verdict = Verdict.RIGHT if level else Verdict.PROPOSED
            failure = None if level else FailureCategory.FAITHFULNESS
            review(desk, f"a{n}", verdict, failure, person)
    (before,) = judge_reports(desk)
    assert (before.figures.n, before.labels.review) == (4, 8)  # the pairs that agree
    stand(desk, "a1", ROB)
    (after,) = judge_reports(desk)
    assert (after.figures.n, after.labels.review) == (5, 10)
    for people in (before.people, after.people):
        assert (people.items, people.raters) == (len(said), 2)
        for measure in Measure:  # two levels only: the three are one figure, the package's too
            assert getattr(people, measure.value) == pytest.approx(0.2040816, abs=1e-6)


def test_a_decider_who_had_seen_the_judge_leaves_the_answer_without_a_label(
    desk: Workspace,
) -> None:
    put(desk.store, answer("a", scores=[scored(2)]))
    sample(desk, {"a": 0.5}, slots=2)
    review(desk, "a", Verdict.RIGHT)
    with desk.store.writing() as session:
        mark_not_blind(session, "a", ROB, now=NOW)
    review(desk, "a", Verdict.PROPOSED, FailureCategory.FAITHFULNESS, person=ROB)
    stand(desk, "a", ROB)
    (found,) = judge_reports(desk)
    assert (found.figures.n, found.labels.not_blind) == (0, 1)


def test_a_verdict_that_did_not_stand_labels_nothing_that_the_other_did_not(
    desk: Workspace,
) -> None:
    put(desk.store, answer("a", scores=[scored(2), scored(2, "answer_relevancy")]))
    sample(desk, {"a": 0.5}, slots=2)
    review(desk, "a", Verdict.RIGHT)
    review(desk, "a", Verdict.PROPOSED, FailureCategory.FAITHFULNESS, person=ROB)
    third = Person(name="Ana Ruiz", email="ana@example.org")
    review(desk, "a", Verdict.PROPOSED, FailureCategory.FAITHFULNESS, person=third)
    found = {one.metric: one for one in judge_reports(desk)}
    assert found["faithfulness"].figures.confusion[0] == (0, 0, 1)
    assert found["answer_relevancy"].figures.n == 0
