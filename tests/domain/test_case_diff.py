"""Changed fields, facts that came, went, changed or moved, and words."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import Case, Evidence, Fact, FactKind, Facts, ForbiddenFact
from curation.domain.diff import ItemChange, diff_cases
from curation.domain.merge import Side, merge_cases, resolve
from curation.domain.word_diff import SegmentKind, word_diff

BASE = Case(
    id="q-0093",
    question="What is the default?",
    reference="It is 100000.",
    facts=Facts(
        required=(Fact(id="f1", text="100000"), Fact(id="f2", text="entries")),
        forbidden=(ForbiddenFact(id="f3", text="10"),),
    ),
    evidence=(Evidence(id="e1", group="e1", chunk_id="c", doc_id="d"),),
)


def edited(**fields: Any) -> Case:
    return BASE.model_copy(update=fields)


def facts(required: tuple[Fact, ...] = (), forbidden: tuple[ForbiddenFact, ...] = ()) -> Facts:
    return Facts(required=required, forbidden=forbidden)


def test_facts_are_matched_by_id() -> None:
    new = edited(
        facts=facts(
            required=(Fact(id="f1", text="10000"), Fact(id="f4", text="new")),
            forbidden=(ForbiddenFact(id="f2", text="entries"),),
        )
    )
    found = [(c.fact_id, c.change, c.old_kind, c.new_kind) for c in diff_cases(BASE, new).facts]
    assert found == [
        ("f1", ItemChange.CHANGED, FactKind.REQUIRED, FactKind.REQUIRED),
        ("f4", ItemChange.ADDED, None, FactKind.REQUIRED),
        ("f2", ItemChange.MOVED, FactKind.REQUIRED, FactKind.FORBIDDEN),
        ("f3", ItemChange.REMOVED, FactKind.FORBIDDEN, None),
    ]


def test_fields_come_in_the_order_of_the_case() -> None:
    diff = diff_cases(BASE, edited(notes="n", reference="It is 10000.", weight=3))
    assert diff.names == ("weight", "reference", "notes")
    assert [(c.old, c.new) for c in diff.fields][:2] == [
        (1, 3),
        ("It is 100000.", "It is 10000."),
    ]


def test_an_added_case_shows_every_field_as_new() -> None:
    diff = diff_cases(None, BASE)
    assert diff.added
    assert all(change.old is None for change in diff.fields)
    assert {"question", "reference", "facts", "evidence"} <= set(diff.names)


def test_another_order_alone_is_a_change() -> None:
    turned = edited(facts=facts(tuple(reversed(BASE.facts.required)), BASE.facts.forbidden))
    diff = diff_cases(BASE, turned)
    assert (diff.facts, diff.reordered, diff.names) == ((), ("facts",), ("facts",))


def test_edits_of_different_facts_merge_and_are_listed() -> None:
    one, two = BASE.facts.required
    theirs = edited(facts=facts((Fact(id="f1", text="10000"), two), BASE.facts.forbidden))
    mine = edited(facts=facts((one, Fact(id="f2", text="log entries")), BASE.facts.forbidden))
    merge = merge_cases(BASE, theirs, mine)
    assert (merge.conflicts, merge.from_theirs, merge.from_mine) == (
        (),
        ("facts.f1",),
        ("facts.f2",),
    )
    assert [fact.text for fact in merge.case.facts.required] == ["10000", "log entries"]


def test_edits_of_one_fact_are_a_conflict_with_all_three_values() -> None:
    _, two = BASE.facts.required
    theirs = edited(facts=facts((Fact(id="f1", text="10000"), two), BASE.facts.forbidden))
    mine = edited(facts=facts((Fact(id="f1", text="10,000"), two), BASE.facts.forbidden))
    merge = merge_cases(BASE, theirs, mine)
    (conflict,) = merge.conflicts
    assert conflict.place == "facts.f1"
    assert [value["text"] for value in (conflict.base, conflict.theirs, conflict.mine)] == [
        "100000",
        "10000",
        "10,000",
    ]
    assert resolve(merge, {"facts.f1": Side.THEIRS}).facts == theirs.facts
    assert resolve(merge, {"facts.f1": Side.MINE}).facts == mine.facts


def test_removing_on_one_side_and_editing_on_the_other_is_a_conflict() -> None:
    one, two = BASE.facts.required
    theirs = edited(facts=facts((two,), BASE.facts.forbidden))
    mine = edited(facts=facts((Fact(id="f1", text="10,000"), two), BASE.facts.forbidden))
    merge = merge_cases(BASE, theirs, mine)
    assert [(c.place, c.theirs) for c in merge.conflicts] == [("facts.f1", None)]
    assert resolve(merge, {"facts.f1": Side.THEIRS}).facts.required == (two,)
    assert one.text == "100000"


def test_evidence_that_the_other_side_leans_on_comes_back_as_a_conflict() -> None:
    theirs = edited(evidence=())
    proved = Fact(id="f1", text="100000", evidence=("e1",))
    mine = edited(facts=facts((proved, BASE.facts.required[1]), BASE.facts.forbidden))
    merge = merge_cases(BASE, theirs, mine)
    assert [conflict.place for conflict in merge.conflicts] == ["evidence.e1"]
    assert merge.case.evidence == BASE.evidence


def test_different_fields_merge() -> None:
    merge = merge_cases(BASE, edited(slice="billing"), edited(reference="It is 10000."))
    assert merge.conflicts == ()
    assert (merge.case.slice, merge.case.reference) == ("billing", "It is 10000.")


def joined(old: str, new: str) -> list[tuple[str, str]]:
    return [(segment.kind.value, segment.text) for segment in word_diff(old, new)]


def test_a_number_is_one_word() -> None:
    assert joined("default 100000 entries", "default 10,000 entries") == [
        ("same", "default "),
        ("removed", "100000"),
        ("added", "10,000"),
        ("same", " entries"),
    ]
    assert ("removed", "v3.5") in joined("since v3.5 on", "since v3.6 on")


def test_changes_that_only_a_space_separates_are_one() -> None:
    assert joined("wait thirty seconds now", "wait one minute now") == [
        ("same", "wait "),
        ("removed", "thirty seconds"),
        ("added", "one minute"),
        ("same", " now"),
    ]


texts = st.text(st.sampled_from("ab 1.,\n-é\u2028"), max_size=60) | st.text(max_size=30)


@given(texts, texts)
def test_the_segments_spell_both_texts(old: str, new: str) -> None:
    check_spelling(old, new)


@given(
    st.lists(
        st.sampled_from(["the ", "limit ", "4,000 ", "is\n", "x"]), min_size=200, max_size=400
    ),
    st.data(),
)
def test_long_texts_too(words: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(words)))
    check_spelling("".join(words), "".join([*words[:at], "changed ", *words[at + 3 :]]))


def check_spelling(old: str, new: str) -> None:
    segments = word_diff(old, new)
    assert "".join(s.text for s in segments if s.kind is not SegmentKind.ADDED) == old
    assert "".join(s.text for s in segments if s.kind is not SegmentKind.REMOVED) == new
    assert all(segment.text for segment in segments)
    if old == new:
        assert all(segment.kind is SegmentKind.SAME for segment in segments)
