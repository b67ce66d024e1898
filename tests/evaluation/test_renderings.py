"""Reports and gates as text, JSON, Markdown, JUnit XML and HTML; untrusted text stays text."""

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.gate import Profile
from curation.domain.policy import parse_policy
from curation.domain.verdict import Criterion, State
from curation.errors import PolicyError
from curation.evaluation.aggregates import read_report
from curation.evaluation.compare import compare
from curation.evaluation.gate import gate
from curation.evaluation.items import case_items, item_criteria
from curation.evaluation.render_html import render_html
from curation.evaluation.render_json import gate_document, render_json
from curation.evaluation.render_junit import render_junit
from curation.evaluation.render_markdown import (
    escape_markdown,
    render_markdown,
    render_report_markdown,
)
from curation.evaluation.render_table import render_comparison_table, render_report_table
from curation.evaluation.report import Report, parse_report, report_document
from curation.metrics.metric import Metric
from tests.evaluation.builders import a_policy, a_report, a_score

NASTY = '<script>alert(1)</script>|`x` [l](javascript:1) ![i](https://x.invalid/a.png) @you "\u202e'


def two_reports(slice_name: str = "billing") -> tuple[Report, Report]:
    before = a_report([a_score("q-1", slice_name=slice_name), a_score("q-2", answer=State.FAIL)])
    after = a_report(
        [
            a_score("q-1", {Metric.RECALL: 0.5}, slice_name=slice_name, answer=State.FAIL),
            a_score("q-2"),
        ]
    )
    return before, after


def test_the_documents_have_the_keys_that_scripts_live_on() -> None:
    _, after = two_reports()
    document = report_document(after)
    assert {"version", "commit", "cases_tree", "n", "metrics", "slices", "cases"} <= set(document)
    assert document["metrics"]["recall@k"]["value"] == 0.75
    assert set(document["metrics"]["recall@k"]) >= {"value", "n", "unscored"}
    assert document["cases"][0]["id"] == "q-1"
    assert document["version"] == "golden/v3"


def test_a_report_is_read_back_as_it_was_written() -> None:
    _, after = two_reports()
    assert parse_report(json.loads(render_json(after))) == after
    assert read_report(json.loads(render_json(after))) == after


def test_the_gate_document() -> None:
    before, after = two_reports()
    document = gate_document(gate(after, before, a_policy("billing")))
    assert document["result"] == "fail"
    assert document["profile"] == "promote"
    assert set(document["reasons"][0]) >= {
        "rule",
        "metric",
        "slice",
        "baseline",
        "candidate",
        "delta",
        "interval",
        "n",
        "flipped",
        "message",
    }
    assert json.loads(render_json(compare(before, after)))["flips"]["good_to_bad"] == ["q-1"]


def test_the_table_has_both_sides_and_the_delta() -> None:
    before, after = two_reports()
    table = render_comparison_table(compare(before, after))
    row = next(line for line in table.split("\n") if line.startswith("recall@5"))
    assert row.split()[:4] == ["recall@5", "1.000", "0.750", "\u22120.250"]
    assert "good to bad: q-1" in table
    assert "None" not in table
    assert "nan" not in table


def test_a_report_says_how_many_cases_were_scored() -> None:
    report = a_report([a_score("q-1"), a_score("q-2").model_copy(update={"values": {}})])
    table = render_report_table(report)
    assert re.search(r"recall@5 +1\.000 +1 of 2", table)
    assert "1 of 2" in render_report_markdown(report)


def test_a_headline_without_a_number_is_a_dash() -> None:
    report = a_report([a_score("q-1").model_copy(update={"values": {}})])
    assert re.search(r"recall@5 +\u2013 +\u2013", render_report_table(report))


def test_the_comment_names_decision_reasons_slices_and_flips() -> None:
    before, after = two_reports()
    text = render_markdown(gate(after, before, a_policy("billing")), compare(before, after))
    assert text.startswith("### keep baseline \u2014 ")
    assert "**Failed**" in text
    assert "Slice billing" in text
    assert "**Good to bad:** q-1" in text
    assert "Not set: floor of recall&#64;k" in text


def test_markdown_keeps_untrusted_text_as_text() -> None:
    before, after = two_reports(NASTY)
    text = render_markdown(gate(after, before, a_policy()), compare(before, after))
    assert "<script" not in text
    assert "](" not in text
    assert "https://x" not in text
    assert "\u202e" not in text
    assert "@you" not in text
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    assert {line.count("|") for line in rows} == {7}


@given(st.text(max_size=40))
def test_escaped_markdown_has_no_sign_of_markup(text: str) -> None:
    found = escape_markdown(text)
    assert not re.search(r"[<>`*_\[\]|~$@!\\\n]", found)
    assert not re.search(r"&(?!amp;|lt;|gt;|#\d+;)", found)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    before, after = two_reports(NASTY)
    page = render_html(after, compare(before, after), gate(after, before, a_policy()))
    parser = Tags()
    parser.feed(page)
    assert not set(parser.tags) & {"script", "img", "link", "iframe", "a", "form", "object"}
    assert "default-src 'none'" in page
    assert any("<script>alert(1)</script>" in words for words in parser.words)
    assert "\u202e" not in page
    assert "\u27e6U+202E\u27e7" in page


