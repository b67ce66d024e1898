"""Questions that ask nearly the same: seen beside a row, and covered by one act of a person.

Near is not equal, so nothing is covered without somebody who has seen the list.
"""

from curation.domain.person import Person, Role
from curation.domain.review import Verdict
from curation.errors import CurationError
from curation.services.review import found_answer
from curation.services.workspace import Workspace
from curation.store import reviews as stored_reviews
from curation.store.coverage import cover
from curation.store.doubles import own_verdicts
from curation.store.near_groups import NearQuestion, near_answers
from curation.store.near_groups import near_questions as stored_near

_NO_VERDICT = "the answer has no verdict yet. Review it first."
_AWAITED = "another person's verdict on the answer is awaited."

__all__ = ["NearNotCoveredError", "NearQuestion", "cover_near", "near_questions"]


class NearNotCoveredError(CurationError):
    """There is no review that could answer for questions that ask nearly the same."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Nothing was covered: {why}")


def near_questions(workspace: Workspace, answer_id: str) -> list[NearQuestion]:
    """Return the other questions near an answer's that have open answers.

    Raises:
        NotFoundError: there is no such answer.
    """
    with workspace.store.reading() as session:
        found_answer(session, answer_id)
        return stored_near(session, answer_id)


def cover_near(workspace: Workspace, answer_id: str, *, person: Person) -> int:
    """Let the review of an answer answer for those of its version that ask nearly the same.

    They are covered like the answers to its own question: by its change, or the case it names;
    undoing the review opens them again. `right` says something of one text only, and covers none.

    Returns:
        How many answers are covered.

    Raises:
        NotFoundError: there is no such answer.
        RoleError: the person may not review.
        NearNotCoveredError: it has no verdict, or one that holds for its own text only.
    """
    workspace.require(person, Role.REVIEWER, "Covering answers")
    with workspace.store.writing() as session:
        found_answer(session, answer_id)
        review = stored_reviews.deciding(session, answer_id)
        if review is None:
            mine = answer_id in own_verdicts(session, person)
            raise NearNotCoveredError(_AWAITED if mine else _NO_VERDICT)
        if review.verdict is Verdict.RIGHT:
            raise NearNotCoveredError("that an answer is right holds for its own text only.")
        ids = near_answers(session, answer_id)
        cover(
            session,
            ids,
            by_answer=answer_id,
            change_id=review.change_id,
            case_id=review.duplicate_of,
        )
    return len(ids)
