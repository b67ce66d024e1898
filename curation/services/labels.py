"""Every label that people gave: brought by import, said by reviews, given in spot checks."""

from collections import defaultdict
from collections.abc import Sequence

from curation.domain.human_label import HumanLabel, labels_of_review
from curation.domain.person import Person
from curation.domain.review import Review
from curation.store import Session
from curation.store.human_labels import imported_labels, spot_labels
from curation.store.reviews import counted_reviews
from curation.store.sampled_reviews import doubled, drawn_with, let_stand

TWO = 2


def all_labels(session: Session, *, hidden_from: Person | None = None) -> list[HumanLabel]:
    """Return every rater's label.

    Args:
        session: a session.
        hidden_from: whose labels of unfinished spot checks are left out.
    """
    spots = spot_labels(session, hidden_from=hidden_from.key if hidden_from else None)
    return [*imported_labels(session), *_of_reviews(session), *spots]


def _of_reviews(session: Session) -> list[HumanLabel]:
    """Return what reviews say; of an answer that waits for another verdict nothing yet.

    Nobody is told of a first of two verdicts, so figures must not tell of it either. Two that
    differ say at once how far people agree, and of the answer nothing until one of them stands.
    """
    drawn, double, stands = drawn_with(session), doubled(session), let_stand(session)
    by_answer: defaultdict[str, dict[str, Review]] = defaultdict(dict)
    for review in counted_reviews(session):
        by_answer[review.answer_id][review.person.key] = review
    found: list[HumanLabel] = []
    for answer_id, given in by_answer.items():
        reviews = list(given.values())
        labels = [label for one in reviews for label in labels_of_review(one, drawn.get(answer_id))]
        decided = answer_id in stands or not _agree(reviews)
        if answer_id in double and decided:
            labels = _decided(labels, reviews, _decider(reviews, stands.get(answer_id)))
        found += labels
    return found


def _decided(
    labels: Sequence[HumanLabel], reviews: Sequence[Review], decider: Review | None
) -> list[HumanLabel]:
    """Return the labels of verdicts that differ: on the decider's metrics the decider's decides.

    A decider who had seen the judge decides nothing about it, and then nobody else does.
    """
    if len(reviews) < TWO:
        return []
    key = decider.person.key if decider and decider.blind else None
    settled = {label.metric for label in labels if label.person == key}
    return [
        label.model_copy(
            update={"decides": label.person == key, "unsettled": label.metric not in settled}
        )
        for label in labels
    ]


def _decider(reviews: Sequence[Review], stands: str | None) -> Review | None:
    """Return whose verdict decides between two that differ; None while that is open.

    The one that somebody let stand, else the third look.
    """
    kept = next((one for one in reviews if one.person.key == stands), None)
    if kept is not None:
        return kept
    return reviews[TWO] if len(reviews) > TWO else None


def _agree(reviews: Sequence[Review]) -> bool:
    """Return whether the first two verdicts are the same."""
    return len(reviews) >= TWO and reviews[0].verdict is reviews[1].verdict
