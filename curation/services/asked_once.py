"""One question has one case: which cases ask what another one asks already."""

from collections.abc import Iterable, Sequence

from curation.domain.case import Case
from curation.evaluation.drafting import question_key

__all__ = ["asked_again"]


def asked_again(cases: Sequence[Case], active: Iterable[Case]) -> dict[str, str]:
    """Return by id which case asks the same already: an active one, or one before it in the list.

    The same are the question with its last turns, and the version of the documents.
    """
    if not cases:
        return {}
    first: dict[tuple[str, str | None], str] = {}
    for case in active:
        first.setdefault(_asked(case), case.id)
    known = ((case.id, first.setdefault(_asked(case), case.id)) for case in cases)
    return {own: other for own, other in known if own != other}


def _asked(case: Case) -> tuple[str, str | None]:
    return question_key(case), case.doc_version
