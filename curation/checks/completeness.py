"""What a case of its kind must have."""

from collections.abc import Iterator

from curation.checks.context import CheckContext, error, fine, warning
from curation.domain.case import Answerable, FactKind, FactRole
from curation.domain.finding import Check, Finding, Level
from curation.domain.visible import shown

WRITE, MUST, EVIDENCE, TO_MAY, DETAILS, SEARCH = "W", "1", "E", "M", "T", "/"


def missing_parts(context: CheckContext) -> Iterator[Finding]:
    """Yield what the case lacks: question, reference, facts, evidence."""
    case = context.case
    if not case.question.strip():
        yield error(Check.QUESTION_MISSING, "Write the question.", field="question", key=DETAILS)
    yield from _reference(context)
    yield from _empty_facts(context)
    yield from _facts(context)
    yield from _evidence(context)
    yield from _search(context)
    yield from _category(context)


def _unanswerable(context: CheckContext) -> bool:
    return context.case.answerable is Answerable.UNANSWERABLE


def _reference(context: CheckContext) -> Iterator[Finding]:
    if context.case.reference.strip():
        return
    if not _unanswerable(context):
        yield error(
            Check.REFERENCE_MISSING, "Write a reference answer.", field="reference", key=WRITE
        )
    elif context.searches:
        # The search that found nothing is the account of why there is nothing to write.
        yield fine(Check.NO_REFERENCE, "No reference: a right answer only has to decline.")
    else:
        yield warning(
            Check.NO_REFERENCE,
            "There is no reference: write what a right answer says when it declines.",
            field="reference",
            key=WRITE,
        )


def _facts(context: CheckContext) -> Iterator[Finding]:
    facts = context.case.facts
    if _unanswerable(context):
        for number, fact in context.numbered(FactKind.REQUIRED):
            yield error(
                Check.REQUIRED_ON_UNANSWERABLE,
                f"Required fact {number} does not fit a question that cannot be answered.",
                field="facts",
                item=fact.id,
                key=TO_MAY,
            )
        return
    if context.case.answerable is Answerable.PARTIAL and not facts.required:
        yield _no_facts(context, "Add at least one fact of the part that can be answered (1).")
    elif not facts.required and not facts.forbidden:
        yield _no_facts(
            context, "Add what a right answer must hold (1) or what it must not hold (3)."
        )


def _empty_facts(context: CheckContext) -> Iterator[Finding]:
    """Yield facts and declines that say nothing: no text could be held against them."""
    items = [
        (f"{kind.value.capitalize()} fact {number}", fact.id, fact.text, "facts")
        for kind in FactKind
        for number, fact in context.numbered(kind)
    ]
    items += [
        (f"Decline {number}", line.id, line.text, "declines")
        for number, line in enumerate(context.case.declines, start=1)
    ]
    for name, item, text, field in items:
        if not text.strip():
            yield error(Check.FACTS_MISSING, f"{name} is empty.", field=field, item=item, key=MUST)


def _no_facts(context: CheckContext, message: str) -> Finding:
    """Return the finding: an error for a new case and for one that had facts, else a warning."""
    base = context.base
    had = base is not None and bool(base.facts.required or base.facts.forbidden)
    blocks = had or (context.new and not context.imported)
    return Finding(
        check=Check.FACTS_MISSING,
        level=Level.ERROR if blocks else Level.WARNING,
        message=message,
        field="facts",
        key=MUST,
    )


def _evidence(context: CheckContext) -> Iterator[Finding]:
    needed = context.case.answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}
    if needed and not context.case.gold:
        yield error(
            Check.EVIDENCE_MISSING,
            "Pick at least one chunk as evidence.",
            field="evidence",
            key=EVIDENCE,
        )


def _search(context: CheckContext) -> Iterator[Finding]:
    case, base = context.case, context.base
    settled = base is not None and base.answerable is case.answerable
    looked = any(s.strip() for s in (*context.searches, context.missing, case.notes))
    if _unanswerable(context) and not (context.imported or settled or looked):
        yield error(
            Check.NO_SEARCH,
            "Look before you say no: search the corpus once, or write what is missing.",
            field="answerable",
            key=SEARCH,
        )


def _category(context: CheckContext) -> Iterator[Finding]:
    """Yield that a "no" has no category: it has no evidence that could tell one."""
    case, base = context.case, context.base
    settled = base is not None and base.answerable is case.answerable and not base.category
    known = any(rule.category for rule in context.policy.documents)
    if _unanswerable(context) and known and not (case.category or context.imported or settled):
        yield error(
            Check.CATEGORY_MISSING,
            "Choose the category that the question belongs to.",
            field="category",
            key=DETAILS,
        )


def fact_support(context: CheckContext) -> Iterator[Finding]:
    """Yield required statements without evidence, and facts that their evidence does not say."""
    if _unanswerable(context) or context.case.answerable is Answerable.UNDERSPECIFIED:
        return
    for kind in (FactKind.REQUIRED, FactKind.OPTIONAL):
        for number, fact in context.numbered(kind):
            name = f"{kind.value.capitalize()} fact {number}"
            if fact.role is FactRole.CONCLUSION and fact.from_:
                continue
            if not fact.evidence and kind is FactKind.REQUIRED:
                yield _unsupported(f"{name} has no evidence.", fact.id)
            elif context.in_evidence.get(fact.id) == "absent":
                yield _unsupported(f"{name} is not in its evidence.", fact.id)


def _unsupported(message: str, item: str) -> Finding:
    return warning(Check.FACT_UNSUPPORTED, message, field="facts", item=item, key=EVIDENCE)


def short_forbidden(context: CheckContext) -> Iterator[Finding]:
    """Yield forbidden facts of fewer than two letters or digits."""
    for number, fact in context.numbered(FactKind.FORBIDDEN):
        if sum(char.isalnum() for char in fact.text) < 2:
            yield warning(
                Check.SHORT_FORBIDDEN,
                f"Forbidden fact {number} is too short to be told apart: name what it is about.",
                field="facts",
                item=fact.id,
            )


def unknown_names(context: CheckContext) -> Iterator[Finding]:
    """Yield a slice or type that the policy does not list: an error only at publish."""
    case, policy = context.case, context.policy
    level = Level.ERROR if context.publishing else Level.WARNING
    for field, name, known in (
        ("slice", case.slice, policy.slices),
        ("question_type", case.question_type, policy.question_types),
    ):
        if name not in known:
            yield Finding(
                check=Check.UNKNOWN_SLICE,
                level=level,
                message=f'The {field.replace("_", " ")} "{shown(name)}" is not in golden.toml.',
                field=field,
                item=field,
                key=DETAILS,
            )


COMMON = 20  # a fact that so many other answers hold says little about this one


def common_facts(context: CheckContext) -> Iterator[Finding]:
    """Yield facts that many other logged answers hold too."""
    for kind in (FactKind.REQUIRED, FactKind.FORBIDDEN):
        for number, fact in context.numbered(kind):
            count = context.common.get(fact.id, 0)
            if count >= COMMON:
                prefix = "Fact" if kind is FactKind.REQUIRED else "Forbidden fact"
                yield warning(
                    Check.COMMON_FACT,
                    f"{prefix} {number} is also found in {count} other logged answers: "
                    "name what it is about.",
                    field="facts",
                    item=fact.id,
                )
