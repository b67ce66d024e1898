"""Coverage: how the cases of a version spread over question types and document categories."""

from curation.domain.coverage import Candidate, Coverage, FirstToCover, cover_first, coverage_of
from curation.evaluation.cases import scoring_cases
from curation.golden import GoldenSet, read_version
from curation.services.workspace import Workspace
from curation.store.holes import group_cells, hole_groups, worst_answers

MOST_COMPARED = 5_000  # of the questions that fill a hole, the first of the queue


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


def propose_first(
    workspace: Workspace, most: int, *, among: int = MOST_COMPARED
) -> tuple[FirstToCover, ...]:
    """Return the logged questions to cover first, so that the grid fills fastest.

    Call it after the queue was brought up to date (`triage.keep_current`): what fills a hole is
    read from the store.

    Args:
        workspace: the set and the logged answers.
        most: how many questions.
        among: how many of the questions that fill a hole are compared, from the top of the queue.
    """
    golden = read_version(workspace.golden)
    grid = grid_of(golden)
    finder = grid.wanting(golden.policy).finder()
    with workspace.store.reading() as session:
        priorities = hole_groups(session, among)
        cells = list(group_cells(session, list(priorities)))
        answers = worst_answers(session, list(priorities))
    candidates = (
        Candidate(
            answer_id=answers[cell.group_id],
            question=cell.question,
            row=cell.question_type,
            column=finder.category(cell.documents),
            priority=priorities[cell.group_id],
        )
        for cell in cells
        if cell.group_id in answers
    )
    return cover_first(candidates, grid, most)
