"""Undo of picks and edits is the exact inverse, and keeps what was typed since."""

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import Fact, FactKind
from curation.domain.review import Draft
from curation.ui.review import edits
from curation.ui.review.board import Board, Desk
from curation.ui.review.picks import Passage, PickKind, with_fact
from curation.ui.review.protocol import Acted, FieldTyped, Picked
from curation.ui.review.reducer import reduce
from curation.ui.review.undo import Step, revert

TEXT = "The limit is 9 sessions. The default is 60 s. Backups are kept for 30 days."
PASSAGE = Passage(key="c0", text=TEXT, chunk_id="a", doc_id="a", doc_version="1")
OTHER = Passage(key="user0", text="It is 61 s.")
BOARD = Board(desk=Desk(passages={"c0": PASSAGE, "user0": OTHER}))

picks = st.builds(
    lambda kind, block, start, length: Picked(
        seq=1, serial=0, type="pick", kind=kind, block=block, start=start, end=start + length
    ),
    st.sampled_from([kind.value for kind in PickKind]),
    st.sampled_from(["c0", "user0"]),
    st.integers(0, 70),
    st.integers(0, 40),
)
ids = st.sampled_from(["f1", "f2", "f3", "e1", "e2", "e3"])
acts = st.one_of(
    st.builds(lambda i: act("fact_remove", id=i), ids),
    st.builds(
        lambda i, k: act("fact_move", id=i, kind=k.value), ids, st.sampled_from(list(FactKind))
    ),
    st.builds(lambda i, k: act("fact_from", id=i, **{"from": k}), ids, ids),
    st.builds(lambda i: act("fact_mention", id=i), ids),
    st.builds(lambda i: act("evidence_remove", id=i), ids),
    st.builds(lambda i, k: act("evidence_group", id=i, other=k), ids, ids),
    st.builds(lambda i: act("evidence_near", id=i), ids),
    st.builds(
        lambda word: act(f"answer_{word}"), st.sampled_from(["yes", "no", "part", "unclear"])
    ),
    st.sampled_from(["none", "citation", ""]).map(lambda v: act("failure", value=v)),
    st.text(max_size=8).map(lambda t: act("fact_add", text=t)),
)


def act(name, **args):
    return Acted(seq=1, serial=0, type="act", act=name, args=args)


def after(board, event):
    return reduce(board, event)[0]


@given(st.lists(st.one_of(picks, acts), max_size=12))
def test_undoing_every_step_gives_the_drafts_before_in_reverse(events):
    board, drafts = BOARD, [BOARD.draft]
    for event in events:
        board = after(board, event)
        if board.draft != drafts[-1]:
            drafts.append(board.draft)
    for draft in reversed(drafts[:-1]):
        board = after(board, act("undo"))
        assert board.draft == draft
    assert board.steps == ()


@given(st.lists(st.one_of(picks, acts), max_size=10))
def test_every_draft_keeps_its_promises(events):
    board = BOARD
    for event in events:
        board = after(board, event)
        facts = [fact for _, fact in board.draft.facts.each]
        evidence = {item.id for item in board.draft.evidence}
        assert len({fact.id for fact in facts}) == len(facts)
        assert all(set(fact.evidence) <= evidence for fact in facts)
        assert all(item.quote in TEXT for item in board.draft.evidence)
        assert all(item.group in evidence for item in board.draft.evidence)


def test_what_was_typed_after_a_pick_survives_its_undo():
    board = after(
        BOARD, Picked(seq=1, serial=0, type="pick", kind="required", block="c0", start=0, end=24)
    )
    board = after(
        board, FieldTyped(seq=2, serial=0, type="field", field="reference", value="Mine.", v=1)
    )
    board = after(board, act("fact_add", text="typed"))
    board = after(board, act("undo"))
    board = after(board, act("undo"))
    assert board.draft == Draft(reference="Mine.")


def test_a_fact_that_was_edited_since_stays_when_another_pick_is_undone():
    one = with_fact(Draft(), FactKind.REQUIRED, Fact(id="f1", text="one"))
    two = with_fact(one, FactKind.REQUIRED, Fact(id="f2", text="two"))
    edited = edits.write_field(two, "fact:f1", "one, edited")
    assert isinstance(edited, Draft)
    back = revert(Step(before=one, after=two), edited)
    assert [fact.text for fact in back.facts.required] == ["one, edited"]


def test_undo_without_a_step_takes_back_the_verdict():
    _, orders = reduce(BOARD, act("undo"))
    assert [order.effect.value for order in orders] == ["undo_verdict"]
