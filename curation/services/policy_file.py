"""The policy of a file that stands outside the set: proposed, or tried at the gate."""

from pathlib import Path

from curation.domain.policy import Policy, parse_policy
from curation.errors import PolicyError


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
    try:
        return file.read_bytes().decode("utf-8")
    except OSError as problem:
        raise PolicyError(str(file), problem.strerror or str(problem)) from problem
    except UnicodeDecodeError as problem:
        raise PolicyError(str(file), f"byte {problem.start} is not UTF-8") from problem
