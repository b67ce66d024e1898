"""What holds for every case: the round trip, the diff and its application, the merge."""

import json

from hypothesis import given
from hypothesis import strategies as st

from curation.codec import (
    case_from_document,
    dumps,
    golden_line,
    loads,
    read_case,
    scoring_digest,
)
from curation.domain.case import Case, FactKind, Facts
from curation.domain.diff import CaseDiff, diff_cases
from curation.domain.merge import Side, merge_cases, resolve
from tests.codec.strategies import cases

pairs = st.tuples(cases, cases)


@given(cases)
def test_a_case_survives_its_bytes(case: Case) -> None:
    data = dumps(case)
    assert read_case(data, "it") == (case, True)
    assert dumps(loads(data, "it")) == data


@given(cases)
def test_anyone_can_write_the_same_bytes(case: Case) -> None:
    data = dumps(case)
    again = json.dumps(json.loads(data), indent=2, ensure_ascii=False, allow_nan=False)
    assert again.encode() + b"\n" == data


@given(cases)
def test_the_file_form_is_also_a_form_to_hand_in(case: Case) -> None:
    assert case_from_document(json.loads(dumps(case)), where="it") == case


@given(cases)
def test_a_line_of_the_built_file_is_json_on_one_line(case: Case) -> None:
    line = golden_line(case)
    assert line.count(b"\n") == 1
    assert json.loads(line)["question"] == case.question
    assert len(scoring_digest(case)) == 64


def content(case: Case) -> Case:
    """A case without the order of its facts and evidence, which a merge may choose."""
    facts = case.facts.model_copy(
        update={
            name: tuple(sorted(getattr(case.facts, name), key=lambda fact: fact.id))
            for name in ("required", "optional", "forbidden")
        }
    )
    evidence = tuple(sorted(case.evidence, key=lambda item: item.id))
    return case.model_copy(update={"facts": facts, "evidence": evidence})


def applied(old: Case | None, diff: CaseDiff) -> Case:
    """The new state of a case, made of its old one and the diff alone, in no order."""
    document = old.model_dump(mode="json") if old else {}
    document |= {change.field: change.new for change in diff.fields}
    facts = {fact.id: (kind, fact) for kind, fact in old.facts.each} if old else {}
    evidence = {item.id: item for item in old.evidence} if old else {}
    for fact in diff.facts:
        facts.pop(fact.fact_id, None)
        if fact.new and fact.new_kind:
            facts[fact.fact_id] = (fact.new_kind, fact.new)
    for item in diff.evidence:
        evidence.pop(item.evidence_id, None)
        if item.new:
            evidence[item.evidence_id] = item.new
    of = {k: [f.model_dump() for kind, f in facts.values() if kind is k] for k in FactKind}
    document["facts"] = Facts.model_validate(of)
    document["evidence"] = tuple(evidence.values())
    return content(Case.model_validate(document))


@given(pairs)
def test_the_diff_makes_the_new_state_out_of_the_old(pair: tuple[Case, Case]) -> None:
    old, new = pair
    assert applied(old, diff_cases(old, new)) == content(new)
    assert applied(None, diff_cases(None, new)) == content(new)
    assert diff_cases(old, None).removed


@given(pairs)
def test_a_diff_is_empty_exactly_when_nothing_changed(pair: tuple[Case, Case]) -> None:
    old, new = pair
    assert diff_cases(old, old).names == ()
    assert bool(diff_cases(old, new).names) is (old != new)


@given(pairs)
def test_a_diff_is_json(pair: tuple[Case, Case]) -> None:
    diff = diff_cases(*pair)
    assert json.loads(json.dumps(diff.to_document()))["case_id"] == "q-0001"
    assert len(diff.entries) == len(diff.fields) + len(diff.facts) + len(diff.evidence)


@given(pairs)
def test_a_merge_with_an_untouched_side_is_the_other_side(pair: tuple[Case, Case]) -> None:
    base, edited = pair
    for merge in (merge_cases(base, edited, base), merge_cases(base, base, edited)):
        dangling = {c.place for c in merge.conflicts}
        if not dangling:
            assert content(merge.case) == content(edited)


@given(st.tuples(cases, cases, cases))
def test_choosing_one_side_everywhere_gives_its_values(three: tuple[Case, Case, Case]) -> None:
    base, theirs, mine = three
    merge = merge_cases(base, theirs, mine)
    places = [conflict.place for conflict in merge.conflicts]
    assert not set(places) & {*merge.from_theirs, *merge.from_mine}
    for side, wanted in ((Side.THEIRS, theirs), (Side.MINE, mine)):
        chosen = resolve(merge, dict.fromkeys(places, side))
        assert not set(diff_cases(wanted, chosen).names) - _fields(
            {*merge.from_theirs, *merge.from_mine}
        )


def _fields(places: set[str]) -> set[str]:
    names = {place.split(".")[0] for place in places}
    return names | {"facts", "evidence"} | ({"retired"} if "status" in names else set())


@given(st.tuples(cases, cases))
def test_equal_edits_on_both_sides_are_no_conflict(pair: tuple[Case, Case]) -> None:
    base, edited = pair
    merge = merge_cases(base, edited, edited)
    assert (merge.from_theirs, merge.from_mine) == ((), ())
