"""Whether an edit of a case asks something else, or asks the same in other spelling."""

from enum import StrEnum

from curation.domain.case import Case
from curation.domain.wording import same_spelling


class Rewording(StrEnum):
    """How the question and conversation of a case changed."""

    NONE = "none"
    SPELLING = "spelling"  # marked `Question-Reworded: yes`
    OTHER = "other"  # refused: retire the case and write another one


def rewording(before: Case, after: Case) -> Rewording:
    """Return how an edit changed the question and the conversation."""
    if before.question == after.question and before.conversation == after.conversation:
        return Rewording.NONE
    turns = list(zip(before.conversation, after.conversation, strict=False))
    same = (
        same_spelling(before.question, after.question)
        and len(before.conversation) == len(after.conversation)
        and all(a.role == b.role and same_spelling(a.text, b.text) for a, b in turns)
    )
    return Rewording.SPELLING if same else Rewording.OTHER
