"""Red: the logged answer fails the case. Green: the references pass it."""

from collections.abc import Iterator

from curation.checks.context import CheckContext, ReferenceText, error, fine, warning
from curation.domain.case import FactKind
from curation.domain.finding import Check, Finding
from curation.domain.verdict import FactPresence, Presence, Red

WRITE, WORDING, FAILURE = "W", "O", "F"


def red(context: CheckContext) -> Iterator[Finding]:
    """Yield how the logged output stands on the case; it must fail where the category says."""
    if context.red is None:
        return
    result = context.red.result
    if result is Red.FAILS:
        yield fine(Check.RED, "Red: the logged answer fails this case.")
    elif result is Red.OTHER:
        criteria = " and ".join(criterion.value for criterion in context.red.criteria)
        yield warning(
            Check.RED_OTHER,
            f"The logged answer fails on {criteria}, which does not show {context.red_category}.",
            field="failure",
            key=FAILURE,
        )
    elif result is Red.UNSURE:
        yield warning(
            Check.RED_UNSURE,
            "Red is unsure: no fact clearly fails the logged answer.",
            field="facts",
        )
    else:
        yield error(
            Check.RED_PASSES,
            "The logged answer would pass this case. Add what it misses (1) or what it gets "
            "wrong (3).",
            field="facts",
            key="1",
        )


def green(context: CheckContext) -> Iterator[Finding]:
    """Yield what a reference lacks, what it must not hold, and what cannot be told."""
    problems = [f for reference in context.references for f in _reference(reference)]
    yield from problems
    if context.references and not problems and _has_facts(context):
        yield fine(Check.GREEN, "Green: the reference passes.")


def _has_facts(context: CheckContext) -> bool:
    case = context.case
    return bool(case.facts.required or case.facts.forbidden or case.declines)


def _reference(reference: ReferenceText) -> Iterator[Finding]:
    for fact in reference.says.needed:
        if fact.presence is Presence.ABSENT:
            yield error(
                Check.GREEN_FAILS,
                f"{reference.name} lacks {_shown(fact)}.",
                field=reference.field,
                item=fact.fact_id,
                key=WRITE,
            )
        elif fact.presence is Presence.UNSURE:
            yield warning(
                Check.GREEN_UNSURE,
                f"Green is unsure: it cannot be told whether {_lower(reference.name)} has "
                f"{_shown(fact)}.",
                field=reference.field,
                item=fact.fact_id,
                key=WORDING,
            )
    yield from _forbidden(reference)


def _forbidden(reference: ReferenceText) -> Iterator[Finding]:
    for fact in reference.says.of(FactKind.FORBIDDEN):
        if fact.presence is Presence.PRESENT:
            yield error(
                Check.FORBIDDEN_IN_REFERENCE,
                f"{reference.name} holds {fact.name}.",
                field=reference.field,
                item=fact.fact_id,
                key=WRITE,
            )
        elif fact.presence is Presence.UNSURE:
            yield warning(
                Check.GREEN_UNSURE,
                f"Green is unsure: it cannot be told whether {_lower(reference.name)} states "
                f"{fact.name} as right.",
                field=reference.field,
                item=fact.fact_id,
                key=WRITE,
            )


def _shown(fact: FactPresence) -> str:
    """Return how a sentence names what a reference must say."""
    return fact.name if fact.kind else f"{fact.name} of what is not known"


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]


def contradictions(context: CheckContext) -> Iterator[Finding]:
    """Yield forbidden facts that stand in a required or optional one."""
    for forbidden, other in context.clashes:
        yield error(
            Check.FORBIDDEN_EQUALS_REQUIRED,
            f"{forbidden.name.capitalize()} stands in {other}.",
            field="facts",
            item=forbidden.fact_id,
        )


def leaks(context: CheckContext) -> Iterator[Finding]:
    """Yield required facts that the question itself states."""
    for fact in context.leaked:
        yield warning(
            Check.LEAKS_REFERENCE,
            f"The question already says {fact.name}.",
            field="question",
            item=fact.fact_id,
            key="T",
        )
