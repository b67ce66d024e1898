"""Six weeks of logged answers, and what users did about them."""

import hashlib
import itertools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from curation.domain.answer import Answer, Outcome, ScoreStatus, SignalKind
from curation.domain.case import Answerable
from curation.domain.chunk import Chunk
from curation.domain.policy import parse_policy
from curation.sample import WorldFiles, write_world
from curation.sample.documents import chunk_texts
from curation.sample.files import UNTIL
from curation.sample.pipeline import BLIND, BLIND_FIRST
from curation.sample.questions import Question, read_questions
from curation.sample.traffic import DAYS, LoggedAnswer, logged_answers
from curation.sample.truth import Failure, holds_truth

COMPLAINTS = {
    SignalKind.THUMBS_DOWN,
    SignalKind.CORRECTION,
    SignalKind.ESCALATION,
    SignalKind.REFORMULATION,
    SignalKind.ABANDONED,
}


@pytest.fixture(scope="module")
def log() -> list[LoggedAnswer]:
    return logged_answers(seed=7, until=UNTIL)


@pytest.fixture(scope="module")
def answers(log: list[LoggedAnswer]) -> list[Answer]:
    return [Answer.model_validate(line.record) for line in log]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> WorldFiles:
    return write_world(tmp_path_factory.mktemp("world"))


def _questions() -> dict[str, Question]:
    return {question.id: question for question in read_questions()}


def _digests(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}


def _records(path: Path) -> list[dict[str, Any]]:
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""
    return [json.loads(line) for line in lines]


def test_the_same_seed_gives_the_same_bytes_in_another_process(files: WorldFiles) -> None:
    folder = files.answers.parent
    code = (
        "import sys; from pathlib import Path; from curation.sample import write_world;"
        "write_world(Path(sys.argv[1]))"
    )
    other = folder.parent / f"{folder.name}-again"
    subprocess.run(
        [sys.executable, "-c", code, str(other)],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
    )
    assert _digests(other) == _digests(folder)
    names = {"chunks", "answers", "cases", "proposals"}
    assert set(_digests(folder)) == {f"{name}.jsonl" for name in names} | {"policy.toml"}


def test_another_seed_gives_another_log_of_the_same_world(
    tmp_path: Path, files: WorldFiles
) -> None:
    other = write_world(tmp_path, seed=8)
    assert other.answers.read_bytes() != files.answers.read_bytes()
    assert other.chunks.read_bytes() == files.chunks.read_bytes()
    assert other.cases.read_bytes() == files.cases.read_bytes()


def test_the_log_ends_on_the_day_given() -> None:
    until = date(2027, 3, 5)
    moments = [
        datetime.fromisoformat(line.record["asked_at"])
        for line in logged_answers(seed=7, until=until)
    ]
    assert moments == sorted(moments)
    assert moments[-1].date() <= until
    assert moments[-1].date() > until - timedelta(days=4)
    assert moments[0].date() > until - timedelta(days=DAYS)
    assert moments[0].date() < until - timedelta(days=DAYS - 5)


def test_the_files_hold_what_they_say(files: WorldFiles) -> None:
    chunks = [Chunk.model_validate(record) for record in _records(files.chunks)]
    assert len(chunks) > 300
    parse_policy(files.policy.read_text(encoding="utf-8"))


def test_about_four_hundred_answers_to_some_hundred_and_thirty_questions(
    log: list[LoggedAnswer], answers: list[Answer]
) -> None:
    assert 380 <= len(answers) <= 440
    assert len({answer.id for answer in answers}) == len(answers)
    assert 110 <= len({line.question_id for line in log}) <= 150
    wordings = Counter(answer.question for answer in answers)
    assert 5 <= wordings.most_common(1)[0][1] <= 15
    assert len([number for number in wordings.values() if number >= 4]) >= 8
    assert {answer.slice for answer in answers} == {
        "operations",
        "general",
        "billing",
        "policy",
        "benefits",
    }
    assert min(Counter(answer.slice for answer in answers).values()) >= 20


