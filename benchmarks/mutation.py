"""Mutation tests: copy the tree, write mutmut's settings into the copy, run it there.

    python benchmarks/mutation.py metrics            # or evaluation, golden, hook, facts
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
    "rescore",
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
GOLDEN = [
    "audit",
    "experiment_audit",
    "kinds",
    "chain",
    "chain_start",
    "case_book",
    "experiment_gate",
    "approvals",
]
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
]

PARTS = {
    "metrics": ([f"curation/metrics/{m}.py" for m in METRICS], ["tests/metrics"]),
    "evaluation": ([f"curation/evaluation/{m}.py" for m in EVALUATION], ["tests/evaluation"]),
    "golden": (
        [f"curation/golden/{m}.py" for m in GOLDEN],
        [
            "tests/golden/test_audit.py",
            "tests/golden/test_experiment_audit.py",
            "tests/golden/test_looking_back.py",
            "tests/golden/test_freeze.py",
        ],
    ),
    "hook": (
        ["curation/golden/hook/receive.py", "curation/golden/hook/case_form.py"],
        ["tests/golden/test_hook_and_audit.py", "tests/golden/test_hook.py"],
    ),
    "facts": ([f"curation/metrics/{m}.py" for m in FACTS], ["tests/metrics"]),
}


# A mutant runs in a fork of a process that has run the tests: what that remembers hides it.
# The cheap tests come first, since the first failure ends a mutant's run.
ADDED = """

settings.register_profile("mutants", parent=settings.get_profile("ci"), max_examples=40)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: hasattr(item.function, "hypothesis"))


@pytest.fixture(autouse=True)
def nothing_remembered():
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("curation.") else ():
            inner = (cell.cell_contents for cell in getattr(value, "__closure__", None) or ())
            for cached in (value, *inner):
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()
"""


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
            "-o",
            "addopts=--import-mode=importlib",
            "-k",
            "not takes_time_in_proportion and not real",
        ],
    }
    lines = ["[mutmut]"]
    for name, values in lists.items():
        lines += [f"{name} =", *(f"    {value}" for value in values)]
    lines += ["use_git_change_detection = false", "track_dependencies = false"]
    return "\n".join(lines) + "\n"


def sampled(copy: Path, step: int) -> list[str]:
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "results", "--all", "true"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = [line.split(":")[0].strip() for line in shown.splitlines() if ":" in line]
    return names[::step]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--into", type=Path, default=Path("/tmp/curation-mutants"))
    given = parser.parse_args()
    copy = given.into / given.part
    copy.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(copy)], input=files.stdout, check=True)
    (copy / "setup.cfg").write_text(settings(given.part))
    with (copy / "tests" / "conftest.py").open("a") as conftest:
        conftest.write(ADDED)
    run = [sys.executable, "-m", "mutmut", "run", "--max-children", "1"]
    os.environ["CI"] = "1"
    if given.sample > 1:
        subprocess.run([*run, "nothing.*"], cwd=copy, check=False)
        run += sampled(copy, given.sample)
    subprocess.run(run, cwd=copy, check=False)


if __name__ == "__main__":
    main()
