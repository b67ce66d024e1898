"""Whether enough people who did not write a change approved it.

Standard library only: the planner, the audit and the server-side hook share this rule.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Approvals(NamedTuple):
    """Who approved, by their keys."""

    reviewers: tuple[str, ...]
    """Approvers who are not authors, each once."""
    self_approved: bool
    """Whether an author's own approval is among those needed."""
    enough: bool
    """Whether the policy is satisfied."""


def judge_approvals(
    *, authors: Iterable[str], approvers: Iterable[str], needed: int, self_allowed: bool
) -> Approvals:
    """Return who approved and whether it is enough.

    Args:
        authors: keys (lower-cased address after the mailmap) of all who wrote the change.
        approvers: keys of all who approved it.
        needed: how many approvals the policy asks for.
        self_allowed: whether the policy lets an author's own approval count.
    """
    wrote = set(authors)
    given = dict.fromkeys(approvers)
    reviewers = tuple([key for key in given if key not in wrote])
    own = len(reviewers) < len(given)
    self_approved = self_allowed and own and len(reviewers) < needed
    enough = len(reviewers) + (1 if self_approved else 0) >= needed
    return Approvals(reviewers, self_approved, enough)