def test_the_writing_takes_less_than_five_seconds(tmp_path: Path) -> None:
    begin = time.process_time()
    write_world(tmp_path)
    assert time.process_time() - begin < 5


def test_the_pipeline_really_gave_these_answers(answers: list[Answer]) -> None:
    pipelines = {pipeline.name: pipeline for pipeline in (BLIND_FIRST, BLIND)}
    for answer in answers:
        turns = [turn.model_dump() for turn in answer.conversation]
        output = pipelines[answer.pipeline_version or ""].answer(answer.question, turns)
        assert output["answer"] == answer.answer
        assert output["hits"] == [hit.model_dump() for hit in answer.retrieved]
        assert output["outcome"] == answer.outcome
        assert output["cost_usd"] == answer.cost_usd


def test_the_second_release_replaces_the_first_at_one_moment(answers: list[Answer]) -> None:
    names = [answer.pipeline_version for answer in answers]
    changes = sum(one != other for one, other in itertools.pairwise(names))
    assert names[0] == "kestrel-rag 1.3"
    assert names[-1] == "kestrel-rag 1.4"
    assert changes == 1
    assert min(Counter(names).values()) > 100


def test_a_session_is_one_user_and_carries_its_turns(answers: list[Answer]) -> None:
    sessions: dict[str, list[Answer]] = {}
    for answer in answers:
        sessions.setdefault(answer.session_id or "", []).append(answer)
    assert len([turns for turns in sessions.values() if len(turns) > 1]) > 40
    for turns in sessions.values():
        assert len({answer.user_id for answer in turns}) == 1
        for number, answer in enumerate(turns):
            said = [turn.text for turn in answer.conversation]
            assert said == [
                t for before in turns[:number] for t in (before.question, before.answer)
            ]


@pytest.mark.parametrize(
    ("failure", "at_least"),
    [
        (Failure.NONE, 120),
        (Failure.WRONG_VERSION, 100),
        (Failure.MISSING_RETRIEVAL, 10),
        (Failure.FALSE_ANSWER, 15),
        (Failure.OVER_ABSTENTION, 8),
        (Failure.CITATION, 5),
        (Failure.FAITHFULNESS, 5),
        (Failure.ANSWER_RELEVANCY, 10),
        (Failure.CONTEXT_PRECISION, 4),
    ],
)
def test_answers_fail_in_every_way(
    log: list[LoggedAnswer], failure: Failure, at_least: int
) -> None:
    assert sum(line.failure is failure for line in log) >= at_least


def test_complaints_follow_failures_and_praise_follows_right_answers(
    log: list[LoggedAnswer], answers: list[Answer]
) -> None:
    complained = Counter[bool]()
    wrong = 0
    for line, answer in zip(log, answers, strict=True):
        kinds = {signal.kind for signal in answer.signals}
        right = line.failure is Failure.NONE
        valued = right or holds_truth(_questions()[line.question_id].truth, answer.answer)
        if right:
            assert not kinds & COMPLAINTS
        if SignalKind.THUMBS_UP in kinds:
            assert valued
        wrong += not right
        complained[right] += bool(kinds & COMPLAINTS)
    assert complained[False] > 0.5 * wrong
    assert complained[True] == 0


def test_every_kind_of_signal_occurs(answers: list[Answer]) -> None:
    kinds = Counter(signal.kind for answer in answers for signal in answer.signals)
    assert set(kinds) == set(SignalKind)
    assert kinds[SignalKind.CORRECTION] > 40
    assert kinds[SignalKind.REFORMULATION] > 30


def test_a_correction_names_the_right_value(log: list[LoggedAnswer]) -> None:
    checked = 0
    for line in log:
        question = _questions()[line.question_id]
        for signal in line.record["signals"]:
            if signal["kind"] != "correction":
                continue
            assert signal["comment"]
            if question.value is not None and line.failure is not Failure.CITATION:
                assert question.value in signal["comment"]
                checked += 1
    assert checked > 30


