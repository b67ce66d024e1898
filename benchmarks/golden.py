"""How long the golden repository takes: publish, read, look back, audit, at 10,000 cases.

Run as `python -m benchmarks.golden [CASES] [CHANGES]`. The floor for a publish is the same
stream through `git fast-import` alone. The audit over 20,000 commits, against `git log --raw`, is
`python -m benchmarks.audit`.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from benchmarks.golden_history import long_case
from curation.codec import case_path, dumps
from curation.domain.case import Case
from curation.domain.change import Approval, Change, ChangeKind, ChangeState, FileContent, PatchSet
from curation.domain.person import Person
from curation.golden import (
    ApprovedChange,
    Location,
    audit,
    case_history,
    create,
    diff_versions,
    list_versions,
    publish,
    read_version,
)
from curation.golden.location import opened
from curation.golden.publish import _planned
from curation.golden.reader import forget, snapshot
from curation.golden.runner import GitRunner
from curation.golden.stream import commit_stream

MIA = Person(name="Mia Kim", email="mia@example.org")
ANA = Person(name="Ana Ruiz", email="ana@example.org")
T = TypeVar("T")
NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


def case(number: int, notes: str = "") -> Case:
    """Return a case of about 2 kB."""
    return long_case(number).model_copy(update={"notes": notes})


def approved(kind: ChangeKind, number: int, cases: list[Case], base: str | None) -> ApprovedChange:
    """Return an approved change that writes the cases."""
    patch_set = PatchSet(
        number=1,
        author=MIA,
        at=NOW,
        reason="Measured.",
        base_blob=base,
        base_version=None,
        files=tuple(FileContent(path=case_path(c.id), text=dumps(c).decode()) for c in cases),
    )
    change = Change(
        id=str(UUID(int=number)),
        number=number,
        kind=kind,
        state=ChangeState.APPROVED,
        case_id=cases[0].id if kind is not ChangeKind.IMPORT else None,
        created_at=NOW,
        import_source=f"bench sha256:{'0' * 64}" if kind is ChangeKind.IMPORT else None,
        patch_sets=(patch_set,),
        approvals=(Approval(patch_set=1, person=ANA, at=NOW),),
    )
    return ApprovedChange(change=change, approvers=(ANA,))


def processor() -> float:
    """Return the seconds of processor time of this process and of the git that it ran."""
    mine, git = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + git.ru_utime + git.ru_stime


def timed(name: str, work: Callable[[], T]) -> tuple[float, T]:
    """Say how long it took, in wall time and in processor time; return the latter."""
    wall, cpu = time.perf_counter(), processor()
    result = work()
    wall, cpu = time.perf_counter() - wall, processor() - cpu
    print(f"{name:45} {wall * 1000:8.0f} ms wall {cpu * 1000:8.0f} ms cpu")
    return cpu, result


def main(number: int = 10_000, changes: int = 100) -> None:
    with tempfile.TemporaryDirectory() as folder:
        location = Location.at(Path(folder) / "golden.git")
        location.path.mkdir()
        with_git(location, "init", "--quiet", "--bare", "-b", "main", ".")
        create(location, person=MIA, now=NOW)
        first = [approved(ChangeKind.IMPORT, 1, [case(n) for n in range(number)], None)]
        timed(f"import {number} cases", lambda: publish(location, first, publisher=MIA, now=NOW))
        measure(location, changes)


def measure(location: Location, changes: int) -> None:
    forget()
    timed("read the set, cold", lambda: read_version(location))
    _, golden = timed("read the set, kept", lambda: read_version(location))
    batch = [
        approved(ChangeKind.EDIT, n + 2, [case(n, "edited")], golden.blobs[f"q-{n:05d}"])
        for n in range(changes)
    ]
    floor = stream_alone(location, batch)
    forget()
    cold, _ = timed(
        f"publish {changes} changes, cold",
        lambda: publish(location, batch, publisher=MIA, now=NOW),
    )
    blobs = read_version(location).blobs
    again = [
        approved(ChangeKind.EDIT, n + 9000, [case(n, "again")], blobs[f"q-{n:05d}"])
        for n in range(changes)
    ]
    warm, _ = timed(
        f"publish {changes} changes, set kept",
        lambda: publish(location, again, publisher=MIA, now=NOW),
    )
    blob = read_version(location).blobs["q-00005"]
    one = [approved(ChangeKind.EDIT, 99999, [case(5, "one")], blob)]
    timed("publish 1 change, set kept", lambda: publish(location, one, publisher=MIA, now=NOW))
    print(f"ratio to git fast-import alone: cold {cold / floor:.1f}, set kept {warm / floor:.1f}")
    timed("list the versions", lambda: list_versions(location))
    timed("compare two versions", lambda: diff_versions(location, "v2", "v4"))
    timed("history of a case", lambda: case_history(location, "q-00003"))
    timed("audit", lambda: audit(location))


def stream_alone(location: Location, batch: list[ApprovedChange]) -> float:
    """Return how long `git fast-import` takes for the commits of a batch and nothing else."""
    with opened(location) as golden:
        tip = golden.tip() or ""
        plan, _ = _planned(golden, snapshot(golden, tip), batch, MIA, {})
        ref = "refs/bench/alone"
        stream = commit_stream(plan.commits, ref=ref, base=tip, prefix="")
        took, _ = timed(
            f"git fast-import of {len(batch)} commits alone",
            lambda: golden.git.run("fast-import", "--quiet", "--date-format=raw", stdin=stream),
        )
        golden.git.run("update-ref", "-d", ref)
    return took


def with_git(location: Location, *arguments: str) -> None:
    GitRunner(location.path).output(*arguments, doing="begin")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
