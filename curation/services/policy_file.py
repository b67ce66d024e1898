"""The policy of a file that stands outside the set: proposed, or tried at the gate."""

from functools import partial
from pathlib import Path

from curation.domain.policy import Policy, parse_policy
from curation.errors import PolicyError
from curation.services.whole_file import read_whole


def read_policy(file: Path) -> Policy:
    """Return the policy of a file.

    Raises:
        PolicyError: it cannot be read, or is none.
    """
    return parse_policy(policy_text(file), str(file))


def policy_text(file: Path) -> str:
    """Return the text of a policy file as it stands.

    Raises:
        PolicyError: it cannot be read, or is no text.
    """
    return read_whole(file, partial(PolicyError, str(file)), encoding="utf-8")
