"""Coverage: how the cases of a version spread over question types and document categories."""

from curation.domain.coverage import Coverage, coverage_of
from curation.evaluation.cases import scoring_cases
from curation.golden import GoldenSet, read_version
from curation.services.workspace import Workspace


def coverage(workspace: Workspace, version: str | None = None) -> Coverage:
    """Return the grid of a version; of the tip of the branch when none is named.

    Raises:
        UnknownVersionError: there is no such version.
        PolicyError: its policy says something that is no target.
    """
    return grid_of(read_version(workspace.golden, version))


def grid_of(golden: GoldenSet) -> Coverage:
    """Return the grid of a set.

    Raises:
        PolicyError: its policy says something that is no target.
    """
    cases = scoring_cases(golden.cases.values(), golden.policy)
    return coverage_of(
        ((case.case.question_type, case.categories) for case in cases),
        golden.policy,
        golden.version,
    )
