"""Runs made by calling a target: a Python callable that answers a question.

The calls are made in threads. A call that runs into its time-out is left behind (Python cannot
stop a thread), its case is tried again or recorded as timed out, and the run goes on.
"""

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, Queue

from curation.domain.case import Case, Turn
from curation.evaluation.errors import RunFormError
from curation.evaluation.run import RunLine, run_line

__all__ = ["Target", "TargetSettings", "kept_lines", "run_target"]

Target = Callable[[str, Sequence[Turn]], object]
SHORTEST_CALL_S, LONGEST_CALL_S = 0.001, 86_400.0


@dataclass(frozen=True, kw_only=True)
class TargetSettings:
    """How a target is called.

    Args:
        concurrency: How many calls are open at once.
        timeout_s: How long one call may take.
        retries: How often a call that failed or timed out is made again.
        repeats: How often each case is run.
        pause_s: The wait before the first retry; it doubles with each.
    """

    concurrency: int = 4
    timeout_s: float = 60.0
    retries: int = 1
    repeats: int = 1
    pause_s: float = 0.5


def kept_lines(done: Iterable[RunLine]) -> tuple[RunLine, ...]:
    """Return the outputs of an interrupted run that count, marked as not measured in this one.

    The last line of a case and repeat counts; a failed one is run again.
    """
    last = {(line.case_id, line.repeat): line for line in done}
    return tuple(
        line.model_copy(update={"resumed": True}) for line in last.values() if not line.failed
    )


def run_target(
    cases: Iterable[Case],
    target: Target,
    settings: TargetSettings | None = None,
    *,
    kept: Iterable[RunLine] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Generator[RunLine, None, None]:
    """Yield the output of each case as it comes; the caller writes it down and shows progress.

    What `kept` holds is not run again and not yielded. Closing the generator ends the run after
    the open calls.

    Args:
        cases: The cases; the target gets question and conversation as they are frozen.
        target: Returns the answer, or an object with fields of a run line.
        settings: How it is called.
        kept: Outputs of an interrupted run, from `kept_lines`.
        clock: Seconds for the latencies.
    """
    how = settings or TargetSettings()
    known = {(line.case_id, line.repeat) for line in kept}
    jobs: Queue[_Job] = Queue()
    listed = tuple(cases)
    wanted = [_Job(case, repeat) for repeat in range(1, how.repeats + 1) for case in listed]
    open_jobs = [job for job in wanted if (job.case.id, job.repeat) not in known]
    for job in open_jobs:
        jobs.put(job)
    caller = _Caller(target, how, clock, jobs)
    caller.start(min(how.concurrency, len(open_jobs)))
    try:
        for _ in open_jobs:
            yield caller.results.get()
    finally:
        caller.stopped.set()


@dataclass(frozen=True, slots=True)
class _Job:
    case: Case
    repeat: int


class _Caller:
    """The threads that call a target, and the queue of what came back."""

    def __init__(
        self,
        target: Target,
        settings: TargetSettings,
        clock: Callable[[], float],
        jobs: "Queue[_Job]",
    ) -> None:
        self.target = target
        self.settings = settings
        self.clock = clock
        self.jobs = jobs
        self.results: Queue[RunLine] = Queue()
        self.stopped = threading.Event()

    def start(self, workers: int) -> None:
        """Start the threads."""
        for _ in range(workers):
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while not self.stopped.is_set():
            try:
                job = self.jobs.get_nowait()
            except Empty:
                return
            self.results.put(self._output(job))

    def _output(self, job: _Job) -> RunLine:
        """Return the output of a case, or after the last retry its failure."""
        line = self._attempt(job)
        pause = self.settings.pause_s
        for _ in range(self.settings.retries):
            if not line.failed or self.stopped.wait(pause):
                break
            pause *= 2
            line = self._attempt(job)
        return line

    def _attempt(self, job: _Job) -> RunLine:
        """Return the output of one call, made in a thread of its own."""
        box: list[RunLine] = []
        thread = threading.Thread(target=lambda: box.append(self._call(job)), daemon=True)
        thread.start()
        thread.join(self.settings.timeout_s)
        if box:
            return box[0]
        return RunLine(
            case_id=job.case.id,
            repeat=job.repeat,
            error=f"timed out after {self.settings.timeout_s:g} s",
            latency_ms=self.settings.timeout_s * 1000,
            timed_out=True,
        )

    def _call(self, job: _Job) -> RunLine:
        start = self.clock()
        try:
            given = self.target(job.case.question, job.case.conversation)
            if inspect.iscoroutine(given):
                given = asyncio.run(given)
            return _line(given, job, (self.clock() - start) * 1000)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - the target is anybody's code
            return RunLine(case_id=job.case.id, repeat=job.repeat, error=_named(problem))


def _named(problem: BaseException) -> str:
    text = str(problem)
    kind = type(problem).__name__
    return f"{kind}: {text}" if text else kind


def _line(given: object, job: _Job, latency_ms: float) -> RunLine:
    """Return what a target gave as a run line; what is no output is a failure."""
    case_id, repeat = job.case.id, job.repeat
    if isinstance(given, RunLine):
        latency = latency_ms if given.latency_ms is None else given.latency_ms
        own = {"case_id": case_id, "repeat": repeat, "latency_ms": latency}
        return given.model_copy(update=own)
    if isinstance(given, str):
        return RunLine(case_id=case_id, repeat=repeat, answer=given, latency_ms=latency_ms)
    if not isinstance(given, Mapping):
        problem = f"the target returned {type(given).__name__}, not an answer"
        return RunLine(case_id=case_id, repeat=repeat, error=problem)
    own = {"case_id": case_id, "repeat": repeat}
    try:
        return run_line({"latency_ms": latency_ms, **given, **own}, number=1)
    except RunFormError as wrong:
        problem = f"the target's output cannot be read: {wrong.problem}"
        return RunLine(case_id=case_id, repeat=repeat, error=problem)