def test_a_page_of_one_report() -> None:
    _, after = two_reports()
    assert "Evaluation report" in render_html(after)
    assert "recall@5" in render_html(after)


def items_of(*states: State) -> list[Report]:
    return [a_report([a_score("q-1", answer=state)]) for state in states]


@pytest.mark.parametrize(
    ("before", "now", "failed", "expected", "fixed"),
    [
        (State.PASS, State.FAIL, True, False, False),
        (State.FAIL, State.FAIL, False, True, False),
        (State.FAIL, State.PASS, False, False, True),
        (State.PASS, State.UNSURE, False, False, False),
    ],
)
def test_a_case_is_red_only_when_it_went_from_good_to_bad(
    before: State, now: State, failed: bool, expected: bool, fixed: bool
) -> None:
    baseline, report = items_of(before, now)
    item = case_items(report, baseline)[0]
    assert (item.failed, item.expected, item.fixed) == (failed, expected, fixed)


def test_without_a_baseline_every_failing_case_is_red() -> None:
    assert case_items(items_of(State.FAIL)[0])[0].failed
    unsure = case_items(items_of(State.UNSURE)[0])[0]
    assert (unsure.failed, unsure.unsure) == (False, (Criterion.ANSWER,))


def test_the_policy_names_the_criteria_of_a_test() -> None:
    assert item_criteria(parse_policy("")) == (Criterion.ANSWER, Criterion.ABSTENTION)
    own = parse_policy('[pytest]\ncriteria = ["retrieval"]\n')
    assert item_criteria(own) == (Criterion.RETRIEVAL,)
    with pytest.raises(PolicyError, match="'taste' is no criterion"):
        item_criteria(parse_policy('[pytest]\ncriteria = ["taste"]\n'))
    failing = a_report([a_score("q-1", answer=State.FAIL)])
    assert not case_items(failing, criteria=(Criterion.RETRIEVAL,))[0].failed


def test_junit_counts_cases_and_rules() -> None:
    before, after = two_reports()
    result = gate(after, before, a_policy("billing", "gone"))
    root = ET.fromstring(render_junit(case_items(after, before), result))
    cases, rules = root.findall("testsuite")
    assert (cases.get("tests"), cases.get("failures"), cases.get("skipped")) == ("2", "1", "0")
    assert [case.get("name") for case in cases] == ["q-1", "q-2"]
    assert rules.get("name") == "gate promote"
    assert rules.get("errors") == "1"
    assert int(rules.get("failures") or 0) >= 1


def test_junit_skips_what_already_failed_and_notes_what_is_fixed() -> None:
    before = a_report([a_score("q-1", answer=State.FAIL), a_score("q-2", answer=State.FAIL)])
    after = a_report([a_score("q-1", answer=State.FAIL), a_score("q-2"), a_score("q-3")])
    cases = ET.fromstring(render_junit(case_items(after, before)))[0]
    assert (cases.get("failures"), cases.get("skipped")) == ("0", "1")
    assert "already fails on the baseline (answer)" in str(cases[0][0].get("message"))
    assert "fixed" in str(cases[1][0].text)
    assert len(cases[2]) == 0


def test_a_document_is_written_as_it_is() -> None:
    before, after = two_reports()
    result = gate(after, before, a_policy())
    assert json.loads(render_json(result)) == gate_document(result)
    assert json.loads(render_json({"a": 1})) == {"a": 1}
    with pytest.raises(ValueError, match="JSON"):
        render_json({"a": float("nan")})


def test_many_names_are_cut_and_warnings_are_told() -> None:
    bad = a_report([a_score(f"q-{at:02d}", answer=State.FAIL) for at in range(40)])
    good = a_report([a_score(f"q-{at:02d}") for at in range(40)])
    text = render_markdown(gate(bad, good, a_policy()), compare(good, bad))
    assert "q-29 and 10 more" in text
    unscored = a_score("q-1").model_copy(
        update={"values": {}, "unscored": {Metric.RECALL: "no text"}}
    )
    assert "because no text" in render_report_markdown(a_report([unscored]))
    assert "because no text" in render_html(a_report([unscored]))


def test_intervals_are_shown_with_their_sign() -> None:
    before = a_report([a_score(f"q-{at:02d}", {Metric.RECALL: float(at % 2)}) for at in range(40)])
    after = a_report([a_score(f"q-{at:02d}") for at in range(40)])
    assert re.search(
        r"recall@5 .* \[\+0\.\d{3}, \+0\.\d{3}\]", render_comparison_table(compare(before, after))
    )
    few = render_comparison_table(compare(*two_reports()))
    assert "0 gained, 1 lost; n too small for an interval" in few


def test_junit_is_well_formed_for_any_text() -> None:
    report = a_report([a_score("q-1", slice_name=f"{NASTY}\x00\ufffe\ud800", answer=State.FAIL)])
    result = gate(report, report, a_policy(), Profile.CI)
    root = ET.fromstring(render_junit(case_items(report), result))
    case = root.find("testsuite/testcase")
    assert case is not None
    assert "<script>" in str(case.get("classname"))
