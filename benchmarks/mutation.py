"""Mutation tests: copy the tree, write mutmut's settings into the copy, run it there.

    python benchmarks/mutation.py metrics            # or another name of PARTS
    python benchmarks/mutation.py facts --sample 20  # every twentieth mutant

mutmut (BSD-3) is installed by whoever repeats this; it is no dependency of the project.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

METRICS = [
    "retrieval",
    "hits",
    "verdict",
    "abstention",
    "failure",
    "aggregate",
    "latency",
    "citations",
    "answers",
    "evidence",
    "metric",
    "presence",
    "content",
    "support",
    "question_type",
]
EVALUATION = [
    "gate",
    "rules",
    "compare",
    "aggregates",
    "intervals",
    "noninferiority",
    "hit_rule",
    "scoring",
    "report",
    "slices",
    "pins",
    "run",
    "cases",
    "evaluate",
    "experiment",
    "targets",
]
# What the audit decides from commits alone, and what it reads from a repository.
RULES = ["kinds", "chain", "approvals", "case_book"]
AUDIT = ["audit", "walk", "chain_start", "experiment_audit", "experiment_gate"]
HOOK = ["receive", "case_form", "server"]
# The matcher of facts, what else is measured, and what stands around the evaluation.
FACTS = [
    "facts",
    "forbidden",
    "attribution",
    "polarity",
    "relations",
    "wording",
    "terse",
    "verbatim",
    "sighting",
    "conflicts",
    "quantity_reader",
    "items",
    "anchors",
    "doubts",
    "window",
    "clauses",
    "comparators",
    "dates",
    "denial",
    "lexicon",
    "lookup",
    "mentions",
    "normalise",
    "numerals",
    "outline",
    "output",
    "places",
    "segments",
    "tokens",
    "units",
    "versions",
    "words",
]
FIGURES = [
    "agreement",
    "agreement_between_people",
    "agreement_verdict",
    "arrangement",
    "estimates",
    "near_groups",
    "proxies",
    "queue_yield",
    "relatedness",
    "sampling",
    "session_signals",
    "wilson",
]
AROUND = [
    "anchoring",
    "case_lines",
    "drafting",
    "errors",
    "http_target",
    "impact",
    "items",
    "library",
    "outdating",
    "render_html",
    "render_json",
    "render_junit",
    "render_markdown",
    "render_table",
    "rule_outcome",
    "rows",
    "succession",
    "wording",
]

PARTS = {
    "metrics": ([f"curation/metrics/{m}.py" for m in METRICS], ["tests/metrics"]),
    "evaluation": ([f"curation/evaluation/{m}.py" for m in EVALUATION], ["tests/evaluation"]),
    "rules": (
        [f"curation/golden/{m}.py" for m in RULES],
        [
            "tests/golden/test_commit_kinds.py",
            "tests/golden/test_walk_along_the_line.py",
            "tests/golden/test_book_of_cases.py",
            "tests/golden/test_forged_histories.py",
            "tests/golden/test_look_alikes.py",
        ],
    ),
    "audit": (
        [f"curation/golden/{m}.py" for m in AUDIT],
        [
            "tests/golden/test_audit_in_full.py",
            "tests/golden/test_experiments_in_full.py",
            "tests/golden/test_forged_histories.py",
            "tests/golden/test_removed_by_hand.py",
        ],
    ),
    "hook": (
        [f"curation/golden/hook/{m}.py" for m in HOOK],
        ["tests/golden/test_pushes_in_full.py", "tests/golden/test_form_of_a_case_file.py"],
    ),
    "facts": ([f"curation/metrics/{m}.py" for m in FACTS], ["tests/metrics"]),
    "figures": ([f"curation/metrics/{m}.py" for m in FIGURES], ["tests/metrics"]),
    "around": ([f"curation/evaluation/{m}.py" for m in AROUND], ["tests/evaluation"]),
}


# Tests by time, or so slow or so far from the modules that they would only make the runs longer.
SLOW = {part: ["in_a_moment"] for part in PARTS} | {
    "metrics": ["test_fact"],
    "evaluation": ["in_a_moment", "http_target", "drafting", "saying_less", "rechunked", "holm"],
}

# A mutant runs in a fork of a process that has run the tests: what that remembers hides it.
# The cheap tests come first, since the first failure ends a mutant's run.
ADDED = """

import json

settings.register_profile("mutants", parent=settings.get_profile("ci"), max_examples=40)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items):
    stats = Path("mutmut-stats.json")
    took = json.loads(stats.read_text())["duration_by_test"] if stats.exists() else {}
    items.sort(key=lambda item: (hasattr(item.function, "hypothesis"), took.get(item.nodeid, 0)))


@pytest.fixture(autouse=True)
def nothing_remembered():
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("curation.") else ():
            inner = (cell.cell_contents for cell in getattr(value, "__closure__", None) or ())
            for cached in (value, *inner):
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()
"""


OPEN = ("survived", "no tests", "timeout")  # on a busy machine a time-out is no verdict


def settings(part: str) -> str:
    modules, tests = PARTS[part]
    lists = {
        "source_paths": ["curation"],
        "only_mutate": modules,
        "also_copy": ["benchmarks", "golden_repo", "pages", "app.py"],
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": [
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:unraisableexception",  # it collects garbage twice a run, two thirds of the time
            "-o",
            "addopts=--import-mode=importlib",
            "-k",
            " and ".join(f"not {name}" for name in ["takes_time", "real", *SLOW[part]]),
        ],
    }
    lines = ["[mutmut]"]
    for name, values in lists.items():
        lines += [f"{name} =", *(f"    {value}" for value in values)]
    lines += ["use_git_change_detection = false", "track_dependencies = false"]
    lines += ["timeout_multiplier = 15", "timeout_constant = 4"]
    return "\n".join(lines) + "\n"


def statuses(copy: Path) -> dict[str, str]:
    """Return the status of each mutant."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "results", "--all", "true"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = (line.strip().split(": ") for line in shown.splitlines() if ": " in line)
    return {row[0]: row[1] for row in rows if len(row) == 2}


def prepare(part: str, copy: Path) -> None:
    """Copy the last commit, with mutmut's settings."""
    copy.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(copy)], input=files.stdout, check=True)
    (copy / "setup.cfg").write_text(settings(part))
    with (copy / "tests" / "conftest.py").open("a") as conftest:
        conftest.write(ADDED)
    # Which test calls which function is asked again: both may have changed.
    (copy / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument("--sample", type=int, default=1, help="run every nth mutant only")
    parser.add_argument("--again", action="store_true", help="run what survived once more, too")
    parser.add_argument("--children", default="1", help="how many mutants run at once")
    parser.add_argument("--into", type=Path, default=Path("/tmp/curation-mutants"))
    given = parser.parse_args()
    copy = given.into / given.part
    prepare(given.part, copy)
    os.environ["CI"] = "1"
    run = [sys.executable, "-m", "mutmut", "run", "--max-children", given.children]
    if given.sample > 1:
        subprocess.run([*run, "nothing.*"], cwd=copy, check=False)
        names = list(statuses(copy))[:: given.sample]
    else:
        subprocess.run(run, cwd=copy, check=False)
        known = statuses(copy) if given.again else {}
        names = [name for name, status in known.items() if status in OPEN]
    if names:
        subprocess.run([*run, *names], cwd=copy, check=False)


if __name__ == "__main__":
    main()
