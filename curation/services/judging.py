"""Scoring stored answers, or the outputs of an evaluation run, with a judge.

Workers of several processes that are asked for the same work on one run together: its list, its
budget and its figures are shared. A run that was interrupted goes on where it stopped.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import SystemRandom
from typing import Any
from uuid import uuid4

from curation.config import JudgeSettings
from curation.domain.judging import PROXY
from curation.judge import Client, asks_of
from curation.services.evaluation import Outputs, find_outputs, keep_outputs
from curation.services.judge_access import access_for, judge_name, open_judge, prompt_version
from curation.services.judge_errors import (
    NoPriceError,
    NotAnswersError,
    SampleAndLimitError,
)
from curation.services.judge_report import JudgeRunReport, report_of
from curation.services.judge_subjects import AnswerSubjects, RunSubjects, Subjects
from curation.services.judge_worker import Means, Price, Worker
from curation.services.priority import current_weights
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick, of_version
from curation.store import Session
from curation.store.judge_runs import (
    JudgeRun,
    add_run,
    begin_preparing,
    end_run,
    find_open_run,
)
from curation.store.judging import (
    candidates,
    counts_of,
    enlist,
    open_subjects,
    outputs_to_do,
)
from curation.store.priority import settle

DEFAULT_LIMIT = 100
_LOOKED_AT = 100
_CHARACTERS_PER_TOKEN = 4
_REPLY_TOKENS = 60
_SETTLE_EVERY_S = 5.0
_GRACE_S = 3.0
_LOOK_EVERY_S = 0.2

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """What is asked for.

    Args:
        limit: the most answers, the newest first; None for all.
        run: outputs to score instead of answers: a file, or the hash of a kept run.
        again: the answers on which this judge failed, instead of those it has not scored.
        sample: the probability with which each answer is scored.
        seed: which sample.
        max_calls: the most calls, tries that failed included.
        max_cost: the most that the calls may cost, by the configured prices.
    """

    limit: int | None = DEFAULT_LIMIT
    run: str | None = None
    again: bool = False
    sample: float | None = None
    seed: int = 0
    max_calls: int | None = None
    max_cost: float | None = None

    def document(self, what: str) -> dict[str, Any]:
        """Return what makes two requests the same one."""
        return {**vars(self), "run": None, "what": what}


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What the work ahead will take, told before it begins.

    `cost` is None where no prices are configured. `joined` says that other workers have begun.
    """

    run_id: str
    judge: str
    subjects: int
    done: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    joined: bool

    def to_document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A run that is ready to be worked on."""

    run: JudgeRun
    subjects: Subjects
    settings: JudgeSettings
    price: Price | None
    estimate: Estimate


def real_means(client: Client | None) -> Means:
    """Return a worker's means in this world."""
    return Means(
        worker=uuid4().hex,
        client=client,
        now=lambda: datetime.now(UTC),
        clock=time.monotonic,
        nonce=lambda: secrets.token_hex(8),
        chance=SystemRandom().random,
    )


@contextmanager
def judge_client(settings: JudgeSettings) -> Generator[Client | None]:
    """Give the client of the judge; None for the proxy.

    Raises:
        NoModelError, NoKeyError, MissingClientError: it cannot be asked.
    """
    access = access_for(settings)
    if access is None:
        yield None
        return
    client = open_judge(access)
    try:
        yield client
    finally:
        client.close()


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """What a request is about."""

    what: str
    subjects: Subjects
    outputs: Outputs | None = None
    yardstick: Yardstick | None = None


