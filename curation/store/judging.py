"""A judge's work on the store: what is to do, who has it until when, what each call took.

Every decision that workers of several processes race for is one writing transaction: a claim, a
call that the budget has room for, the end of an item.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlmodel import Session

from curation.store.judge_runs import JudgeRun, get_run
from curation.store.schema import ANSWER, JUDGE_CALL, JUDGE_ITEM, JUDGE_RUN
from curation.store.sql import insert_into, insert_many, parts

__all__ = [
    "Begun",
    "CallEnd",
    "Claimed",
    "begin_call",
    "candidates",
    "claim_items",
    "counts_of",
    "done_calls",
    "end_call",
    "enlist",
    "finish_item",
    "next_expiry",
    "open_subjects",
    "outputs_to_do",
    "release_items",
    "renew_items",
]

OPEN, DONE = "open", "done"
_SLACK = 1e-9


class Begun(StrEnum):
    """Whether a call may be sent."""

    GO = "go"
    LOST = "lost"
    WAIT = "wait"
    MAX_CALLS = "max_calls"
    MAX_COST = "max_cost"


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """An item that a worker has; `taken` is the number of its claim."""

    judge_key: str
    subject: str
    run_id: str
    worker: str
    taken: int
    round: int

    @property
    def mine(self) -> ColumnElement[bool]:
        """The condition that the claim still holds."""
        return and_(
            JUDGE_ITEM.c.judge_key == self.judge_key,
            JUDGE_ITEM.c.subject == self.subject,
            JUDGE_ITEM.c.worker == self.worker,
            JUDGE_ITEM.c.taken == self.taken,
            JUDGE_ITEM.c.state == OPEN,
        )

    def call(self, ask: str) -> dict[str, Any]:
        """Return the key of one of its calls."""
        return {
            "judge_key": self.judge_key,
            "subject": self.subject,
            "round": self.round,
            "ask": ask,
        }


@dataclass(frozen=True, kw_only=True)
class CallEnd:
    """What came of a call."""

    ask: str
    metric: str
    value: float | None = None
    reason: str | None = None
    error_kind: str | None = None
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    latency_ms: float | None = None


def candidates(
    session: Session, judge_key: str, *, now: datetime, again: bool, size: int = 5000
) -> Iterator[list[str]]:
    """Yield the answers that this judge has to score, newest first, in parts.

    Args:
        session: a session.
        judge_key: the judge with its model and prompts.
        now: answers that another worker holds now are left out.
        again: those that it scored and failed on, instead of those that it has not scored.
        size: how many at once.
    """
    same = and_(JUDGE_ITEM.c.subject == ANSWER.c.id, JUDGE_ITEM.c.judge_key == judge_key)
    which = _failed() if again else or_(JUDGE_ITEM.c.subject.is_(None), _free(now))
    statement = (
        select(ANSWER.c.id)
        .outerjoin(JUDGE_ITEM, same)
        .where(which)
        .order_by(ANSWER.c.sort_at.desc(), ANSWER.c.id.desc())
    )
    found = session.connection().execute(statement)
    while rows := found.fetchmany(size):
        yield [row.id for row in rows]


def outputs_to_do(
    session: Session, judge_key: str, names: Sequence[str], *, now: datetime, again: bool
) -> Iterator[str]:
    """Yield those of the outputs that this judge has to score; as `candidates` does for answers."""
    for some in parts(names):
        listed = and_(JUDGE_ITEM.c.judge_key == judge_key, JUDGE_ITEM.c.subject.in_(some))
        chosen = select(JUDGE_ITEM.c.subject).where(listed)
        execute = session.connection().execute
        if again:
            failed = set(execute(chosen.where(_failed())).scalars())
            yield from (name for name in some if name in failed)
            continue
        taken = set(execute(chosen.where(~_free(now))).scalars())
        yield from (name for name in some if name not in taken)


def open_subjects(session: Session, run_id: str, *, most: int) -> list[str]:
    """Return the first subjects of a run that are to do."""
    statement = (
        select(JUDGE_ITEM.c.subject)
        .where(JUDGE_ITEM.c.run_id == run_id, JUDGE_ITEM.c.state == OPEN)
        .order_by(JUDGE_ITEM.c.place, JUDGE_ITEM.c.subject)
        .limit(most)
    )
    return list(session.connection().execute(statement).scalars())


def _failed() -> ColumnElement[bool]:
    return and_(JUDGE_ITEM.c.state == DONE, JUDGE_ITEM.c.failed > 0)


def _free(now: datetime) -> ColumnElement[bool]:
    """Return the condition that an item is to do and nobody is at it."""
    free = or_(JUDGE_ITEM.c.until.is_(None), JUDGE_ITEM.c.until <= now)
    return and_(JUDGE_ITEM.c.state == OPEN, free)


def enlist(
    session: Session,
    run: JudgeRun,
    subjects: Sequence[str],
    *,
    now: datetime,
    probability: float | None,
) -> int:
    """Put subjects on a run's list and return how many are on it.

    What an earlier run left undone moves over; what it did with failures gets another round.
    """
    first = 0
    for ids in parts(subjects):
        listed = and_(JUDGE_ITEM.c.judge_key == run.judge_key, JUDGE_ITEM.c.subject.in_(ids))
        changed = {"run_id": run.id, "probability": probability}
        connection = session.connection()
        connection.execute(update(JUDGE_ITEM).where(listed, _free(now)).values(**changed))
        anew = {"round": JUDGE_ITEM.c.round + 1, "state": OPEN, "ok": 0, "failed": 0}
        free = {"worker": None, "until": None, "done_at": None}
        statement = update(JUDGE_ITEM).where(listed, _failed())
        connection.execute(statement.values(**changed, **anew, **free))
        known = set(connection.execute(select(JUDGE_ITEM.c.subject).where(listed)).scalars())
        rows = [
            _item(run, subject, place, probability)
            for place, subject in enumerate(ids, start=first)
            if subject not in known
        ]
        insert_many(session, JUDGE_ITEM, rows)
        first += len(ids)
    return sum(counts_of(session, run.id)[:2])


def _item(run: JudgeRun, subject: str, place: int, probability: float | None) -> dict[str, Any]:
    return {
        "judge_key": run.judge_key,
        "subject": subject,
        "run_id": run.id,
        "place": place,
        "probability": probability,
        "state": OPEN,
        "worker": None,
        "until": None,
        "taken": 0,
        "round": 0,
        "ok": 0,
        "failed": 0,
        "done_at": None,
    }


def counts_of(session: Session, run_id: str) -> tuple[int, int, int, int]:
    """Return of a run: items to do, items done, scores, failed scores."""
    statement = (
        select(
            JUDGE_ITEM.c.state,
            func.count().label("n"),
            func.sum(JUDGE_ITEM.c.ok).label("ok"),
            func.sum(JUDGE_ITEM.c.failed).label("failed"),
        )
        .where(JUDGE_ITEM.c.run_id == run_id)
        .group_by(JUDGE_ITEM.c.state)
    )
    found = {row.state: row for row in session.connection().execute(statement)}
    left = int(found[OPEN].n) if OPEN in found else 0
    if DONE not in found:
        return left, 0, 0, 0
    done = found[DONE]
    return left, int(done.n), int(done.ok), int(done.failed)


def claim_items(
    session: Session, run_id: str, worker: str, *, now: datetime, until: datetime, most: int
) -> tuple[Claimed, ...]:
    """Take items of a run that has not ended and that nobody is at; no two workers get the same."""
    connection = session.connection()
    lasts = select(JUDGE_RUN.c.id).where(JUDGE_RUN.c.id == run_id, JUDGE_RUN.c.ended_at.is_(None))
    chosen = (
        select(JUDGE_ITEM.c.judge_key, JUDGE_ITEM.c.subject)
        .where(JUDGE_ITEM.c.run_id == run_id, _free(now), lasts.exists())
        .order_by(JUDGE_ITEM.c.place, JUDGE_ITEM.c.subject)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    taken: list[Claimed] = []
    for row in connection.execute(chosen).all():
        statement = (
            update(JUDGE_ITEM)
            .where(JUDGE_ITEM.c.judge_key == row.judge_key, JUDGE_ITEM.c.subject == row.subject)
            .values(worker=worker, until=until, taken=JUDGE_ITEM.c.taken + 1)
            .returning(JUDGE_ITEM.c.taken, JUDGE_ITEM.c.round)
        )
        now_is = connection.execute(statement).one()
        taken.append(
            Claimed(
                judge_key=row.judge_key,
                subject=row.subject,
                run_id=run_id,
                worker=worker,
                taken=now_is.taken,
                round=now_is.round,
            )
        )
    return tuple(taken)


def renew_items(session: Session, items: Sequence[Claimed], *, until: datetime) -> None:
    """Keep items for longer; a claim that is over stays over."""
    for item in items:
        session.connection().execute(update(JUDGE_ITEM).where(item.mine).values(until=until))


def release_items(session: Session, items: Sequence[Claimed]) -> None:
    """Give items back, so that the next worker need not wait for the claim to end."""
    for item in items:
        free = {"worker": None, "until": None}
        session.connection().execute(update(JUDGE_ITEM).where(item.mine).values(**free))


def next_expiry(session: Session, run_id: str) -> datetime | None:
    """Return when the next claim of a run ends by itself; None where none lasts."""
    statement = select(func.min(JUDGE_ITEM.c.until)).where(
        JUDGE_ITEM.c.run_id == run_id, JUDGE_ITEM.c.state == OPEN
    )
    found: datetime | None = session.connection().execute(statement).scalar()
    return found


def done_calls(session: Session, item: Claimed) -> dict[str, CallEnd]:
    """Return the calls of an item that need not be sent, by name.

    They were finished in this round, or succeeded in an earlier one.
    """
    call = JUDGE_CALL.c
    rows = session.connection().execute(
        select(JUDGE_CALL)
        .where(call.judge_key == item.judge_key, call.subject == item.subject)
        .where(call.done_at.is_not(None))
        .where(or_(call.round == item.round, call.error_kind.is_(None)))
        .order_by(call.round)
    )
    return {
        row.ask: CallEnd(
            ask=row.ask,
            metric=row.metric,
            value=row.value,
            reason=row.reason,
            error_kind=row.error_kind,
            model=row.model,
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            cost=row.cost,
            latency_ms=row.latency_ms,
        )
        for row in rows
    }


def begin_call(
    session: Session, item: Claimed, ask: str, metric: str, *, most: float, until: datetime
) -> Begun:
    """Return whether one try of a call may be sent; what it may cost at most is held back.

    A call that a dead worker left under way is asked again in its row, so that its part of the
    budget is not held back twice.
    """
    connection = session.connection()
    if not connection.execute(update(JUDGE_ITEM).where(item.mine).values(until=until)).rowcount:
        return Begun.LOST
    which = [JUDGE_CALL.c[name] == value for name, value in item.call(ask).items()]
    old = connection.execute(select(JUDGE_CALL).where(*which)).first()
    before = 0.0 if old is None or old.run_id != item.run_id else old.held_back
    refused = _spend(session, item.run_id, most - before)
    if refused is not None:
        return refused
    if old is not None and old.run_id != item.run_id:
        _give_back(session, old.run_id, old.held_back)
    known = {"metric": metric, "run_id": item.run_id, "held_back": most}
    statement = insert_into(session, JUDGE_CALL).values(
        **item.call(ask), **known, tries=1, input_tokens=0, output_tokens=0
    )
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["judge_key", "subject", "round", "ask"],
            set_={**known, "tries": JUDGE_CALL.c.tries + 1},
        )
    )
    return Begun.GO


def _spend(session: Session, run_id: str, more: float) -> Begun | None:
    """Count a call of a run where its budget has room; return what it has no room for.

    It is worth waiting where only calls that are under way hold the rest back.
    """
    run = JUDGE_RUN.c
    calls = or_(run.max_calls.is_(None), run.calls < run.max_calls)
    spent = func.coalesce(run.cost, 0) + run.held_back + more
    cost = or_(run.max_cost.is_(None), spent <= run.max_cost + _SLACK)
    statement = update(JUDGE_RUN).where(run.id == run_id, calls, cost)
    counted = statement.values(calls=run.calls + 1, held_back=run.held_back + more)
    connection = session.connection()
    if connection.execute(counted).rowcount:
        return None
    stands = get_run(session, run_id)
    if stands is None or (stands.max_calls is not None and stands.calls >= stands.max_calls):
        return Begun.MAX_CALLS
    alone = (stands.cost or 0) + more <= (stands.max_cost or 0) + _SLACK
    return Begun.WAIT if alone else Begun.MAX_COST


def _give_back(session: Session, run_id: str, held_back: float) -> None:
    run = JUDGE_RUN.c
    session.connection().execute(
        update(JUDGE_RUN).where(run.id == run_id).values(held_back=run.held_back - held_back)
    )


def end_call(session: Session, item: Claimed, end: CallEnd, *, now: datetime) -> bool:
    """Keep what came of a call; return whether it counts.

    Where somebody else has taken the item over, only what it cost is kept, and it is late.
    """
    connection = session.connection()
    run = JUDGE_RUN.c
    spent = {
        "input_tokens": run.input_tokens + end.input_tokens,
        "output_tokens": run.output_tokens + end.output_tokens,
    }
    if end.cost is not None:
        spent["cost"] = func.coalesce(run.cost, 0) + end.cost
    paid = update(JUDGE_RUN).where(run.id == item.run_id)
    mine = connection.execute(select(JUDGE_ITEM.c.taken).where(item.mine).with_for_update()).first()
    if mine is None:
        connection.execute(paid.values(**spent, late=run.late + 1))
        return False
    which = [JUDGE_CALL.c[name] == value for name, value in item.call(end.ask).items()]
    held = connection.execute(select(JUDGE_CALL.c.held_back).where(*which)).scalar() or 0.0
    kept = {name: value for name, value in vars(end).items() if name != "ask"}
    connection.execute(update(JUDGE_CALL).where(*which).values(**kept, held_back=0.0, done_at=now))
    connection.execute(paid.values(**spent, held_back=run.held_back - held))
    return True


def finish_item(session: Session, item: Claimed, *, ok: int, failed: int, now: datetime) -> bool:
    """Remember that an item is done; False where somebody else has taken it over."""
    done = {"state": DONE, "ok": ok, "failed": failed, "done_at": now, "until": None}
    statement = update(JUDGE_ITEM).where(item.mine).values(**done)
    return session.connection().execute(statement).rowcount == 1
