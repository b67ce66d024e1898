"""The logged answer that a change or a case came from, without the judge."""

from curation.domain.answer import Answer
from curation.services.answer_view import without_judge
from curation.services.workspace import Workspace
from curation.store import answers as stored


def source_answer(workspace: Workspace, answer_id: str | None) -> Answer | None:
    """Return the logged answer; None where there is none or the store does not have it."""
    if not answer_id:
        return None
    with workspace.store.reading() as session:
        found = stored.get_answer(session, answer_id)
    return without_judge(found) if found is not None else None
