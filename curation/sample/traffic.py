"""Six weeks of sessions with the version-blind pipeline: what was asked, answered and done."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from curation.domain.base import Value
from curation.sample.pipeline import BLIND, BLIND_FIRST, MODEL, Pipeline
from curation.sample.questions import Question, read_questions
from curation.sample.rules_judge import score_answer
from curation.sample.truth import Failure, failure_of
from curation.sample.users import Reaction, in_other_words, react

DAYS = 42
_SECOND_RELEASE = timedelta(days=18)  # before the end: when kestrel-rag 1.4 replaced 1.3
_FIRST_WORDING = 0.68
_NEXT_TOPIC = 0.12
_STAFF = ("policy", "benefits")


class LoggedAnswer(Value):
    """One line of the log, with the truth about it that the log does not hold."""

    record: dict[str, Any]
    question_id: str
    failure: Failure


class _Turn(Value):
    question: Question
    wording: str
    at: datetime
    output: dict[str, Any]
    conversation: tuple[dict[str, str], ...]
    failure: Failure
    reaction: Reaction
    pipeline: str


class _Session:
    """One user's turns, one after another."""

    def __init__(
        self, begin: datetime, pipeline: Pipeline, user_id: str, rng: random.Random
    ) -> None:
        self.begin = begin
        self.user_id = user_id
        self.turns: list[_Turn] = []
        self._pipeline = pipeline
        self._rng = rng
        self._clock = begin

    def ask(self, question: Question, wording: str, *, may_ask: bool) -> _Turn:
        """Ask, wait for the answer, react."""
        conversation = self._conversation()
        salt = f"{self._clock.isoformat()}|{len(self.turns)}"
        output = self._pipeline.answer(wording, conversation, salt=salt)
        asked = "\n".join([wording, *(said["text"] for said in conversation)])
        failure = failure_of(question.truth, output, asked=asked)
        reaction = react(question, output, failure, self._rng, may_ask=may_ask)
        turn = _Turn(
            question=question,
            wording=wording,
            at=self._clock,
            output=output,
            conversation=conversation,
            failure=failure,
            reaction=reaction,
            pipeline=self._pipeline.name,
        )
        self.turns.append(turn)
        self._clock += timedelta(seconds=self._rng.randint(25, 190))
        return turn

    def _conversation(self) -> tuple[dict[str, str], ...]:
        return tuple(
            {"role": role, "text": text}
            for turn in self.turns
            for role, text in (("user", turn.wording), ("agent", turn.output["answer"]))
        )


def logged_answers(*, seed: int, until: date) -> list[LoggedAnswer]:
    """Return the log of the six weeks that end on a day, in the order of time."""
    rng = random.Random(seed)  # noqa: S311 - a sample world, not a secret
    sessions = sorted(_held(rng, until), key=lambda session: session.begin)
    turns = sorted(
        (
            (turn.at, number, position, turn, session)
            for number, session in enumerate(sessions, start=1)
            for position, turn in enumerate(session.turns)
        ),
        key=lambda one: one[:3],
    )
    return [
        LoggedAnswer(
            record=_record(
                turn,
                answer_id=f"kst-{line:05d}",
                session_id=f"s-{number:04d}",
                user_id=session.user_id,
                following=session.turns[position + 1 :][:1],
            ),
            question_id=turn.question.id,
            failure=turn.failure,
        )
        for line, (_, number, position, turn, session) in enumerate(turns, start=1)
    ]


def _held(rng: random.Random, until: date) -> list[_Session]:
    """Return all sessions: each question is asked as often as its file says."""
    first = [q for q in read_questions() if q.after is None for _ in range(q.asked)]
    rng.shuffle(first)
    later = Counter({q.id: q.asked for q in read_questions() if q.after is not None})
    change = datetime(until.year, until.month, until.day, tzinfo=UTC) - _SECOND_RELEASE
    sessions = []
    while first:
        question, begin = first.pop(), _moment(rng, until)
        pipeline = BLIND if begin > change else BLIND_FIRST
        session = _Session(begin, pipeline, _person(question, rng), rng)
        _hold(session, question, first, later, rng)
        sessions.append(session)
    return sessions


