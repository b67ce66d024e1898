"""Checks of a case against the store and the golden set: fills what `check_case` needs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.corpus import CorpusIndex
from curation.domain.answer import Answer
from curation.domain.case import Case, Origin
from curation.domain.chunk import Chunk, ChunkKey
from curation.domain.review import Acknowledgement, FailureCategory
from curation.evaluation.drafting import (
    Checked,
    CheckInputs,
    OtherCase,
    check_case,
)
from curation.golden import GoldenSet
from curation.services.cases import corrections
from curation.services.logged_answers import LoggedAnswers
from curation.store import Session
from curation.store import chunks as stored_chunks


@dataclass(frozen=True, kw_only=True)
class CheckRequest:
    """A case to check and what the reviewer did besides.

    Without an index of the logged answers nothing is compared with them.
    """

    case: Case
    answer: Answer | None
    base: Case | None = None
    failure: FailureCategory | None = None
    searches: tuple[str, ...] = ()
    missing: str = ""
    reason: str = ""
    acks: tuple[Acknowledgement, ...] = ()
    pending: tuple[OtherCase, ...] = field(default=())
    answer_index: CorpusIndex | None = None


def check(session: Session, golden: GoldenSet, request: CheckRequest) -> Checked:
    """Return the findings, verdicts and failure proposal for a case as it stands."""
    case, answer = request.case, request.answer
    production = case.provenance.origin is Origin.PRODUCTION_FAILURE
    logged = LoggedAnswers(session, request.answer_index, answer)
    inputs = CheckInputs(
        case=case,
        answer=answer if production or request.base is None else None,
        policy=golden.policy,
        chunks=chunk_texts(session, case, answer),
        has_corpus=stored_chunks.has_corpus(session),
        others=(*other_cases(golden, but=case.id), *request.pending),
        base=request.base,
        corrections=corrections(answer),
        searches=request.searches,
        missing=request.missing,
        failure=request.failure,
        reason=request.reason,
        acks=request.acks,
        common=logged.common(case, request.base),
        similar_answers=logged.similar(case, request.base),
    )
    return check_case(inputs)


def chunk_texts(session: Session, case: Case, answer: Answer | None) -> dict[ChunkKey, Chunk]:
    """Return the corpus chunks of the case's evidence and of what the answer retrieved.

    A chunk that stands only in the log is used where no corpus was ever brought in.
    """
    wanted = {ChunkKey(item.chunk_id, item.doc_version) for item in case.evidence}
    logged: dict[ChunkKey, Chunk] = {}
    for hit in answer.retrieved if answer else ():
        key = ChunkKey(hit.chunk_id, hit.doc_version)
        wanted.add(key)
        if hit.text is not None:
            logged[key] = Chunk(
                chunk_id=hit.chunk_id,
                doc_id=hit.doc_id or hit.chunk_id,
                doc_version=hit.doc_version,
                text=hit.text,
            )
    found = stored_chunks.get_chunks(session, sorted(wanted, key=str))
    return found if stored_chunks.has_corpus(session) else {**logged, **found}


def other_cases(golden: GoldenSet, *, but: str) -> Sequence[OtherCase]:
    """Return the active cases of the set except one, as the duplicate checks need them."""
    return tuple(OtherCase.of(case) for case in golden.active if case.id != but)
