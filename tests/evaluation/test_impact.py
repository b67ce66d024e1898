"""What one change does to the baseline's stored outputs, before anyone approves it."""

from curation.domain.case import Case, Fact, Facts
from curation.evaluation.impact import Impact, ImpactRow, impact
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_case, a_run, an_output, scoring

RUN = a_run([an_output(f"q-{at}") for at in range(4)])
CASES = [a_case(f"q-{at}", slice="billing" if at < 2 else "policy") for at in range(4)]
STRICT = CASES[0].model_copy(
    update={"facts": Facts(required=(Fact(id="f1", text="The retry limit is 7"),))}
)


def change(case_id: str, after: list[Case], before: list[Case] | None = None) -> Impact:
    old = CASES if before is None else before
    return impact(case_id, [scoring(c) for c in old], [scoring(c) for c in after], RUN)


def row(found: tuple[ImpactRow, ...], metric: Metric) -> ImpactRow:
    return next(row for row in found if row.metric is metric)


def test_an_edit_that_the_baseline_fails_says_so_and_moves_its_slice_only() -> None:
    found = change("q-0", [STRICT, *CASES[1:]])
    assert found.sentence == "The baseline passes q-0 today and fails it after this change."
    whole = row(found.rows, Metric.REQUIRED_RECALL)
    assert (whole.before, whole.after, whole.delta) == (1.0, 0.75, -0.25)
    assert (whole.n, whole.total) == (4, 4)
    assert row(found.slices["billing"], Metric.REQUIRED_RECALL).delta == -0.5
    assert row(found.slices["policy"], Metric.REQUIRED_RECALL).delta == 0.0


def test_an_edit_of_a_note_changes_nothing() -> None:
    found = change("q-0", [CASES[0].model_copy(update={"notes": "x"}), *CASES[1:]])
    assert found.sentence == "The baseline passes q-0 today and after this change."
    assert {row.delta for row in found.rows} == {0.0}


def test_a_new_case_has_no_output_and_leaves_the_numbers_alone() -> None:
    found = change("q-9", [*CASES, a_case("q-9")])
    assert found.sentence == "The baseline has no output for q-9 yet."
    assert {row.delta for row in found.rows} == {0.0}


def test_a_retired_case_counts_no_more() -> None:
    found = change("q-0", CASES[1:], [STRICT, *CASES[1:]])
    assert found.sentence == ("The baseline fails q-0 today; after this change it counts no more.")
    assert row(found.rows, Metric.REQUIRED_RECALL).delta == 0.25


def test_a_restored_case_counts_again_and_a_slice_may_vanish() -> None:
    restored = change("q-0", CASES, CASES[1:])
    assert restored.sentence == "The baseline passes q-0 after this change."
    gone = change("q-2", CASES[:2], CASES[:3])
    assert row(gone.slices["policy"], Metric.RECALL).after is None
    assert row(gone.slices["policy"], Metric.RECALL).delta is None