def _moment(rng: random.Random, until: date) -> datetime:
    """Return a moment in working hours of a day of the six weeks; weekends are quiet."""
    while True:
        day = until - timedelta(days=rng.randrange(DAYS))
        if day.weekday() < 5 or rng.random() < 0.12:
            break
    hour = min(max(rng.gauss(13.0, 2.9), 6.0), 20.0)
    seconds = int(hour * 3600) + rng.randrange(60)
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(seconds=seconds)


def _hold(
    session: _Session,
    question: Question,
    first: list[Question],
    later: Counter[str],
    rng: random.Random,
) -> None:
    """Let a user ask, ask again after a bad answer, follow up, and now and then go on."""
    while not _gives_up(session, question, rng):
        following = _follow_up(question, later, rng)
        if following is not None:
            question = following
        elif first and rng.random() < _NEXT_TOPIC:
            question = first.pop()
        else:
            return


def _gives_up(session: _Session, question: Question, rng: random.Random) -> bool:
    """Ask, and ask again after a bad answer; return whether the user then left."""
    wording = _wording(question, rng)
    turn = session.ask(question, wording, may_ask=True)
    if turn.reaction.again:
        turn = session.ask(question, in_other_words(question, wording, rng), may_ask=False)
    return turn.reaction.leaves


def _wording(question: Question, rng: random.Random) -> str:
    if len(question.wordings) == 1 or rng.random() < _FIRST_WORDING:
        return question.wordings[0]
    return rng.choice(question.wordings[1:])


def _follow_up(question: Question, later: Counter[str], rng: random.Random) -> Question | None:
    """Return a question that follows on this one, as long as there are some to be asked."""
    for candidate in read_questions():
        if candidate.after == question.id and later[candidate.id] > 0 and rng.random() < 0.7:
            later[candidate.id] -= 1
            return candidate
    return None


def _person(question: Question, rng: random.Random) -> str:
    """Return who asks: colleagues ask about the handbook, customers about the rest."""
    staff = question.slice in _STAFF
    number = int(rng.triangular(1, 22, 4)) if staff else int(rng.triangular(101, 141, 108))
    return f"u-{number:03d}"


def _record(
    turn: _Turn, *, answer_id: str, session_id: str, user_id: str, following: list[_Turn]
) -> dict[str, Any]:
    output = turn.output
    return {
        "id": answer_id,
        "asked_at": _stamp(turn.at),
        "question": turn.wording,
        "conversation": list(turn.conversation),
        "answer": output["answer"],
        "retrieved": output["hits"],
        "citations": output["citations"],
        "outcome": output["outcome"],
        "pipeline_version": turn.pipeline,
        "model": MODEL,
        "latency_ms": output["latency_ms"],
        "cost_usd": output["cost_usd"],
        "session_id": session_id,
        "user_id": user_id,
        "tags": _tags(turn),
        "slice": turn.question.slice,
        "scores": score_answer(turn.wording, turn.conversation, output, salt=answer_id),
        "signals": list(_signals(turn, following)),
        "labels": [],
        "metadata": {},
    }


def _tags(turn: _Turn) -> list[str]:
    channel = "staff-portal" if turn.question.slice in _STAFF else "docs-site"
    language = [] if turn.question.language == "en" else [f"lang-{turn.question.language}"]
    return ["sample", channel, *language]


def _signals(turn: _Turn, following: list[_Turn]) -> Iterator[dict[str, Any]]:
    """Yield what the user did, explicit signals first; the next turn tells the implicit one."""
    done = turn.at + timedelta(seconds=20)
    for kind, comment in turn.reaction.signals:
        yield {"kind": kind, "value": None, "comment": comment, "at": _stamp(done)}
    for after in following:
        if turn.reaction.again:
            kind = "reformulation"
        elif after.question.after == turn.question.id:
            kind = "follow_up"
        else:
            continue
        yield {"kind": kind, "value": None, "comment": after.wording, "at": _stamp(after.at)}


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
