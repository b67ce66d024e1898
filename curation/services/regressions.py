"""Finished questions that come back: a later version fails the case, or users say so."""

from collections.abc import Collection, Mapping

from curation.domain.case import Case
from curation.domain.verdict import State
from curation.errors import CurationError
from curation.golden import read_version
from curation.metrics.output import logged_output
from curation.metrics.verdict import judge_output
from curation.services.priority import current_weights
from curation.services.workspace import Workspace
from curation.store.answers import load_answers
from curation.store.notes import read_note, write_note
from curation.store.priority import mark_stale
from curation.store.regressions import Candidate, candidates, note_regressions

__all__ = ["look_for_regressions", "look_when_cases_changed"]

BATCH = 200
LOOKED_AT = "regressions_looked_at"


def look_for_regressions(workspace: Workspace, groups: Collection[str] | None = None) -> int:
    """Let the groups of these that regressed stand on top; return in how many that changed.

    An answer of a version first seen later than the reviewed one regressed when it fails the answer
    or abstention criterion of the published case, or without one when users complained of it.

    Args:
        workspace: the store and the golden set.
        groups: only these question groups; None for all that were reviewed.
    """
    with workspace.store.reading() as session:
        found = candidates(session, groups)
    worse = _worse(workspace, found)
    with workspace.store.writing() as session:
        changed = note_regressions(session, groups, worse)
        mark_stale(session, sorted(changed))
    return len(changed)


def look_when_cases_changed(workspace: Workspace) -> None:
    """Look at every reviewed question again if the published cases are others than last time.

    Whoever published them, here or elsewhere: a case that is new, or says something else now, may
    fail answers that were logged before.
    """
    try:
        tree = read_version(workspace.golden).cases_tree
    except CurationError:
        return
    with workspace.store.reading() as session:
        if read_note(session, LOOKED_AT) == tree:
            return
    look_for_regressions(workspace)
    with workspace.store.writing() as session:
        write_note(session, LOOKED_AT, tree)


def _worse(workspace: Workspace, found: Collection[Candidate]) -> dict[str, str]:
    """Return the newest answer of each group that regressed."""
    cases = _cases(workspace, {one.case_id for one in found if one.case_id})
    weights = current_weights(workspace)
    with_case = [one for one in found if one.case_id in cases]
    failing = _failing(workspace, with_case, cases)
    worse: dict[str, str] = {}
    for one in found:
        if one.case_id in cases:
            came_back = one.answer_id in failing
        else:
            came_back = any(weights.signals.get(kind, 0) > 0 for kind in one.kinds)
        if came_back:
            worse.setdefault(one.group_id, one.answer_id)
    return worse


def _cases(workspace: Workspace, ids: Collection[str]) -> dict[str | None, Case]:
    """Return the published active cases of these ids, or what took the place of a retired one.

    None where the set cannot be read.
    """
    try:
        golden = read_version(workspace.golden) if ids else None
    except CurationError:
        golden = None
    if golden is None:
        return {}
    active = {case.id: case for case in golden.active}
    followed = {case_id: _in_force(golden.cases, case_id) for case_id in ids}
    return {old: active[new] for old, new in followed.items() if new in active}


def _in_force(cases: Mapping[str, Case], case_id: str) -> str:
    """Return the id of the case that a case was superseded by at last; its own if it was not."""
    seen: set[str] = set()
    while case_id not in seen:
        seen.add(case_id)
        case = cases.get(case_id)
        if case is not None and case.retired is not None and case.retired.superseded_by:
            case_id = case.retired.superseded_by
    return case_id


def _failing(
    workspace: Workspace, found: Collection[Candidate], cases: dict[str | None, Case]
) -> set[str]:
    """Return the answers that fail the answer or abstention criterion of their case."""
    failing: set[str] = set()
    ordered = sorted(found)
    for start in range(0, len(ordered), BATCH):
        some = ordered[start : start + BATCH]
        with workspace.store.reading() as session:
            answers = load_answers(session, [one.answer_id for one in some], fill=True)
        for one in some:
            verdict = judge_output(cases[one.case_id], logged_output(answers[one.answer_id]))
            if State.FAIL in (verdict.answer.state, verdict.abstention.state):
                failing.add(one.answer_id)
    return failing
