"""All checks of a case, in the order in which a person repairs."""

from collections.abc import Callable, Iterator

from curation.checks import completeness, duplicates, evidence, outcomes, references, texts
from curation.checks.context import CheckContext, warning
from curation.domain.case import CaseStatus
from curation.domain.finding import Check, Finding, Level

Rule = Callable[[CheckContext], Iterator[Finding]]

_ALWAYS: tuple[Rule, ...] = (texts.unreadable_texts, texts.private_texts, duplicates.last_guard)
_ACTIVE: tuple[Rule, ...] = (
    duplicates.duplicates,
    completeness.missing_parts,
    duplicates.question_changed,
    outcomes.contradictions,
    outcomes.green,
    references.written_by_people,
    outcomes.red,
    completeness.fact_support,
    completeness.short_forbidden,
    completeness.common_facts,
    evidence.quotes,
    evidence.versions,
    outcomes.leaks,
    completeness.unknown_names,
)
_ORDER = {Level.ERROR: 0, Level.WARNING: 1, Level.FINE: 2}


def run_checks(context: CheckContext) -> tuple[Finding, ...]:
    """Return what the checks found: first what to fix, then what to explain, then what is fine.

    A retirement is checked for what it may do to the set, not for what the case lacks.
    """
    retired = context.case.status is CaseStatus.RETIRED
    rules = _ALWAYS if retired else _ACTIVE + _ALWAYS
    found = [finding for rule in rules for finding in rule(context)]
    if context.baseline_fails:
        found.append(
            warning(Check.BASELINE_FAILS, "This case fails on the baseline, so that it counts.")
        )
    return tuple(sorted(found, key=lambda finding: _ORDER[finding.level]))
