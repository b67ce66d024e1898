"""What a change alone would do to the stored outputs of the current baseline."""

from curation.codec import loads
from curation.domain.case import Case
from curation.domain.change import Change
from curation.evaluation.cases import scoring_cases
from curation.evaluation.impact import Impact, impact
from curation.evaluation.items import item_criteria
from curation.evaluation.report import Pins
from curation.golden import GoldenSet, read_baseline, read_version
from curation.services.evaluation import Outputs, kept_outputs
from curation.services.scoring import hit_rule_for, scoring_for
from curation.services.workspace import Workspace
from curation.services.yardstick import Yardstick
from curation.store.runs import get_run


def baseline_run(workspace: Workspace) -> str | None:
    """Return the hash of the current baseline's run, if its raw outputs are kept here."""
    baseline = read_baseline(workspace.golden)
    if baseline is None or baseline.run_sha256 is None:
        return None
    with workspace.store.reading() as session:
        return baseline.run_sha256 if get_run(session, baseline.run_sha256) else None


def impact_of(workspace: Workspace, change: Change) -> Impact | None:
    """Return what the newest patch set does to the numbers of the baseline's stored outputs.

    The outputs stay as they are and the set is the one at the tip; only the change's cases differ.
    None where no baseline outputs are kept here, or where the change writes no case.

    Raises:
        CurationError: the set, the outputs or the changed case cannot be read.
    """
    changed = _cases_of(change)
    outputs = kept_outputs(workspace, baseline_run(workspace)) if changed else None
    if outputs is None:
        return None
    golden = read_version(workspace.golden)
    return _impact(workspace, golden, changed, outputs)


def _cases_of(change: Change) -> dict[str, Case]:
    """Return the cases that the newest patch set writes, by id."""
    files = (file for file in change.latest.files if file.path.startswith("cases/"))
    cases = (loads(file.text.encode("utf-8"), file.path) for file in files)
    return {case.id: case for case in cases}


def _impact(
    workspace: Workspace, golden: GoldenSet, changed: dict[str, Case], outputs: Outputs
) -> Impact:
    """Return the impact of these cases on outputs that were made before."""
    before = scoring_cases(golden.cases.values(), golden.policy)
    after = scoring_cases({**golden.cases, **changed}.values(), golden.policy)
    both = {case.id: case for case in (*before, *after)}
    yardstick = Yardstick(cases=tuple(both.values()), pins=Pins(), policy=golden.policy)
    rule = hit_rule_for(workspace, yardstick).rule
    return impact(
        next(iter(changed)),
        before,
        after,
        outputs.run,
        scoring=scoring_for(workspace, yardstick, [outputs.run], rule=rule),
        criteria=item_criteria(golden.policy),
    )