def prepare(
    workspace: Workspace, settings: JudgeSettings, options: JudgeOptions, *, now: datetime
) -> Prepared:
    """Return the run to work on: the one that was begun and not finished, else a new one.

    Raises:
        NoPriceError: a cost limit without prices.
        SampleAndLimitError, NotAnswersError: options that exclude each other.
        NotFoundError: there are no such outputs.
    """
    price = _price(settings)
    _check(options, price)
    wanted = _wanted(workspace, options)
    run = _new_run(settings, options, wanted.what, price, now)
    with workspace.store.writing() as session:
        begin_preparing(session)
        if wanted.outputs is not None and wanted.yardstick is not None:
            keep_outputs(session, wanted.yardstick, wanted.outputs, now=now)
        begun = find_open_run(session, run.judge_key, run.asked_for_sha)
        if begun is None:
            chosen = _chosen(session, run, options, wanted.subjects, now=now)
            add_run(session, run)
            enlist(session, run, chosen, now=now, probability=_probability(options))
        run = begun or run
        left, done, _, _ = counts_of(session, run.id)
        looked_at = open_subjects(session, run.id, most=_LOOKED_AT)
    estimate = _estimate(settings, price, wanted.subjects, looked_at, left)
    return Prepared(
        run=run,
        subjects=wanted.subjects,
        settings=settings,
        price=price,
        estimate=replace(estimate, run_id=run.id, done=done, joined=begun is not None),
    )


def estimate_of(
    workspace: Workspace, settings: JudgeSettings, options: JudgeOptions, *, now: datetime
) -> Estimate:
    """Return what a run would take; nothing is begun and nobody is asked.

    Raises:
        NoPriceError, SampleAndLimitError, NotAnswersError, NotFoundError: as for `prepare`.
    """
    price = _price(settings)
    _check(options, price)
    wanted = _wanted(workspace, options)
    run = _new_run(settings, options, wanted.what, price, now)
    with workspace.store.reading() as session:
        chosen = _chosen(session, run, options, wanted.subjects, now=now)
    return _estimate(settings, price, wanted.subjects, chosen[:_LOOKED_AT], len(chosen))


def _wanted(workspace: Workspace, options: JudgeOptions) -> _Wanted:
    """Return what is to be scored."""
    if options.run is None:
        weights = current_weights(workspace)
        return _Wanted(what="answers", subjects=AnswerSubjects(workspace, weights))
    outputs = find_outputs(workspace, options.run)
    yardstick = of_version(workspace.golden, outputs.run.header.version)
    return _Wanted(
        what=f"run:{outputs.run.sha256}",
        subjects=RunSubjects(workspace, yardstick, outputs),
        outputs=outputs,
        yardstick=yardstick,
    )


def _price(settings: JudgeSettings) -> Price | None:
    """Return the prices; the proxy costs nothing, and half a price is none."""
    if settings.provider == PROXY:
        return Price(input=0, output=0)
    if settings.input_price is None or settings.output_price is None:
        return None
    return Price(input=settings.input_price, output=settings.output_price)


def _check(options: JudgeOptions, price: Price | None) -> None:
    """Refuse options that cannot be kept to."""
    if options.max_cost is not None and price is None:
        raise NoPriceError
    if options.run is None:
        if options.sample is not None and options.limit is not None:
            raise SampleAndLimitError
        return
    given = {"--limit": options.limit, "--sample": options.sample}
    for name, value in given.items():
        if value is not None:
            raise NotAnswersError(name)


def _new_run(
    settings: JudgeSettings,
    options: JudgeOptions,
    what: str,
    price: Price | None,
    now: datetime,
) -> JudgeRun:
    """Return a run that has spent nothing."""
    judge, prompts = judge_name(settings), prompt_version(settings)
    asked_for = options.document(what)
    text = json.dumps(asked_for, sort_keys=True)
    return JudgeRun(
        id=uuid4().hex[:12],
        judge_key=f"{judge}@{prompts}",
        judge=judge,
        prompt_version=prompts,
        asked_for=asked_for,
        asked_for_sha=hashlib.sha256(text.encode()).hexdigest(),
        started_at=now,
        max_calls=options.max_calls,
        max_cost=options.max_cost,
        cost=None if price is None else 0.0,
    )


def _chosen(
    session: Session, run: JudgeRun, options: JudgeOptions, subjects: Subjects, *, now: datetime
) -> list[str]:
    """Return what the run is to score, in order."""
    if isinstance(subjects, RunSubjects):
        names = subjects.names
        return list(outputs_to_do(session, run.judge_key, names, now=now, again=options.again))
    chosen: list[str] = []
    for some in candidates(session, run.judge_key, now=now, again=options.again):
        chosen += [name for name in some if _in_sample(name, options)]
        if options.limit is not None and len(chosen) >= options.limit:
            return chosen[: options.limit]
    return chosen


