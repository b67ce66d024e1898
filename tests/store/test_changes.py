"""Changes come back whole; numbers and case ids are given once."""

import threading
import uuid

from curation.domain.change import (
    Approval,
    Change,
    ChangeKind,
    ChangeState,
    Comment,
    FileContent,
    PatchSet,
)
from curation.domain.finding import Check, Finding, Level
from curation.domain.review import Acknowledgement, FailureCategory
from curation.store.changes import (
    add_approval,
    add_comment,
    add_patch_set,
    changes_of_answer,
    get_change,
    insert_change,
    list_changes,
    next_change_number,
    reserve_case_id,
    set_change_state,
)
from tests.store.logs import MIA, NOW, ROB


def patch_set(number, **fields):
    return PatchSet(
        number=number,
        author=MIA,
        at=NOW,
        reason="why\nso",
        base_blob=None,
        base_version="golden/v1",
        files=(FileContent(path="cases/34/q-0001.json", text='{"a": "\u2028"}\n'),),
        findings=(Finding(check=Check.RED, level=Level.FINE, message="fails"),),
        acks=(Acknowledgement(check="near_duplicate", why="other", item="f1"),),
        **fields,
    )


def new_change(session, **fields):
    change = Change(
        id=str(uuid.uuid4()),
        number=next_change_number(session),
        kind=ChangeKind.ADD,
        state=ChangeState.PROPOSED,
        created_at=NOW,
        patch_sets=(patch_set(1),),
        **{"case_id": "q-0001", "answer_id": "a", **fields},
    )
    insert_change(session, change)
    return change


def test_a_change_comes_back_whole_by_uuid_and_by_number(store):
    with store.writing() as session:
        change = new_change(session, failure=FailureCategory.CITATION, import_source="f sha256:1")
        add_patch_set(session, change.id, patch_set(2))
        add_approval(session, change.id, Approval(patch_set=2, person=ROB, at=NOW))
        note = Comment(patch_set=1, person=ROB, at=NOW, text="Hm?", field="facts.f1")
        add_comment(session, change.id, note)
    with store.reading() as session:
        found = get_change(session, change.id)
        assert found is not None
        assert found.patch_sets == (patch_set(1), patch_set(2))
        assert found.valid_approvals[0].person == ROB
        assert found.comments == (note,)
        assert found.failure is FailureCategory.CITATION
        for name in (1, "1", "0001"):
            assert get_change(session, name) == found
        for name in ("", "x", "2", "99999999999999999999", "１"):
            assert get_change(session, name) is None


def test_a_state_keeps_what_it_is_not_told(store):
    with store.writing() as session:
        change = new_change(session)
        set_change_state(session, change.id, ChangeState.CONFLICT, conflict="id_taken")
        conflict = get_change(session, change.id)
        set_change_state(session, change.id, ChangeState.PROPOSED, case_id="q-0009")
        set_change_state(
            session, change.id, ChangeState.PUBLISHED, version="golden/v2", commit="abc"
        )
        published = get_change(session, change.id)
    assert conflict is not None
    assert published is not None
    assert (conflict.state, conflict.conflict, conflict.case_id) == (
        ChangeState.CONFLICT,
        "id_taken",
        "q-0001",
    )
    assert (published.conflict, published.case_id) == (None, "q-0009")
    assert (published.version, published.commit) == ("golden/v2", "abc")


def test_changes_are_listed_by_state_case_and_answer_newest_first(store):
    with store.writing() as session:
        one = new_change(session)
        two = new_change(session, case_id="q-0002", answer_id=None)
        set_change_state(session, two.id, ChangeState.APPROVED)
        three = new_change(session)

        def ids(changes):
            return [change.number for change in changes]

        assert ids(list_changes(session)) == [3, 2, 1]
        assert ids(list_changes(session, states=[ChangeState.APPROVED])) == [two.number]
        assert ids(list_changes(session, case_id="q-0001")) == [three.number, one.number]
        assert ids(changes_of_answer(session, "a")) == [three.number, one.number]


def test_case_ids_begin_after_the_highest_of_git_and_are_given_once(store):
    given: list[str] = []

    def work():
        for _ in range(10):
            with store.writing() as session:
                case_id = reserve_case_id(session, at_least=42)
            given.append(case_id)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(given) == [f"q-{number:04d}" for number in range(42, 92)]
    with store.writing() as session:
        assert reserve_case_id(session, at_least=12_000) == "q-12000"
        assert reserve_case_id(session, at_least=0) == "q-12001"