def test_a_reformulation_is_the_next_question_of_the_session(answers: list[Answer]) -> None:
    following = {}
    for answer in answers:
        if answer.conversation:
            following[answer.session_id, answer.conversation[-2].text] = answer.question
    for answer in answers:
        for signal in answer.signals:
            if signal.kind in {SignalKind.REFORMULATION, SignalKind.FOLLOW_UP}:
                assert signal.comment == following[answer.session_id, answer.question]


def test_whoever_gives_up_asks_no_more(answers: list[Answer]) -> None:
    last = {answer.session_id: answer.id for answer in answers}
    left = [a for a in answers if SignalKind.ABANDONED in {s.kind for s in a.signals}]
    assert len(left) > 10
    for answer in left:
        assert last[answer.session_id] == answer.id


def test_scores_are_of_the_rules_and_a_failed_one_says_why(answers: list[Answer]) -> None:
    scores = [score for answer in answers for score in answer.scores]
    assert {score.judge for score in scores} == {"rules"}
    assert {score.metric for score in scores} == {"faithfulness", "answer_relevancy", "relevance"}
    failed = [score for score in scores if score.status is ScoreStatus.FAILED]
    assert 5 <= len(failed) <= 40
    for score in scores:
        assert score.reason
        assert (score.value is None) is (score.status is ScoreStatus.FAILED)
        assert (score.error_kind is not None) is (score.status is ScoreStatus.FAILED)
        assert (score.chunk_id is not None) is (score.metric == "relevance")
        if score.value is not None and score.scale is not None:
            assert score.scale[0] <= score.value <= score.scale[1]
    assert [answer for answer in answers if not answer.scores]


def test_a_wrong_version_is_faithful_to_the_wrong_text(
    log: list[LoggedAnswer], answers: list[Answer]
) -> None:
    values = [
        score.value
        for line, answer in zip(log, answers, strict=True)
        for score in answer.scores
        if line.failure is Failure.WRONG_VERSION and score.metric == "faithfulness"
    ]
    measured = [value for value in values if value is not None]
    assert measured.count(1.0) > 0.9 * len(measured)


def test_some_answers_are_not_faithful(answers: list[Answer]) -> None:
    low = [
        answer
        for answer in answers
        for score in answer.scores
        if score.metric == "faithfulness" and score.value is not None and score.value < 1
    ]
    assert len(low) >= 5


def test_the_log_speaks_more_than_english_and_holds_awkward_text(answers: list[Answer]) -> None:
    questions = "\n".join(answer.question for answer in answers)
    assert "Wie lange ist" in questions
    assert "مهلة" in questions
    assert "<gateway host=" in "\n".join(answer.answer for answer in answers)
    assert [answer for answer in answers if answer.answer.count("$") >= 2]
    assert {"lang-de", "lang-ar"} <= {tag for answer in answers for tag in answer.tags}


def test_outcomes_and_time_are_what_production_shows(answers: list[Answer]) -> None:
    outcomes = Counter(answer.outcome for answer in answers)
    assert set(outcomes) == set(Outcome)
    latencies = sorted(answer.latency_ms or 0 for answer in answers)
    assert latencies[-1] > 4 * latencies[len(latencies) // 2]
    assert all(answer.asked_at and answer.asked_at.tzinfo is UTC for answer in answers)


def test_the_truth_is_not_in_the_log(log: list[LoggedAnswer]) -> None:
    for line in log:
        assert line.record["labels"] == []
        assert line.record["metadata"] == {}
        assert not set(line.record["tags"]) & set(Failure)


def test_every_question_is_proven_by_the_corpus() -> None:
    for question in read_questions():
        answerable = question.truth.answerable
        if answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}:
            assert question.truth.gold, question.id
        else:
            assert question.corrections, question.id
        for group in question.truth.gold:
            assert all(key in chunk_texts() for key in group), question.id