def _in_sample(answer_id: str, options: JudgeOptions) -> bool:
    """Return whether an answer is in the sample: each by its own draw, the same at every time."""
    if options.sample is None:
        return True
    text = f"{options.seed}\0{answer_id}".encode("utf-8", "surrogatepass")
    draw = int.from_bytes(hashlib.sha256(text).digest()[:8]) / 2**64
    return draw < options.sample


def _probability(options: JudgeOptions) -> float | None:
    """Return with which probability each answer was chosen; None where no chance decided."""
    if options.limit is not None:
        return None
    return 1.0 if options.sample is None else options.sample


def _estimate(
    settings: JudgeSettings,
    price: Price | None,
    subjects: Subjects,
    looked_at: Sequence[str],
    left: int,
) -> Estimate:
    """Return what is ahead, from the first of the subjects."""
    calls = characters = 0
    if settings.provider != PROXY:
        for material in subjects.materials(looked_at).values():
            prompts = [ask.prompt("0" * 16) for ask in asks_of(material)]
            calls += len(prompts)
            characters += sum(prompt.characters for prompt in prompts)
    share = left / max(len(looked_at), 1)
    tokens = round(characters * share / _CHARACTERS_PER_TOKEN)
    replies = round(calls * share * _REPLY_TOKENS)
    return Estimate(
        run_id="",
        judge=judge_name(settings),
        subjects=left,
        done=0,
        calls=round(calls * share),
        input_tokens=tokens,
        output_tokens=replies,
        cost=None if price is None else price.of(tokens, replies),
        joined=False,
    )


def work(
    workspace: Workspace,
    prepared: Prepared,
    means: Means,
    *,
    concurrency: int,
    progress: Progress | None = None,
) -> JudgeRunReport:
    """Work on a run until it is done, its budget is spent, or it is interrupted.

    What is not finished is given back at once; what was scored stays. Priorities follow.

    Raises:
        StoreUnavailableError: the store could not be written.
        KeyboardInterrupt: it was interrupted.
    """
    worker = Worker(
        workspace=workspace,
        run=prepared.run,
        subjects=prepared.subjects,
        settings=prepared.settings,
        means=means,
        price=prepared.price,
    )
    worker.start(concurrency)
    try:
        _watch(workspace, prepared.run, worker, progress)
    except KeyboardInterrupt:
        worker.stop("interrupted")
        raise
    finally:
        worker.stop("finished")
        worker.finished.wait(_GRACE_S)
        worker.release()
        _settle(workspace)
    if worker.trouble is not None:
        raise worker.trouble
    return _ended(workspace, prepared, worker, means)


def _watch(
    workspace: Workspace,
    run: JudgeRun,
    worker: Worker,
    progress: Progress | None,
) -> None:
    """Wait for the threads; tell how far the run is, and let the queue follow now and then."""
    settled = time.monotonic()
    while not worker.finished.wait(_LOOK_EVERY_S):
        if progress is not None:
            _tell(workspace, run, progress)
        if time.monotonic() - settled > _SETTLE_EVERY_S:
            _settle(workspace)
            settled = time.monotonic()
    if progress is not None and worker.trouble is None:
        _tell(workspace, run, progress)


def _tell(workspace: Workspace, run: JudgeRun, progress: Progress) -> None:
    with workspace.store.reading() as session:
        left, done, _, _ = counts_of(session, run.id)
    progress(done, left + done)


def _settle(workspace: Workspace) -> None:
    with workspace.store.writing() as session:
        settle(session, current_weights(workspace))


def _ended(
    workspace: Workspace, prepared: Prepared, worker: Worker, means: Means
) -> JudgeRunReport:
    """Return the report; the run has ended if nothing is left or nothing more may be asked."""
    run_id = prepared.run.id
    with workspace.store.writing() as session:
        left = counts_of(session, run_id)[0]
        why = worker.why if worker.why != "finished" else None
        if not left or why is not None:
            end_run(session, run_id, why if left and why else "done", now=means.now())
    return report_of(workspace, prepared.run.id, estimate=prepared.estimate.to_document())
