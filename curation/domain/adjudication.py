"""Several people's verdicts on one answer, of which one is to stand (measures.md section 9)."""

from datetime import datetime

from curation.domain.base import Value
from curation.domain.change import ChangeState
from curation.domain.person import Person
from curation.domain.review import Review


class Given(Value):
    """One person's last verdict on an answer, and where the change stands that came of it."""

    review_id: int
    review: Review
    change_number: int | None = None
    change_state: ChangeState | None = None

    @property
    def proposes(self) -> bool:
        """Whether its change may still become a case."""
        return self.change_state is not None and not self.change_state.closed


class Withdrawn(Value):
    """A change that did not stand, and the state that it had before."""

    change_id: str
    before: ChangeState


class Settlement(Value):
    """Somebody's word that one of the verdicts stands."""

    review_id: int
    person: Person
    at: datetime
    reason: str
    withdrawn: tuple[Withdrawn, ...] = ()


class Contest(Value):
    """The verdicts of two people or more on one answer, in the order in which they were given.

    `decides` is the review that decides over the answer now, `settled` whose word made it so.
    """

    answer_id: str
    question: str = ""
    given: tuple[Given, ...]
    decides: int | None = None
    settled: Settlement | None = None

    @property
    def is_open(self) -> bool:
        """Whether one is still to stand: they differ, or another one's case could follow too."""
        others = (one for one in self.given if one.review_id != self.decides)
        return self.differs or any(one.proposes for one in others)

    @property
    def differs(self) -> bool:
        """Whether no verdict decides yet."""
        return self.decides is None

    def of(self, person: Person) -> Given | None:
        """Return the verdict that a person gave, None where they gave none."""
        return next((one for one in self.given if one.review.person.key == person.key), None)

    def stays(self) -> Given | None:
        """Return the verdict that decides, None while none does."""
        return next((one for one in self.given if one.review_id == self.decides), None)


def lost_to(contest: Contest, stands: Given) -> tuple[Withdrawn, ...]:
    """Return the changes that are withdrawn when one of the verdicts stands."""
    return tuple(
        Withdrawn(change_id=one.review.change_id, before=one.change_state)
        for one in contest.given
        if one.review_id != stands.review_id
        and one.proposes
        and one.review.change_id is not None
        and one.change_state is not None
    )


def published_against(contest: Contest, stands: Given) -> Given | None:
    """Return another verdict whose case is in the golden set already, if there is one."""
    others = (one for one in contest.given if one.review_id != stands.review_id)
    return next((one for one in others if one.change_state is ChangeState.PUBLISHED), None)


def settled_alike(contest: Contest, stands: Given, person: Person) -> bool:
    """Return whether the same person said the same already, as after a double press."""
    said = contest.settled
    return (
        said is not None
        and said.person.key == person.key
        and said.review_id == stands.review_id
        and not contest.is_open
    )


def verdict_words(given: Given) -> str:
    """Return how a verdict ended, in words: `proposed as 0149`, `answer is right`."""
    number = given.change_number
    return given.review.outcome(None if number is None else f"{number:04d}")
