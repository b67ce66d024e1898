"""Every label that people gave: brought by import, said by reviews, given in spot checks."""

from curation.domain.human_label import HumanLabel, labels_of_review
from curation.domain.person import Person
from curation.store import Session
from curation.store.human_labels import imported_labels, spot_labels
from curation.store.reviews import counted_reviews


def all_labels(session: Session, *, hidden_from: Person | None = None) -> list[HumanLabel]:
    """Return every rater's label.

    Args:
        session: a session.
        hidden_from: whose labels of unfinished spot checks are left out.
    """
    reviews = [label for one in counted_reviews(session) for label in labels_of_review(one)]
    spots = spot_labels(session, hidden_from=hidden_from.key if hidden_from else None)
    return [*imported_labels(session), *reviews, *spots]
