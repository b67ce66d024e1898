"""One worker on a judge's run: several of them, in threads and processes, share the work.

A worker takes an item under a claim that ends by itself, asks one question after the other, keeps
each reply as it comes, and writes the item's scores in the transaction that ends it. What a worker
that was killed leaves is taken over when its claim ends; replies that it kept are not asked again.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from curation.config import JudgeSettings
from curation.domain.answer import Score, ScoreStatus
from curation.domain.judging import SCALE, FailureKind, JudgeMetric
from curation.judge import Ask, CallError, Client, Prompt, asks_of, grade_of
from curation.metrics.proxies import proxy_grades
from curation.services.judge_subjects import Given, Subjects
from curation.services.workspace import Workspace
from curation.store.judge_runs import JudgeRun, get_run
from curation.store.judging import (
    Begun,
    CallEnd,
    Claimed,
    begin_call,
    claim_items,
    counts_of,
    done_calls,
    end_call,
    finish_item,
    next_expiry,
    release_items,
    renew_items,
)

MOST_IN_A_ROW = 25
MOST_REFUSED = 3
PROXY_BATCH = 200
_IDLE_S = 0.5
_FIRST_PAUSE_S = 0.5


@dataclass(frozen=True, kw_only=True)
class Means:
    """What a worker needs of the world; `client` is None for the proxy, which asks nobody."""

    worker: str
    client: Client | None
    now: Callable[[], datetime]
    clock: Callable[[], float]
    nonce: Callable[[], str]
    chance: Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a million tokens cost."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return the cost of a call."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000

    def at_most(self, prompt: Prompt, max_tokens: int) -> float:
        """Return what a call can cost: no tokenizer makes more than one token of two bytes."""
        size = len(prompt.system.encode()) + len(prompt.user.encode())
        return self.of(math.ceil(size / 2) + 50, max_tokens)


@dataclass(kw_only=True)
class Worker:
    """One process's part of a run."""

    workspace: Workspace
    run: JudgeRun
    subjects: Subjects
    settings: JudgeSettings
    means: Means
    price: Price | None
    stopped: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)
    why: str | None = None
    last_failure: str = ""
    trouble: BaseException | None = None
    _held: dict[str, Claimed] = field(default_factory=dict)
    _active: int = 0
    _in_a_row: int = 0
    _refused: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, concurrency: int) -> None:
        """Start the threads; `finished` is set when the last one ends.

        It is waited for instead of the threads: an interrupt while joining one would count it as
        ended, and the reply that it waits for would be lost.
        """
        self._active = 1 if self.means.client is None else concurrency
        for _ in range(self._active):
            threading.Thread(target=self._work, daemon=True).start()

    def stop(self, why: str) -> None:
        """End the work after the calls that are under way; the first reason counts."""
        with self._lock:
            self.why = self.why or why
        self.stopped.set()

    def release(self) -> None:
        """Give back what is not finished, so that others need not wait."""
        with self._lock:
            held = list(self._held.values())
        if held:
            with self.workspace.store.writing() as session:
                release_items(session, held)

    def _work(self) -> None:
        """Work until nothing is left; what goes wrong is kept for the thread that waits."""
        try:
            while not self.stopped.is_set() and self._step():
                pass
        except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
            self.trouble = self.trouble or problem
            self.stop("trouble")
        with self._lock:
            self._active -= 1
            ended = not self._active
        if ended:
            self.finished.set()

    def _step(self) -> bool:
        """Work on the next items; return whether there may be more."""
        items = self._claim()
        if not items:
            return self._wait_for_others()
        if self.means.client is None:
            self._judge_plainly(items)
            return True
        for item in items:
            with self._lock:
                self._held[item.subject] = item
            if self._judge(item, self.means.client):
                with self._lock:
                    del self._held[item.subject]
        return True

    def _claim(self) -> Sequence[Claimed]:
        most = PROXY_BATCH if self.means.client is None else 1
        with self.workspace.store.writing() as session:
            return claim_items(
                session,
                self.run.id,
                self.means.worker,
                now=self.means.now(),
                until=self._until(0),
                most=most,
            )

    def _until(self, pause: float) -> datetime:
        """Return when a claim ends by itself: after the next try, if nothing renews it."""
        length = pause + self.settings.timeout_s + self.settings.lease_s
        return self.means.now() + timedelta(seconds=length)

    def _wait_for_others(self) -> bool:
        """Wait while other workers hold what is left: they may die; return whether any is."""
        with self.workspace.store.reading() as session:
            run = get_run(session, self.run.id)
            left = counts_of(session, self.run.id)[0]
            expiry = next_expiry(session, self.run.id)
        if not left or run is None or run.ended_at is not None:
            return False
        seconds = 0.0 if expiry is None else (expiry - self.means.now()).total_seconds()
        self.stopped.wait(min(max(seconds, 0.05), _IDLE_S))
        return True

    def _judge_plainly(self, items: Sequence[Claimed]) -> None:
        """Score items without a model, all in one transaction."""
        materials = self.subjects.materials([item.subject for item in items])
        found = {name: proxy_grades(material) for name, material in materials.items()}
        now = self.means.now()
        with self.workspace.store.writing() as session:
            scores: dict[str, list[Given]] = {}
            for item in items:
                grades = found.get(item.subject, ())
                if finish_item(session, item, ok=len(grades), failed=0, now=now) and grades:
                    ends = [
                        (CallEnd(ask="", metric=g.metric, value=g.value, reason=g.reason), g)
                        for g in grades
                    ]
                    scores[item.subject] = [
                        (None, self._score(end, grade.chunk_id, now)) for end, grade in ends
                    ]
            self.subjects.write(session, scores, now=now)

    def _judge(self, item: Claimed, client: Client) -> bool:
        """Ask everything about one item; return whether it is off this worker's hands."""
        material = self.subjects.materials([item.subject]).get(item.subject)
        asks = () if material is None else asks_of(material)
        with self.workspace.store.reading() as session:
            ends = done_calls(session, item)
        for ask in asks:
            if ask.name in ends:
                continue
            end = self._answered(item, ask, client)
            if end is None:
                return False
            ends[ask.name] = end
        now = self.means.now()
        given = [(ask.fact_id, self._score(ends[ask.name], ask.chunk_id, now)) for ask in asks]
        failed = sum(score.status is ScoreStatus.FAILED for _, score in given)
        with self.workspace.store.writing() as session:
            done = finish_item(session, item, ok=len(given) - failed, failed=failed, now=now)
            if done and given:
                self.subjects.write(session, {item.subject: given}, now=now)
        return True

    def _score(self, end: CallEnd, chunk_id: str | None, now: datetime) -> Score:
        """Return what came of a call as a score; without a value it is a failed one."""
        fact = end.metric == JudgeMetric.FACT
        return Score(
            metric=end.ask if fact else end.metric,
            value=end.value,
            scale=SCALE,
            judge=self.run.judge,
            prompt_version=self.run.prompt_version,
            reason=end.reason,
            status=ScoreStatus.FAILED if end.value is None else ScoreStatus.OK,
            error_kind=end.error_kind,
            chunk_id=chunk_id,
            at=now,
        )

    def _answered(self, item: Claimed, ask: Ask, client: Client) -> CallEnd | None:
        """Return what came of one question after its last try; None where it is not to be kept."""
        tried = 0
        while not self.stopped.is_set():
            prompt = ask.prompt(self.means.nonce())
            if not self._may_call(item, ask, prompt):
                return None
            found = self._tried(client, ask, prompt)
            if isinstance(found, CallEnd):
                return self._kept(item, found)
            tried += 1
            pause = self._pause(tried, found.pause)
            if not found.again or tried > self.settings.retries or pause is None:
                return self._kept(item, _failure(ask, found), refused=found.refused)
            with self.workspace.store.writing() as session:
                renew_items(session, [item], until=self._until(pause))
            self.stopped.wait(pause)
        return None

    def _may_call(self, item: Claimed, ask: Ask, prompt: Prompt) -> bool:
        """Return whether the claim still holds and the budget has room; stop where it has none."""
        most = 0.0
        if self.price is not None:
            most = self.price.at_most(prompt, self.settings.max_tokens)
        with self.workspace.store.writing() as session:
            begun = begin_call(session, item, ask.name, ask.metric, most=most, until=self._until(0))
        if begun in {Begun.MAX_CALLS, Begun.MAX_COST}:
            self.stop(begun.value)
        return begun is Begun.GO

    def _tried(self, client: Client, ask: Ask, prompt: Prompt) -> CallEnd | CallError:
        """Return what came of one try."""
        begin = self.means.clock()
        try:
            reply = client.ask(prompt)
        except CallError as problem:
            return problem
        except Exception as problem:  # noqa: BLE001 - a server may break its client in any way
            return CallError(FailureKind.API, f"the client stopped at {type(problem).__name__}")
        grade = grade_of(reply)
        cost = None
        if self.price is not None:
            cost = self.price.of(reply.input_tokens, reply.output_tokens)
        return CallEnd(
            ask=ask.name,
            metric=ask.metric,
            value=grade.value,
            reason=grade.reason,
            error_kind=grade.failure,
            model=reply.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost=cost,
            latency_ms=(self.means.clock() - begin) * 1000,
        )

    def _pause(self, tried: int, asked: float | None) -> float | None:
        """Return how long to wait before the next try; None where the server asks for too long."""
        if asked is not None:
            return asked if asked <= self.settings.longest_pause_s else None
        pause: float = _FIRST_PAUSE_S * 2 ** (tried - 1) * (0.5 + self.means.chance())
        return min(pause, self.settings.longest_pause_s)

    def _kept(self, item: Claimed, end: CallEnd, *, refused: bool = False) -> CallEnd | None:
        """Keep what came of a call; None where somebody else has the item by now."""
        with self.workspace.store.writing() as session:
            counts = end_call(session, item, end, now=self.means.now())
        self._count(end, refused=refused)
        return end if counts else None

    def _count(self, end: CallEnd, *, refused: bool) -> None:
        """Stop where the server refuses the key or the model, or gives nothing any more."""
        kinds = {FailureKind.API, FailureKind.TIME_OUT, FailureKind.RATE_LIMIT}
        with self._lock:
            failed = end.error_kind in kinds
            self._in_a_row = self._in_a_row + 1 if failed else 0
            self._refused = self._refused + 1 if refused else 0
            if failed:
                self.last_failure = end.reason or ""
            enough = self._in_a_row >= MOST_IN_A_ROW or self._refused >= MOST_REFUSED
        if enough:
            self.stop("failing")


def _failure(ask: Ask, problem: CallError) -> CallEnd:
    return CallEnd(
        ask=ask.name, metric=ask.metric, reason=problem.said, error_kind=problem.kind.value
    )
