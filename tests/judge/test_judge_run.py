"""`judge run` against a real server: nothing twice, nothing lost, no key, loud failures."""

import json
import signal

import pytest
from sqlalchemy import func, select

from curation.store.schema import ANSWER, JUDGE_CALL, JUDGE_ITEM, JUDGE_RUN, QUESTION_GROUP, SCORE
from tests.judge.judged_home import KEY, JudgedHome
from tests.judge.model_server import serving


@pytest.fixture
def home(tmp_path):
    return JudgedHome(tmp_path)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_both_protocols_score_and_an_injected_chunk_moves_nothing(home, provider):
    with serving() as server:
        home.fill(2, server.url, provider)
        found = home.json("judge", "run")
    assert (found["judged"], found["left"], found["failed"]) == (2, 0, 0)
    assert found["spent"]["calls"] == len(server.asked) == 10
    assert found["spent"]["cost"] == pytest.approx(10 * (100 * 1 + 10 * 10) / 1e6)
    grades = home.rows(select(SCORE.c.value).where(SCORE.c.chunk_id == "c2"))
    assert [row.value for row in grades] == [0, 0]
    assert found["precision"]["strict"]["value"] == pytest.approx(1 / 5)
    assert found["own_kind"] == 2
    places = home.rows(select(QUESTION_GROUP.c.priority).order_by(QUESTION_GROUP.c.priority))
    assert [row.priority for row in places] == [0, 3]
    assert all(row.at for row in home.rows(select(SCORE.c.at)))


def test_every_kind_of_failure_is_kept_counted_and_never_a_number(home):
    script = [
        {"status": 429, "headers": {"retry-after": "0"}},  # tried again, then good
        {},
        {"status": 500},
        {"status": 500},
        {"text": "```json\n" + json.dumps({"reason": "r", "score": 1}) + "\n```"},
        {"text": '{"score": 1.5}'},
        {"text": '{"score": "2"}'},
        {"refusal": "I will not."},
        {"text": "well"},
        {"cut": True},
        {"cut": True},
        {"hang": 1.5},
        {"hang": 1.5},
    ]

    def say(number, system, user):
        return script[number - 1] if number <= len(script) else {}

    with serving(say) as server:
        home.fill(2, server.url, timeout=1)
        found = home.json("judge", "run", "--concurrency", "1")
    assert found["failures"] == {
        "api": 2, "parse": 1, "range": 1, "refusal": 1, "time_out": 1, "type": 1,
    }  # fmt: skip
    assert found["scores"] + found["failed"] == 10
    failed = home.rows(select(SCORE.c.value, SCORE.c.error_kind).where(SCORE.c.status == "failed"))
    assert len(failed) == 7
    assert all(row.value is None and row.error_kind for row in failed)
    with serving() as server:
        home.configure(server.url)
        again = home.json("judge", "run", "--failed")
        assert len(server.asked) == 7  # what succeeded is not asked again
    assert again["failed"] == 0


def test_a_killed_worker_loses_nothing_and_two_others_do_nothing_twice(home):
    with serving(delay=0.05) as server:
        home.fill(12, server.url, timeout=1)
        command = ("judge", "run", "--all", "--concurrency", "2", "--json")
        first = home.start(*command)
        server.wait_for(12, first)
        server.delay = 0.6  # what it has counted as asked has then reached the server, too
        server.wait_until_held(2, first)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        server.delay = 0.05
        others = [home.start(*command) for _ in range(2)]
        assert [other.wait(60) for other in others] == [0, 0]
        for other in others:
            other.communicate()
        asked = len(server.asked)
    assert asked <= 12 * 5 + 2  # at most the calls that were under way
    done = home.rows(select(JUDGE_ITEM.c.state, func.count().label("n")).group_by("state"))
    assert [(row.state, row.n) for row in done] == [("done", 12)]
    scores = home.rows(select(SCORE.c.answer_id, SCORE.c.metric, SCORE.c.chunk_id))
    assert len(scores) == len(set(scores)) == 12 * 5
    (run,) = home.rows(select(JUDGE_RUN))
    assert run.calls == asked
    calls = home.rows(select(JUDGE_CALL.c.cost))
    assert len(calls) == 60
    assert run.cost == pytest.approx(sum(row.cost for row in calls))
    assert run.held_back == pytest.approx(0)


def test_a_budget_ends_the_run_and_the_next_one_goes_on(home):
    with serving() as server:
        home.fill(4, server.url)
        first = home.json("judge", "run", "--max-calls", "7")
        assert (first["ended_by"], first["spent"]["calls"], len(server.asked)) == (
            "max_calls", 7, 7,
        )  # fmt: skip
        home.run("judge", "run", "--all")
        assert len(server.asked) == 20
        dear = home.json("judge", "run", "--max-cost", "0.000001")
    assert dear["judged"] == 0


def test_all_failed_is_loud_and_the_key_is_nowhere(home):
    with serving(lambda *_: {"status": 401}) as server:
        home.fill(1, server.url)
        out, err = home.run("judge", "run", "--json", status=1)
    assert "401" in err
    for text in (out, err):
        assert KEY not in text
    for file in home.home.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file


def test_an_interrupt_gives_the_work_back_and_the_same_command_goes_on(home):
    with serving(delay=0.1) as server:
        home.fill(6, server.url, timeout=20)
        command = ("judge", "run", "--all", "--concurrency", "1", "--json")
        first = home.start(*command)
        server.wait_for(7, first)
        server.delay = 1  # so that it cannot end before the interrupt on a busy machine
        first.send_signal(signal.SIGINT)
        out, _ = first.communicate(timeout=20)
        assert first.returncode == 130
        assert 0 < json.loads(out)["left"] < 6
        server.delay = 0
        done = json.loads(home.run(*command)[0])
    assert (done["judged"], done["left"]) == (6, 0)
    assert len(server.asked) == 30


def test_without_prices_a_cost_limit_is_refused(home):
    home.fill(1, "http://127.0.0.1:9")
    (home.home / "curation.toml").write_text('[judge]\nprovider = "openai"\nmodel = "m"\n')
    _, err = home.run("judge", "run", "--max-cost", "1", status=2)
    assert "input_price" in err


def test_the_proxy_needs_nobody_and_a_sample_keeps_its_probability(home):
    home.fill(40, "http://127.0.0.1:9")
    chosen = ("judge", "run", "--judge", "proxy", "--sample", "0.5", "--seed", "3")
    found = home.json(*chosen)
    assert 8 < found["judged"] < 32
    kept = home.rows(select(JUDGE_ITEM.c.probability))
    assert {row.probability for row in kept} == {0.5}
    assert home.json(*chosen)["judged"] == 0
    assert home.rows(select(func.count()).select_from(ANSWER))[0][0] == 40
