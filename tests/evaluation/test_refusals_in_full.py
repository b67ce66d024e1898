"""What cannot be read is refused by line and by what is wrong with it; means are read whole."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.domain.answer import Outcome
from curation.domain.case import Answerable, Facts
from curation.domain.policy import parse_policy
from curation.domain.verdict import Criterion, State
from curation.errors import CurationError
from curation.evaluation.aggregates import read_report
from curation.evaluation.cases import parse_golden, parse_golden_object, scoring_cases
from curation.evaluation.errors import (
    ExperimentError,
    GoldenFileError,
    OtherVersionError,
    ReportError,
    RunError,
    RunFormError,
)
from curation.evaluation.evaluate import evaluate_run
from curation.evaluation.experiment import baseline_of, changed_components, prove_component
from curation.evaluation.hit_rule import unknown_gold
from curation.evaluation.report import Group, Pins, Report
from curation.evaluation.run import check_run, parse_run, run_sha256
from curation.evaluation.scoring import Scoring, score_case, verdict_of
from curation.metrics.aggregate import Mean
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from tests.evaluation.builders import (
    a_case,
    a_report,
    a_run,
    a_score,
    an_output,
    gold,
    hit,
    scoring,
    unanswerable,
)

GOOD = json.dumps({"id": "q-1", "question": "?"})
DEEP = "[" * 100_000
ANSWER = json.dumps({"case_id": "q-1", "answer": "x"})


def refused(act: Callable[..., object], *args: object) -> CurationError:
    with pytest.raises(CurationError) as caught:
        act(*args)
    return caught.value


def same(found: CurationError, expected: CurationError) -> None:
    assert (type(found), str(found)) == (type(expected), str(expected))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (DEEP, "it is nested too deeply"),
        ("[]", "it is not a JSON object"),
        (GOOD, "the id 'q-1' stands twice"),
    ],
)
def test_a_line_of_a_golden_file_is_refused_by_its_number(row: str, problem: str) -> None:
    text = f"\ufeff{GOOD}\n\n{row}\n"
    same(refused(lambda: parse_golden(text)), GoldenFileError(3, problem))


def test_what_json_or_the_form_says_is_said_of_the_line() -> None:
    for row, said in (("{", "Expecting property name"), ('{"id": 5}', "id is not a text")):
        found = refused(parse_golden, f"{GOOD}\n{row}")
        assert str(found).startswith(f"Line 2 of the golden set cannot be read: {said}")
    alone = refused(lambda: parse_golden_object({"id": 5}))
    assert str(alone).startswith("Line 1 of the golden set cannot be read: id is not a text.")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (DEEP, "it is nested too deeply"),
        ("[]", "it is not a JSON object"),
        ('{"case_id": "a", "x": 1, "answer": "b", "x": 2}', "the key 'x' stands twice"),
        ('{"case_id": "a", "latency_ms": NaN}', "NaN is not a number"),
    ],
)
def test_a_line_of_a_run_is_refused_by_its_number(row: str, problem: str) -> None:
    text = f"\ufeff{ANSWER}\n\n{row}\n"
    same(refused(lambda: parse_run(text)), RunFormError(3, problem))


def test_a_header_is_refused_as_the_line_that_it_is() -> None:
    found = refused(lambda: parse_run('\n{"k": 0}\n'))
    assert str(found).startswith("Line 2 of the run cannot be read: k is below 1.")
    row = {"case_id": "a", "hits": [{"chunk_id": "c", "rank": 0}]}
    found = refused(lambda: parse_run(f"{ANSWER}\n{json.dumps(row)}"))
    assert str(found).startswith("Line 2 of the run cannot be read: hits[0].rank is ")


def test_a_run_is_known_by_the_hash_of_its_text() -> None:
    text = f'{{"pipeline": "p"}}\n{ANSWER}\n'
    found = parse_run(text)
    assert (found.sha256, found.header.pipeline) == (run_sha256(text), "p")
    assert [line.case_id for line in found.lines] == ["q-1"]


def test_a_run_on_another_version_is_refused_by_both_names() -> None:
    run, pins = a_run([an_output()], version="golden/v2"), Pins(version="golden/v3")
    with pytest.raises(OtherVersionError) as caught:
        evaluate_run([scoring(a_case())], run, pins=pins)
    same(caught.value, OtherVersionError("golden/v2", "golden/v3"))


def test_a_run_lacks_repeats_by_name() -> None:
    lines = [an_output("a"), an_output("a", repeat=2), an_output("b", answer=None, error="no")]
    found = refused(lambda: check_run(lines, ["a", "b"]))
    expected = RunError(missing=["b (repeat 2)"], failed=["b"], first_error="no")
    same(found, expected)
    twice = refused(lambda: check_run([*lines[:2], lines[1]], ["a"]))
    same(twice, RunError(duplicate=["a (repeat 2)"]))


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"recall": 0.5, "slices": 3}, "slices is not an object"),
        ({"name": "x"}, "it has no metric"),
        ({"accuracy": 1}, "accuracy is no metric"),
        ({"slices": {"a": {"accuracy": 1}}}, "slices.a.accuracy is no metric"),
        ({"slices": {"a": {"recall": "x"}}}, "slices.a.recall is 'x', not a number"),
        ({"slices": {"a": {"n": "x"}}}, "n is 'x', not a whole number"),
    ],
)
def test_what_is_no_report_is_refused_by_its_place(document: dict[str, Any], problem: str) -> None:
    same(refused(lambda: read_report(document)), ReportError(problem))


def test_a_report_whose_pins_cannot_be_read_says_why() -> None:
    found = str(refused(lambda: read_report({"recall": 0.5, "k": 0})))
    assert "k is below 1" in found
    for name in ("pins", "cases"):
        assert " is missing" in str(refused(read_report, {name: {}, "recall": 0.5}))


def test_a_report_of_means_is_read_whole() -> None:
    found = read_report(
        {
            "version": "golden/v3",
            "recall": 0.5,
            "faithfulness": {"value": 0.25},
            "citation": None,
            "slices": {"x": 0.75, "y": {"n": 3, "recall": 0.5}},
        }
    )
    assert found == Report(
        pins=Pins(version="golden/v3"),
        n=0,
        metrics={
            Metric.RECALL: Mean(value=0.5, n=0),
            Metric.FAITHFULNESS: Mean(value=0.25, n=0),
            Metric.CITATION: Mean(value=None, n=0),
        },
        slices={
            "x": Group(n=0, metrics={Metric.RECALL: Mean(value=0.75, n=0)}),
            "y": Group(n=3, metrics={Metric.RECALL: Mean(value=0.5, n=0)}),
        },
        aggregates_only=True,
    )


def test_a_component_that_one_manifest_lacks_is_changed() -> None:
    assert changed_components({"a": 1, "b": None}, {"a": 1}) == ("b",)
    assert changed_components({"a": 1}, {"a": 1, "b": None}) == ("b",)
    assert changed_components({"a": 1, "b": 2}, {"b": 2, "a": 1}) == ()


def test_what_manifests_do_not_show_is_not_proven() -> None:
    for before, after in ((None, {"a": 1}), ({"a": 1}, None)):
        assert prove_component("a", before, after) == "component: declared, not proven"
    same(
        refused(lambda: prove_component("a", {"a": 1}, {"a": 1})),
        ExperimentError.nothing_changed("a"),
    )
    same(
        refused(lambda: prove_component("a", {"a": 1, "b": 1}, {"a": 2, "b": 2})),
        ExperimentError.other_components("a", ("a", "b")),
    )


def test_a_baseline_names_its_experiment_and_may_be_of_no_version() -> None:
    report = a_report([a_score("a")])
    assert baseline_of(report, "exp-001").experiment == "exp-001"
    bare = report.model_copy(update={"pins": Pins()})
    assert baseline_of(bare, None).version == ""


def test_a_verdict_is_made_with_the_depth_the_rule_and_the_texts_of_the_scoring() -> None:
    case = scoring(a_case())
    line = an_output(hits=[hit("x", text="Notes."), hit("new", rank=2, text=None)])

    def text_of(*_: object) -> str:
        return "The request timeout is 60 s in v4.2."

    def judged(**how: Any) -> State:
        return verdict_of(case, line, Scoring(**how)).on(Criterion.RETRIEVAL).state

    quote = {"rule": HitRule.QUOTE, "text_of": text_of}
    assert judged(**quote) is State.PASS
    assert judged(**quote, k=1) is State.FAIL
    assert judged(rule=HitRule.QUOTE) is State.UNSURE
    assert judged(text_of=text_of) is State.FAIL
    assert verdict_of(case, line, Scoring()).outcome is Outcome.ANSWERED


NO_FACTS: dict[str, Any] = {"facts": Facts(), "evidence": ()}


def worst(case: Any) -> tuple[dict[Metric, float], dict[Criterion, State]]:
    line = an_output(case.id, answer=None, error="no")
    score = score_case(scoring(case), [line])
    return score.values, score.criteria


def test_an_output_that_failed_has_the_worst_of_every_number_that_the_case_has() -> None:
    zero = {
        Metric.FAITHFULNESS: 0.0,
        Metric.FAITHFULNESS_CHECKED: 0.0,
        Metric.SEED_FAITHFULNESS: 0.0,
    }
    cited = {Metric.CITATION: 0.0, Metric.CITATION_COVERAGE: 0.0, Metric.OVER_ABSTENTION_RATE: 1.0}
    values, criteria = worst(a_case())
    assert values == zero | cited | {
        Metric.HIT_RATE: 0.0,
        Metric.RECALL: 0.0,
        Metric.PRECISION: 0.0,
        Metric.MRR: 0.0,
        Metric.REQUIRED_RECALL: 0.0,
        Metric.FORBIDDEN_RATE: 1.0,
    }
    assert set(criteria.values()) == {State.FAIL}
    values, criteria = worst(a_case(**NO_FACTS))
    assert values == zero | cited
    assert criteria[Criterion.RETRIEVAL] is State.NOT_APPLICABLE
    values, criteria = worst(unanswerable(evidence=(gold(),)))
    assert values == zero | {Metric.FORBIDDEN_RATE: 1.0, Metric.FALSE_ANSWER_RATE: 1.0}
    assert criteria[Criterion.RETRIEVAL] is State.NOT_APPLICABLE
    assert criteria[Criterion.CITATION] is State.NOT_APPLICABLE
    unclear = a_case(answerable=Answerable.UNDERSPECIFIED, **NO_FACTS)
    assert worst(unclear)[0] == zero | {Metric.CLARIFICATION_RATE: 0.0}


def test_the_spread_is_scored_as_the_run_is_and_needs_two_means() -> None:
    lines = [an_output("q-0001", hits=[hit("x"), hit(rank=2)], repeat=at) for at in (1, 2)]
    report = evaluate_run([scoring(a_case())], a_run(lines), scoring=Scoring(k=1))
    assert report.spread[Metric.RECALL].high == 0.0
    silent = an_output("q-0001", answer="I do not know.", outcome="abstained")
    once = evaluate_run(
        [scoring(a_case())], a_run([silent, an_output("q-0001", repeat=2)]), scoring=Scoring()
    )
    assert Metric.CITATION not in once.spread
    assert Metric.RECALL in once.spread


def test_unknown_gold_is_named_with_its_version() -> None:
    cases = [
        scoring(
            a_case(evidence=(gold("b", version=None), gold("b", number=2), gold("a", number=3)))
        )
    ]
    assert unknown_gold(cases, lambda *_: False) == ("a (4.2)", "b (4.2)", "b")
    assert unknown_gold(cases, lambda _, version: version == "4.2") == ("b",)


def test_the_cases_of_a_set_have_the_categories_of_its_policy() -> None:
    policy = parse_policy('[[documents]]\npattern = "gw*"\ncategory = "gateway"\n')
    (case,) = scoring_cases([a_case()], policy)
    assert case.categories == ("gateway",)
