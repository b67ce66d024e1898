"""The starter cases: valid, proven by the corpus, and fit to decide between the pipelines."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from curation.codec.rules import content_problems, form_problems
from curation.domain.case import Answerable, Case, FactRole, Origin, ReferenceSource
from curation.domain.chunk import text_sha256
from curation.domain.policy import parse_policy
from curation.importers.cases import read_cases as import_cases
from curation.sample import write_world
from curation.sample.cases import read_cases
from curation.sample.documents import WORLD, chunk_texts
from curation.sample.files import LEFT_TO_REVIEW, PROPOSED
from curation.sample.pipeline import AWARE, BLIND, BOOSTED, Pipeline
from curation.sample.text import holds

POLICY = parse_policy((WORLD / "policy.toml").read_text(encoding="utf-8"))


def _turns(case: Case) -> list[dict[str, str]]:
    return [turn.model_dump() for turn in case.conversation]


def _recalls(pipeline: Pipeline) -> dict[str, list[float]]:
    """Return recall at 5 of each case with evidence, by slice."""
    recalls = defaultdict(list)
    for case in read_cases():
        hits = pipeline.answer(case.question, _turns(case))["hits"][: POLICY.k]
        first = {(hit["chunk_id"], hit["doc_version"]) for hit in hits}
        groups = defaultdict(list)
        for item in case.gold:
            groups[item.group].append((item.chunk_id, item.doc_version) in first)
        if groups:
            recalls[case.slice].append(sum(map(any, groups.values())) / len(groups))
    return recalls


def _mean(recalls: dict[str, list[float]], *slices: str) -> float:
    values = [value for name in slices or recalls for value in recalls[name]]
    return sum(values) / len(values)


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: str(case.id))
def test_a_case_keeps_the_rules_of_form_and_content(case: Case) -> None:
    assert form_problems(case) == ()
    assert content_problems(case, POLICY) == ()
    assert case.provenance.origin is Origin.IMPORTED
    assert case.reference_source is ReferenceSource.IMPORTED


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: str(case.id))
def test_every_quote_is_in_its_chunk(case: Case) -> None:
    for item in case.evidence:
        text = chunk_texts()[item.chunk_id, item.doc_version]
        assert item.quote
        assert item.quote in text
        assert item.chunk_sha256 == text_sha256(text)
        assert item.doc_id == item.chunk_id.split("#")[0]


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: str(case.id))
def test_the_reference_holds_what_is_required_and_nothing_forbidden(case: Case) -> None:
    for fact in case.facts.required:
        assert any(holds(case.reference, wording) for wording in (fact.text, *fact.any_of))
    for forbidden in case.facts.forbidden:
        assert not any(
            holds(case.reference, wording) for wording in (forbidden.text, *forbidden.any_of)
        )


def test_the_cases_cover_every_slice_and_kind() -> None:
    cases = read_cases()
    assert len(cases) == len({case.id for case in cases}) == 30
    assert {case.slice for case in cases} == set(POLICY.slices)
    kinds = Counter(case.answerable for case in cases)
    assert kinds[Answerable.UNANSWERABLE] >= 3
    assert kinds[Answerable.PARTIAL] >= 1
    assert kinds[Answerable.UNDERSPECIFIED] >= 1
    assert len([case for case in cases if case.facts.forbidden]) >= 15
    assert len([case for case in cases if case.conversation]) >= 2


def test_a_conclusion_follows_from_two_documents() -> None:
    case = next(case for case in read_cases() if case.id == "collector-42-gateway-39")
    conclusion = case.facts.required[-1]
    assert conclusion.role is FactRole.CONCLUSION
    assert conclusion.from_ == ("f1", "f2")
    assert len({(item.chunk_id, item.doc_version) for item in case.gold}) == 2


def test_the_importer_takes_them_all(tmp_path: Path) -> None:
    files = write_world(tmp_path)
    read = import_cases(files.cases, policy=POLICY, taken=(), known={})
    kept = [c.id for c in read_cases() if c.id not in LEFT_TO_REVIEW | PROPOSED.keys()]
    assert [case.id for case in read.cases] == kept
    assert read.rejects == ()


def test_a_colleague_proposes_what_the_import_leaves_out(tmp_path: Path) -> None:
    files = write_world(tmp_path)
    proposals = [json.loads(line) for line in files.proposals.read_text("utf-8").split("\n")[:-1]]
    lines = files.answers.read_text("utf-8").split("\n")[:-1]
    answers = {json.loads(line)["id"]: line for line in lines}
    assert {p["reason"] for p in proposals} == set(PROPOSED.values())
    for proposal in proposals:
        assert proposal["case"]["question"] in answers[proposal["answer_id"]]


def test_the_mended_retriever_raises_recall_in_every_slice_or_keeps_it() -> None:
    blind, aware = _recalls(BLIND), _recalls(AWARE)
    assert _mean(aware) - _mean(blind) > 0.3
    for name in POLICY.slices:
        assert _mean(aware, name) >= _mean(blind, name)


def test_the_handbook_boost_helps_on_average_and_harms_billing() -> None:
    aware, boosted = _recalls(AWARE), _recalls(BOOSTED)
    assert _mean(boosted) - _mean(aware) > POLICY.min_gain
    assert _mean(boosted, "billing") < _mean(aware, "billing")
    for name in set(POLICY.slices) - {"billing"}:
        assert _mean(boosted, name) >= _mean(aware, name)


def test_the_mended_pipeline_declines_no_more_and_invents_no_more() -> None:
    for answerable, bad in ((True, "abstained"), (False, "answered")):
        counts = []
        for pipeline in (BLIND, AWARE):
            cases = [
                case
                for case in read_cases()
                if (case.answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}) is answerable
                and case.answerable is not Answerable.UNDERSPECIFIED
            ]
            outcomes = [pipeline.answer(c.question, _turns(c))["outcome"] for c in cases]
            counts.append(outcomes.count(bad))
        assert counts[1] <= counts[0]
