"""A judge's list, claims, budget and scores in the store, on SQLite and on PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from curation.domain.answer import Answer, Score, ScoreStatus
from curation.domain.judging import SCALE
from curation.domain.queue import PriorityWeights
from curation.store import judge_results as results
from curation.store import judging
from curation.store.intake import add_answers
from curation.store.judge_runs import JudgeRun, add_run, end_run, find_open_run, get_run
from curation.store.judge_scores import put_run_scores, put_scores
from curation.store.judging import Begun, CallEnd
from curation.store.runs import KeptRun, save_run
from curation.store.schema import JUDGE_ITEM, SCORE
from tests.store.logs import how_many

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
UNTIL = NOW + timedelta(minutes=1)
WEIGHTS = PriorityWeights(signals={}, judge=3, hole=1, window_days=30)
JUDGE, PROMPTS = "openai/m", "1-x"
SHA = "ab" * 32


def run_of(name="r1", **fields):
    given = {
        "id": name,
        "judge_key": f"{JUDGE}@{PROMPTS}",
        "judge": JUDGE,
        "prompt_version": PROMPTS,
        "asked_for": {"what": "answers"},
        "asked_for_sha": "s",
        "started_at": NOW,
        "cost": 0.0,
    }
    return JudgeRun(**given | fields)


def answers(number):
    return [
        Answer(
            id=f"a{n}",
            question=f"Question {n}?",
            answer=f"Text {n}.",
            model="gpt-4o" if n % 2 else None,
            retrieved=[
                {"chunk_id": "c1", "rank": 1, "text": "T."},
                {"chunk_id": "c2", "rank": 2, "text": "U."},
            ],
        )
        for n in range(number)
    ]


def begin(store, number=4, probability=None, **fields):
    """A run whose list holds these answers."""
    run = run_of(**fields)
    with store.writing() as session:
        add_answers(session, answers(number), WEIGHTS, now=NOW)
        add_run(session, run)
        chosen = [
            n
            for some in judging.candidates(session, run.judge_key, now=NOW, again=False)
            for n in some
        ]
        assert set(chosen) == {f"a{n}" for n in range(number)}
        listed = judging.enlist(session, run, chosen, now=NOW, probability=probability)
    assert listed == number
    return run


def take(store, worker="w1", most=1, now=NOW, run="r1"):
    until = now + timedelta(minutes=1)
    with store.writing() as session:
        return judging.claim_items(session, run, worker, now=now, until=until, most=most)


def call(store, item, ask="relevance 1", most=0.0):
    with store.writing() as session:
        return judging.begin_call(session, item, ask, "relevance", most=most, until=UNTIL)


def end(store, item, ask="relevance 1", **fields):
    with store.writing() as session:
        ended = CallEnd(ask=ask, metric="relevance", **{"value": 2, "cost": 0.5, **fields})
        return judging.end_call(session, item, ended, now=NOW)


def finish(store, item, ok=1, failed=0):
    with store.writing() as session:
        return judging.finish_item(session, item, ok=ok, failed=failed, now=NOW)


def stands(store, run="r1"):
    with store.reading() as session:
        return get_run(session, run), judging.counts_of(session, run)


def test_workers_at_once_never_get_the_same_item(store):
    begin(store, 30)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: take(store, f"w{n}", most=10), range(4)))
    found.append(take(store, "rest", most=30))
    taken = [item.subject for items in found for item in items]
    assert len(taken) == len(set(taken)) == 30
    assert take(store, "late", most=5) == ()


def test_what_a_dead_worker_left_is_taken_over_and_its_late_reply_is_only_paid(store):
    begin(store, 1)
    (first,) = take(store)
    assert call(store, first) is Begun.GO
    assert take(store, "w2") == ()
    with store.reading() as session:
        assert judging.next_expiry(session, "r1") == UNTIL
    (second,) = take(store, "w2", now=UNTIL + timedelta(seconds=1))
    assert (second.subject, second.taken) == (first.subject, first.taken + 1)
    assert end(store, first, input_tokens=7) is False
    assert finish(store, first) is False
    run, counts = stands(store)
    assert (run.late, run.cost, run.input_tokens, counts) == (1, 0.5, 7, (1, 0, 0, 0))
    assert call(store, second) is Begun.GO
    assert end(store, second) is True
    assert finish(store, second) is True
    assert finish(store, second) is False
    assert stands(store)[1] == (0, 1, 1, 0)


def test_a_reply_that_came_is_not_asked_for_again(store):
    begin(store, 1)
    (item,) = take(store)
    call(store, item)
    end(store, item, reason="Good.", model="m-1", latency_ms=5.0)
    call(store, item, "faithfulness")
    with store.writing() as session:
        judging.release_items(session, [item])
    (again,) = take(store, "w2")
    with store.reading() as session:
        known = judging.done_calls(session, again)
    assert list(known) == ["relevance 1"]
    assert (known["relevance 1"].value, known["relevance 1"].reason) == (2, "Good.")


def test_the_calls_of_a_budget_are_counted_once_whoever_asks(store):
    begin(store, 12, max_calls=7)
    items = take(store, most=12)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda item: call(store, item), items))
    assert found.count(Begun.GO) == 7
    assert found.count(Begun.MAX_CALLS) == 5
    assert stands(store)[0].calls == 7


def test_the_most_that_a_call_can_cost_is_held_back_until_it_is_known(store):
    begin(store, 3, max_cost=1.0)
    one, two, three = take(store, most=3)
    assert call(store, one, most=0.6) is Begun.GO
    assert call(store, two, most=0.6) is Begun.WAIT
    end(store, one, cost=0.1)
    assert call(store, two, most=0.6) is Begun.GO
    end(store, two, cost=0.6)
    assert call(store, three, most=0.6) is Begun.MAX_COST
    run, _ = stands(store)
    assert (run.cost, run.held_back) == (pytest.approx(0.7), pytest.approx(0))


def test_a_call_under_way_when_its_worker_died_holds_nothing_back_twice(store):
    begin(store, 1, max_cost=1.0)
    (first,) = take(store)
    call(store, first, most=0.6)
    (second,) = take(store, "w2", now=UNTIL + timedelta(seconds=1))
    assert call(store, second, most=0.6) is Begun.GO
    assert stands(store)[0].held_back == pytest.approx(0.6)


def test_what_failed_gets_another_round_and_what_is_left_moves_to_the_next_run(store):
    run = begin(store, 3, probability=0.25)
    good, bad = take(store, most=2)
    finish(store, good)
    call(store, bad)
    end(store, bad, value=None, error_kind="refusal")
    finish(store, bad, ok=0, failed=1)
    with store.writing() as session:
        assert results.failures_of(session, "r1") == {"refusal": 1}
        end_run(session, "r1", "max_calls", now=NOW)
        end_run(session, "r1", "done", now=NOW)
        ended = get_run(session, "r1")
        assert ended is not None
        assert ended.ended_by == "max_calls"
        assert find_open_run(session, run.judge_key, "s") is None
        todo = [
            n for s in judging.candidates(session, run.judge_key, now=NOW, again=False) for n in s
        ]
        failed = [
            n for s in judging.candidates(session, run.judge_key, now=NOW, again=True) for n in s
        ]
        following = run_of("r2")
        add_run(session, following)
        judging.enlist(session, following, [*todo, *failed], now=NOW, probability=None)
        rounds = session.connection().execute(
            select(JUDGE_ITEM.c.subject, JUDGE_ITEM.c.round).where(JUDGE_ITEM.c.run_id == "r2")
        )
        assert {tuple(row) for row in rounds} == {(todo[0], 0), (bad.subject, 1)}
        kept = select(JUDGE_ITEM.c.probability).where(JUDGE_ITEM.c.subject == good.subject)
        assert session.connection().execute(kept).scalar() == 0.25
    assert failed == [bad.subject]
    assert stands(store, "r2")[1] == (2, 0, 0, 0)
    assert take(store, "w", most=9, run="r1") == ()


def grade(metric, value, chunk=None):
    status = ScoreStatus.FAILED if value is None else ScoreStatus.OK
    return Score(
        metric=metric,
        value=value,
        scale=SCALE,
        judge=JUDGE,
        prompt_version=PROMPTS,
        status=status,
        error_kind="parse" if value is None else None,
        chunk_id=chunk,
    )


def test_scores_are_written_counted_and_give_way_to_newer_ones(store):
    run = begin(store, 2)
    first, _ = take(store, most=2)
    scores = [grade("faithfulness", 0), grade("relevance", 2, "c1"), grade("relevance", None, "c2")]
    for _ in range(2):  # the second time they give way to the same
        with store.writing() as session:
            put_scores(session, {first.subject: scores}, WEIGHTS, now=NOW)
    finish(store, first, ok=2, failed=1)
    with store.reading() as session:
        assert session.connection().execute(select(func.count()).select_from(SCORE)).scalar() == 3
        counts = {c.metric: (c.n, c.mean, c.failed) for c in results.metric_counts(session, run)}
        assert counts == {"faithfulness": (1, 0.0, 0), "relevance": (1, 2.0, 1)}
        assert list(results.chunk_grades_of(session, run)) == [(2.0, None)]
        own = {"gpt-4o": 1}
        assert results.answer_models(session, run.id) == own


def test_scores_of_outputs_are_kept_by_case_and_repeat(store):
    run = run_of(asked_for={"what": f"run:{SHA}"})
    kept = KeptRun(
        sha256=SHA, pipeline="p", version=None, cases_tree=None, repeats=1, outputs=1,
        stored_at=NOW, stored_by=None,
    )  # fmt: skip
    names = [f"run:{SHA}:q-1:1", f"run:{SHA}:q-2:1"]
    with store.writing() as session:
        save_run(session, kept, "")
        add_run(session, run)
        todo = list(judging.outputs_to_do(session, run.judge_key, names, now=NOW, again=False))
        assert todo == names
        judging.enlist(session, run, todo, now=NOW, probability=None)
        assert judging.open_subjects(session, run.id, most=1) == names[:1]
    (item,) = take(store)
    with store.writing() as session:
        left = judging.outputs_to_do(session, run.judge_key, names, now=NOW, again=False)
        assert list(left) == names[1:]
    given = [
        grade("relevance", 1, "c1"),
        grade("faithfulness", 2),
        grade("fact f1", 2),
        grade("fact f2", 0),
        grade("fact f3", 1),
        grade("fact f4", None),
    ]
    for _ in range(2):
        with store.writing() as session:
            put_run_scores(session, (SHA, "q-1", 1), given, now=NOW)
    finish(store, item, ok=5, failed=1)
    with store.reading() as session:
        assert how_many(session, "run_score") == 6
        said = results.fact_grades(session, run)
        assert said is not None
        assert (said.present, said.absent, said.unsure, said.failed) == (1, 1, 1, 1)
        metrics = {c.metric: c.mean for c in results.metric_counts(session, run)}
        assert metrics == {"relevance": 1.0, "faithfulness": 2.0}
        assert list(results.output_grades(session, run)) == [(1.0,)]
