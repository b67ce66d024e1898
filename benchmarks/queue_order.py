"""Time of a queue page at 100,000 answers: run `benchmarks/ingest.py` first, on the same home."""

import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from curation.config import load_settings
from curation.domain.answer import SignalKind
from curation.domain.person import Person
from curation.domain.queue import MetricBelow, QueueFilter, QueueState
from curation.domain.review import Review, Verdict
from curation.services.triage import filter_choices, list_queue, next_answer
from curation.services.workspace import Workspace, open_workspace
from curation.store.reviews import cover_group, record_review

MIA = Person(name="Mia Kim", email="mia@example.org")
FILTERS = {
    "all": QueueFilter(),
    "slice": QueueFilter(slice="billing"),
    "signal": QueueFilter(signal=SignalKind.CORRECTION),
    "metric below 0.5": QueueFilter(metric_below=MetricBelow(metric="faithfulness", value=0.5)),
    "metric below 0.001": QueueFilter(metric_below=MetricBelow(metric="faithfulness", value=0.001)),
    "version": QueueFilter(pipeline_version="p-2"),
    "words, many": QueueFilter(words="default option"),
    "words, few": QueueFilter(words="option 4711"),
    "words, none": QueueFilter(words="zebra"),
    "slice and signal": QueueFilter(slice="policy", signal=SignalKind.ESCALATION),
    "done": QueueFilter(state=QueueState.DONE),
    "covered": QueueFilter(state=QueueState.COVERED),
    "held": QueueFilter(state=QueueState.HELD),
}


def measured(name: str, act: Callable[[], object], times: int = 7) -> None:
    """Print wall and CPU time; on a machine with other work the CPU time is the fair one."""
    act()
    walls, cpus = [], []
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        act()
        walls.append((time.perf_counter() - began) * 1000)
        cpus.append((time.process_time() - used) * 1000)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    print(f"{name:34} wall {wall:7.1f} ms (max {max(walls):7.1f}), CPU {cpu:7.1f} ms")


def review_some(workspace: Workspace, number: int, now: datetime) -> None:
    for turn in range(number):
        name = next_answer(workspace, MIA, QueueFilter(), now=now)
        verdict = Verdict.PROPOSED if turn % 2 else Verdict.NOT_ACTIONABLE
        if name is None or turn % 10 == 0:
            continue
        review = Review(answer_id=name, person=MIA, verdict=verdict, reason="r", at=now, blind=True)
        with workspace.store.writing() as session:
            record_review(session, review)
            cover_group(session, review)


def main() -> None:
    home = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("/tmp/curation-benchmark")
    workspace = open_workspace(load_settings(home))
    now = datetime.now(UTC)
    measure_pages(workspace, now)
    review_some(workspace, 300, now)
    measure_pages(workspace, now)


def measure_pages(workspace: Workspace, now: datetime) -> None:
    print(list_queue(workspace, MIA, QueueFilter(), now=now).counts)
    for name, filters in FILTERS.items():
        page = list_queue(workspace, None, filters, now=now)
        measured(
            f"page 1, {name} ({page.shown})",
            lambda chosen=filters: list_queue(workspace, None, chosen, now=now),
        )
    last = list_queue(workspace, None, QueueFilter(), now=now, page=10**6).page
    measured("last page", lambda: list_queue(workspace, None, QueueFilter(), now=now, page=last))
    measured("filter choices", lambda: filter_choices(workspace))
    later = now + timedelta(hours=1)
    measured("next answer", lambda: next_answer(workspace, MIA, QueueFilter(), now=later))
    rare = QueueFilter(words="option 4711")
    measured("next answer, few words", lambda: next_answer(workspace, MIA, rare, now=later))


if __name__ == "__main__":
    main()
