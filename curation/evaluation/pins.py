"""Whether two reports were made in the same way, on the same cases (measures.md section 5)."""

from curation.evaluation.report import Pins

__all__ = ["pin_differences", "stale"]

_PINS = (
    "version",
    "cases_tree",
    "policy_blob",
    "k",
    "hit_rule",
    "scorer",
    "judge",
    "corpus_snapshot",
    "repeats",
    "seed",
)
_RESCORED_PINS = ("k", "hit_rule", "scorer", "judge")


def stale(baseline: Pins, candidate: Pins) -> bool:
    """Return whether the baseline was measured on another version with other cases."""
    if None in (baseline.version, candidate.version) or baseline.version == candidate.version:
        return False
    known = None not in (baseline.cases_tree, candidate.cases_tree)
    return not (known and baseline.cases_tree == candidate.cases_tree)


def pin_differences(baseline: Pins, candidate: Pins, *, rescored: bool = False) -> tuple[str, ...]:
    """Return the pins, other than pipeline and run, that are known and differ.

    Reports that were just scored again agree by construction; what is left are how it was done.
    """
    same_cases = baseline.cases_tree is not None and baseline.cases_tree == candidate.cases_tree
    names = _RESCORED_PINS if rescored else _PINS
    differing = []
    for name in names:
        mine, theirs = getattr(baseline, name), getattr(candidate, name)
        known = mine is not None and theirs is not None
        if known and mine != theirs and not (name == "version" and same_cases):
            differing.append(name)
    return tuple(differing)
