"""An answer as the command line shows it; the judge's part is left out unless asked for."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.domain.answer import Answer
from curation.domain.person import Person
from curation.domain.review import Draft, FailureProposal, Lease
from curation.services.review import check_work, found_answer, load_work
from curation.services.workspace import Workspace
from curation.store import claims as stored_claims
from curation.store import reviews as stored_reviews

NOBODY = Person(name="nobody", email="nobody@localhost")


@dataclass(frozen=True, kw_only=True)
class ShownAnswer:
    """An answer with the proposed failure, the person's draft and the holder."""

    answer: Answer
    failure: FailureProposal
    draft: Draft | None
    lease: Lease | None


def show_answer(
    workspace: Workspace,
    answer_id: str,
    *,
    person: Person | None,
    now: datetime,
    show_judge: bool = False,
) -> ShownAnswer:
    """Return an answer for reading; showing the judge makes this person's review not blind.

    Raises:
        NotFoundError: there is no such answer.
    """
    reader = person or NOBODY
    with workspace.store.reading() as session:
        found_answer(session, answer_id)
        lease = stored_claims.holder(session, answer_id, now, person)
    if show_judge and person is not None:
        with workspace.store.writing() as session:
            stored_reviews.mark_not_blind(session, answer_id, person, now=now)
    work = load_work(workspace, reader, answer_id)
    checked = check_work(workspace, work)
    answer = work.answer if show_judge else without_judge(work.answer)
    touched = person is not None and work.saved is not None and bool(work.saved.saved_at)
    return ShownAnswer(
        answer=answer,
        failure=checked.failure,
        draft=work.draft if touched else None,
        lease=lease,
    )


def without_judge(answer: Answer) -> Answer:
    """Return the answer without scores and without labels that people gave."""
    return answer.model_copy(update={"scores": (), "labels": ()})


def answer_document(shown: ShownAnswer) -> dict[str, Any]:
    """Return the document of `review show`."""
    return {
        "answer": shown.answer.model_dump(mode="json"),
        "suggested_failure": {
            "category": shown.failure.category.value if shown.failure.category else None,
            "stage": shown.failure.category.stage if shown.failure.category else None,
            "because": shown.failure.because,
            "secondary": [category.value for category in shown.failure.secondary],
        },
        "draft": shown.draft.model_dump(mode="json", by_alias=True) if shown.draft else None,
        "held_by": shown.lease.model_dump(mode="json") if shown.lease else None,
    }
