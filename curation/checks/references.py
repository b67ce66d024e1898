"""Where the words of a reference come from: people write references."""

from collections.abc import Iterator, Sequence

from curation.checks.context import CheckContext, error, warning
from curation.domain.case import Case, Origin, ReferenceSource
from curation.domain.finding import Check, Finding
from curation.domain.visible import shown
from curation.domain.wording import is_quoted, unquoted_share, word_list

WRITE = "W"
MODEL_LIKE = 0.9  # of the words that no quote holds stand in an answer, in the same order
_FEW_WORDS = 6  # so few free words are alike by chance
_SENTENCE = 4  # a quote of fewer words does not read as an answer


def reference_source(
    case: Case, corrections: Sequence[str] = (), base: Case | None = None
) -> ReferenceSource:
    """Return where the words of the reference come from.

    Args:
        case: the case.
        corrections: what users said instead of the logged answer.
        base: the case being edited: an unchanged reference keeps its source.
    """
    if base is not None and base.reference == case.reference:
        return base.reference_source
    if is_quoted(case.reference, _quotes(case)):
        return ReferenceSource.QUOTED
    if is_quoted(case.reference, corrections):
        return ReferenceSource.USER_CORRECTION
    if base is None and case.provenance.origin is Origin.IMPORTED:
        return ReferenceSource.IMPORTED
    return ReferenceSource.WRITTEN


def _quotes(case: Case) -> tuple[str, ...]:
    return tuple(item.quote for item in case.evidence if item.quote)


def written_by_people(context: CheckContext) -> Iterator[Finding]:
    """Yield a reference that is a logged answer, nearly one, or nothing but a quote."""
    reference = context.case.reference
    if not reference.strip() or _unchanged(context):
        return
    quotes = _quotes(context.case)
    if is_quoted(reference, quotes):
        yield from _only_quote(reference)
        return
    sources = (*quotes, *context.corrections)
    for answer in context.answers:
        if answer.answer_id is None and word_list(answer.text) == word_list(reference):
            yield error(
                Check.COPIED_ANSWER,
                "The reference is the logged answer. References are written by people.",
                field="reference",
                key=WRITE,
            )
            return
        words, share = unquoted_share(reference, sources, answer.text)
        if words >= _FEW_WORDS and share >= MODEL_LIKE:
            which = "the logged answer"
            if answer.answer_id is not None:
                which += f" {shown(answer.answer_id)}"
            yield warning(
                Check.MODEL_LIKE,
                f"The reference is almost {which}. References are written by people.",
                field="reference",
                key=WRITE,
            )
            return


def _unchanged(context: CheckContext) -> bool:
    """Return whether an edit leaves the reference as it was approved before."""
    return context.base is not None and context.base.reference == context.case.reference


def _only_quote(reference: str) -> Iterator[Finding]:
    """Yield a reference that is a piece of a quote and does not read as an answer.

    A whole sentence that was quoted is an answer: to pick it is the shortest way to a reference.
    """
    text = reference.strip()
    if len(word_list(text)) < _SENTENCE or not (text[0].isupper() or text[-1] in ".!?"):
        yield warning(
            Check.ONLY_QUOTE,
            "The reference is only the quote.",
            field="reference",
            key=WRITE,
        )
