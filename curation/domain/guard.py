"""What a case may guard alone: a protected slice, or the right to say that nothing answers."""

from collections.abc import Collection, Iterable

from curation.domain.case import Answerable


def guards_alone(
    slice_: str,
    answerable: Answerable,
    others: Iterable[tuple[str | None, Answerable | None]],
    protected: Collection[str],
) -> str | None:
    """Return what would have no case without this one, in words; None when nothing.

    Args:
        slice_: the slice of the case.
        answerable: whether the corpus answers it.
        others: slice and answerability of each other case that counts.
        protected: the protected slices.
    """
    left = tuple(others)
    if slice_ in protected and all(other != slice_ for other, _ in left):
        return f"the last case of the protected slice {slice_}"
    unanswerable = Answerable.UNANSWERABLE
    if answerable is unanswerable and all(other is not unanswerable for _, other in left):
        return "the last unanswerable case"
    return None
