"""How long the server-side hook takes: a first push of a long history, and one of 100 commits.

python benchmarks/hook.py [COMMITS]
"""

import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.golden import Location, create, publish
from curation.golden.hook.install import install_hook
from tests.golden.desk import ROB, START, Desk


def main(number: int = 20_000) -> None:
    """Print how long the hook holds up two pushes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        location = Location.at(folder / "golden")
        create(location, person=ROB, now=START)
        desk = Desk(location)
        for start in range(0, number, 2000):
            some = [desk.add(f"q-{start + n:06d}") for n in range(min(2000, number - start))]
            publish(location, some, publisher=ROB, now=desk.tick())
        bare = folder / "remote.git"
        subprocess.check_call(["git", "init", "-q", "--bare", "-b", "main", bare])
        install_hook(bare)
        timed(f"first push, {number} commits, with the hook", location, bare)
        some = [desk.add(f"q-9{n:06d}") for n in range(100)]
        publish(location, some, publisher=ROB, now=desk.tick())
        timed(f"push of 100 commits after {number}, with the hook", location, bare)
        (bare / "hooks" / "pre-receive").unlink()
        publish(location, [desk.add("q-last")], publisher=ROB, now=desk.tick())
        timed("push of 2 commits without a hook", location, bare)
        log = ["git", "-C", str(location.path), "log", "--first-parent", "--raw", "--no-abbrev"]
        start_at = time.perf_counter()
        subprocess.run([*log, "-z"], stdout=subprocess.DEVNULL, check=True)
        print(f"git log --raw: {time.perf_counter() - start_at:.2f} s")


def timed(what: str, location: Location, bare: Path) -> None:
    before, start = children(), time.perf_counter()
    subprocess.check_call(
        ["git", "-C", location.path, "push", "-q", bare, "main", "--tags"],
    )
    spent = children() - before
    print(f"{what}: {time.perf_counter() - start:.2f} s, {spent:.2f} s of processor")


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:2]))
