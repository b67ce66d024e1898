"""How long the audit takes over a long history, against `git log --raw` over the same commits.

Run as `python -m benchmarks.audit [COMMITS]`. The peer is
`git log --first-parent --raw --no-abbrev -z main`: git alone walks the same line, compares the same
trees and prints the same changed files; without `--no-abbrev` it is slower, and it writes to
nowhere while ours is read and judged. Both are run in turns; of each the quickest in processor
time counts, since other work on the machine can only add to it. Ours is processor time of this
process and of its git together.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.golden_history import build_history
from curation.golden import Location, audit
from curation.golden.chain import Chain
from curation.golden.location import opened
from curation.golden.objects import object_reader
from curation.golden.reader import forget
from curation.golden.walk import history_pass

PEER = ("log", "--first-parent", "--raw", "--no-abbrev", "-z", "main")
_TURNS = 7


class Spent(NamedTuple):
    """What a run took, in seconds."""

    ours: float
    git: float
    wall: float

    @property
    def cpu(self) -> float:
        """Processor time of this process and its git."""
        return self.ours + self.git


def spent(work: Callable[[], object]) -> Spent:
    ours, git = (_cpu(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    start = time.perf_counter()
    work()
    wall = time.perf_counter() - start
    return Spent(_cpu(resource.RUSAGE_SELF) - ours, _cpu(resource.RUSAGE_CHILDREN) - git, wall)


def _cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def quickest(runs: list[Spent]) -> Spent:
    return min(runs, key=lambda run: run.cpu)


def main(commits: int = 20_000) -> None:
    with tempfile.TemporaryDirectory() as name:
        start = time.perf_counter()
        location = build_history(Path(name), commits=commits)
        print(f"{commits} commits made in {time.perf_counter() - start:.0f} s")
        against_git(location)
        whole(location)


def against_git(location: Location) -> None:
    """Print the history pass, which is freeze, approvals, trailers and ids, against its peer."""
    peer = ["git", "-C", str(location.path), *PEER]
    theirs, ours = [], []
    for _ in range(_TURNS):
        theirs.append(spent(lambda: subprocess.run(peer, stdout=subprocess.DEVNULL, check=True)))
        ours.append(spent(lambda: broken(location)))
    a, b = quickest(theirs), quickest(ours)
    print(f"git {' '.join(PEER)}: {a.cpu:.2f} s cpu, {min(r.wall for r in theirs):.2f} s wall")
    print(
        f"history pass: {b.cpu:.2f} s cpu ({b.ours:.2f} ours, {b.git:.2f} git's), "
        f"{min(r.wall for r in ours):.2f} s wall"
    )
    wall = sorted(y.wall / x.wall for x, y in zip(theirs, ours, strict=True))
    print(f"ratio: cpu {b.cpu / a.cpu:.2f}, wall {wall[len(wall) // 2]:.2f} (median of the turns)")


def broken(location: Location) -> int:
    """Return how many rules the history pass finds broken."""
    with opened(location) as golden, object_reader(golden.git) as reader:
        tip = golden.or_refuse(golden.tip())
        steps = history_pass(golden, reader, Chain(), tip)
        return sum(len(step.judged.rulings) for step in steps if step.judged)


def whole(location: Location) -> None:
    """Print the audit with what cases say, from the root and from newer versions."""
    with opened(location) as golden:
        tags = golden.git.text("tag", "--list", "golden/*", "--sort=v:refname", doing="list")
    names = tags.split("\n")
    for since in (names[-1], names[-2], names[-11] if len(names) > 11 else names[0], None):
        forget()
        took, said = audited(location, since)
        print(
            f"audit {f'--since {since}' if since else 'of everything'}: {said}; "
            f"{took.cpu:.2f} s cpu ({took.ours:.2f} ours), {took.wall:.2f} s wall"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"most memory of this process: {peak / 1024:.0f} MiB, the building of the history in it")


def audited(location: Location, since: str | None) -> tuple[Spent, str]:
    """Return what an audit took and the line that sums it up."""
    said: list[str] = []
    took = spent(lambda: said.append(audit(location, since=since).summary))
    return took, said[0]


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
