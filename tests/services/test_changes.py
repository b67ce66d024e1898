"""Changes: who may approve what, what voids an approval, what a withdrawal reopens."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from curation.domain.case import RetireReason
from curation.domain.change import ChangeState
from curation.domain.review import AnswerState, Verdict
from curation.errors import RoleError
from curation.services import changes, golden_set, verdicts
from curation.services.errors import (
    BlockedError,
    ChangeClosedError,
    FinishedError,
    HeldError,
    NotApprovableError,
    NothingToUndoError,
    ReasonMissingError,
    SecretError,
    UnexplainedError,
)
from curation.services.publish import publish, reconcile
from curation.store import answers as stored_answers
from curation.store import changes as stored_changes
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed, revision

ASKED = "How long do relays of v4.2 wait on an idle session?"


@pytest.fixture
def workspace(tmp_path):
    with opened(tmp_path) as work:
        yield work


def state(workspace, answer_id):
    with workspace.store.reading() as session:
        return stored_answers.answer_state(session, answer_id)


def test_the_author_cannot_approve_and_reads_why(workspace):
    change = proposed(workspace).change
    with pytest.raises(NotApprovableError, match="You wrote this change, so someone else"):
        changes.approve(workspace, change.id, person=MIA, now=NOW)
    assert changes.get(workspace, change.id).state is ChangeState.PROPOSED


def test_the_author_cannot_approve_under_another_spelling_of_the_address(workspace):
    change = proposed(workspace).change
    same = MIA.model_copy(update={"name": "M. Kim", "email": "MIA@Example.ORG"})
    with pytest.raises(NotApprovableError):
        changes.approve(workspace, change.id, person=same, now=NOW)


def test_what_a_killed_publisher_brought_to_git_is_neither_withdrawn_nor_revised(
    workspace, monkeypatch
):
    done = proposed(workspace)
    changes.approve(workspace, done.change.id, person=ANA, now=NOW)
    with monkeypatch.context() as patch:
        patch.setattr("curation.services.publish._note", lambda *_: raise_interrupt())
        with pytest.raises(KeyboardInterrupt):
            publish(workspace, person=ANA, now=NOW)
    assert changes.get(workspace, done.change.id).state is ChangeState.APPROVED
    with pytest.raises(ChangeClosedError, match="published"):
        changes.withdraw(workspace, done.change.id, person=MIA)
    with pytest.raises(ChangeClosedError, match="published"):
        golden_set.propose_case(
            workspace, revision(done), person=MIA, now=NOW, change_id=done.change.id
        )
    assert reconcile(workspace) == 1
    assert state(workspace, "a-1") is AnswerState.DONE


def raise_interrupt():
    raise KeyboardInterrupt


def test_a_new_patch_set_voids_the_approval_of_the_one_before(workspace):
    first = proposed(workspace)
    changes.approve(workspace, first.change.id, person=ROB, now=NOW)
    golden_set.propose_case(
        workspace, revision(first, notes="more"), person=MIA, now=NOW, change_id=first.change.id
    )
    change = changes.get(workspace, first.change.id)
    assert change.state is ChangeState.PROPOSED
    assert change.valid_approvals == ()
    assert publish(workspace, person=ANA, now=NOW).version is None
    with pytest.raises(NotApprovableError, match="Patch set 2 replaced what you approved"):
        changes.approve(workspace, change.id, person=ROB, now=NOW, patch_set=1)


def test_whoever_uploads_a_patch_set_becomes_an_author(workspace):
    first = proposed(workspace)
    golden_set.propose_case(
        workspace, revision(first, notes="more"), person=ROB, now=NOW, change_id=first.change.id
    )
    for author in (MIA, ROB):
        with pytest.raises(NotApprovableError):
            changes.approve(workspace, first.change.id, person=author, now=NOW)
    done = changes.approve(workspace, first.change.id, person=ANA, now=NOW)
    assert done.state is ChangeState.APPROVED


def test_asking_for_changes_needs_a_comment_and_brings_it_back_to_its_author(workspace):
    change = proposed(workspace).change
    with pytest.raises(ReasonMissingError):
        changes.ask(workspace, change.id, person=ROB, text="  ", now=NOW)
    changes.ask(workspace, change.id, person=ROB, text="Name the unit.", now=NOW, field="facts.f1")
    lists = changes.list_for(workspace, MIA)
    assert [c.id for c in lists.came_back_to_you] == [change.id]
    note = lists.came_back_to_you[0].comments[0]
    assert (note.field, note.patch_set, note.text) == ("facts.f1", 1, "Name the unit.")


def test_the_lists_of_two_people(workspace):
    change = proposed(workspace).change
    assert [c.id for c in changes.list_for(workspace, ROB).waiting_for_you] == [change.id]
    assert [c.id for c in changes.list_for(workspace, MIA).yours_with_others] == [change.id]
    changes.approve(workspace, change.id, person=ROB, now=NOW)
    assert [c.id for c in changes.list_for(workspace, MIA).approved] == [change.id]


def test_the_menu_counts_what_waits_for_this_persons_yes_and_the_published_are_the_last_few(
    workspace,
):
    change = proposed(workspace).change
    waiting = {
        person: len(changes.list_for(workspace, person).waiting_for_you) for person in (MIA, ROB)
    }
    assert waiting == {MIA: 0, ROB: 1}
    assert {p: changes.waiting_for(workspace, p) for p in (MIA, ROB)} == waiting
    assert changes.waiting_for(workspace, None) == 1
    assert changes.all_changes(workspace, limit=0) == ()
    assert [c.id for c in changes.all_changes(workspace, limit=1)] == [change.id]
    changes.approve(workspace, change.id, person=ROB, now=NOW)
    assert changes.waiting_for(workspace, ROB) == 0


def test_a_withdrawn_change_reopens_its_answer_and_is_closed(workspace):
    change = proposed(workspace).change
    assert state(workspace, "a-1") is AnswerState.DONE
    changes.withdraw(workspace, change.id, person=MIA)
    assert state(workspace, "a-1") is AnswerState.OPEN
    with pytest.raises(ChangeClosedError):
        changes.withdraw(workspace, change.id, person=MIA)


def test_roles_are_checked_in_the_service(tmp_path):
    toml = '[people]\n"mia@example.org" = "reviewer"\n"rob@example.org" = "approver"\n'
    with opened(tmp_path, toml=toml) as workspace:
        change = proposed(workspace).change
        other = proposed(workspace, "a-2", person=ROB).change
        with pytest.raises(NotApprovableError, match="needs the role approver"):
            changes.approve(workspace, other.id, person=MIA, now=NOW)
        with pytest.raises(RoleError, match="Yours is reader"):
            proposed(workspace, "a-3", person=ANA)
        changes.approve(workspace, change.id, person=ROB, now=NOW)
        with pytest.raises(RoleError, match="Publishing needs the role approver"):
            publish(workspace, person=MIA, now=NOW)


def test_an_answer_that_somebody_holds_cannot_be_finished_by_another(workspace):
    verdicts.renew(workspace, ROB, "a-1", now=NOW)
    with pytest.raises(HeldError, match=r"Rob Oduya holds this answer until 10:30"):
        proposed(workspace)
    later = NOW + timedelta(minutes=31)
    assert verdicts.renew(workspace, MIA, "a-1", now=later) > later


def test_a_finished_answer_says_who_finished_it_and_how(workspace):
    proposed(workspace)
    with pytest.raises(FinishedError, match="Mia Kim finished this answer"):
        proposed(workspace, person=ROB)


def test_two_people_finishing_at_once_make_one_change(workspace):
    with ThreadPoolExecutor(2) as pool:
        tries = [pool.submit(proposed, workspace, "a-1", person=p) for p in (MIA, ROB)]
    failed = [t.exception() for t in tries if t.exception()]
    assert len(failed) == 1
    assert isinstance(failed[0], FinishedError | HeldError)
    assert len(changes.all_changes(workspace)) == 1


def test_case_ids_are_never_given_twice(workspace):
    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(proposed, workspace, f"a-{n}") for n in (1, 2, 3)]
    ids = sorted(d.result().case_id for d in done)
    assert ids == ["q-0001", "q-0002", "q-0003"]


def test_undo_takes_back_the_last_verdict_until_somebody_looked(workspace):
    change = proposed(workspace).change
    assert verdicts.undo(workspace, MIA, now=NOW).answer_id == "a-1"
    assert changes.get(workspace, change.id).state is ChangeState.WITHDRAWN
    assert state(workspace, "a-1") is not AnswerState.DONE
    again = proposed(workspace).change
    changes.comment(workspace, again.id, person=ROB, text="Good.", now=NOW)
    with pytest.raises(NothingToUndoError, match="already looked at"):
        verdicts.undo(workspace, MIA, now=NOW)
    with pytest.raises(NothingToUndoError, match="no verdict of yours"):
        verdicts.undo(workspace, ROB, now=NOW)


@pytest.mark.parametrize("verdict", [Verdict.RIGHT, Verdict.NOT_ACTIONABLE])
def test_undo_of_a_dismissal_opens_the_answer_again(workspace, verdict):
    said = verdicts.Dismissal(verdict=verdict, reason="test traffic")
    verdicts.dismiss(workspace, MIA, "a-2", said, now=NOW)
    assert state(workspace, "a-2") is AnswerState.DISMISSED
    verdicts.undo(workspace, MIA, now=NOW)
    assert state(workspace, "a-2") in {AnswerState.OPEN, AnswerState.HELD}


def test_undo_goes_ten_verdicts_back_and_no_further(tmp_path):
    with opened(tmp_path, answers=11) as workspace:
        for number in range(1, 12):
            right = verdicts.Dismissal(verdict=Verdict.RIGHT)
            verdicts.dismiss(workspace, MIA, f"a-{number}", right, now=NOW)
        for number in range(11, 1, -1):
            assert verdicts.undo(workspace, MIA, now=NOW).answer_id == f"a-{number}"
        with pytest.raises(NothingToUndoError, match="The last ten verdicts"):
            verdicts.undo(workspace, MIA, now=NOW)
        assert state(workspace, "a-1") is AnswerState.DISMISSED


def test_one_question_becomes_one_case_also_where_two_were_approved(workspace):
    """The second was proposed with a word of why, while the first still waited."""
    one = proposed(workspace, "a-1", question=ASKED).change
    other = proposed(workspace, "a-2", question=ASKED, person=ANA).change
    for change, approver in ((one, ROB), (other, MIA)):
        changes.approve(workspace, change.id, person=approver, now=NOW)
    report = publish(workspace, person=ANA, now=NOW)
    assert [change.id for change in report.published] == [one.id]
    assert (report.reasons, report.complete) == ({other.id: "invalid"}, False)
    held = changes.get(workspace, other.id)
    assert (held.state, held.conflict) == (
        ChangeState.CONFLICT,
        f"{one.case_id} asks the same by now",
    )


def test_a_case_whose_question_has_one_by_now_is_not_approved(workspace):
    one = proposed(workspace, "a-1", question=ASKED).change
    other = proposed(workspace, "a-2", question=ASKED, person=ANA).change
    changes.approve(workspace, one.id, person=ROB, now=NOW)
    publish(workspace, person=ANA, now=NOW)
    with pytest.raises(NotApprovableError, match=f"{one.case_id} asks the same by now"):
        changes.approve(workspace, other.id, person=MIA, now=NOW)


def test_a_duplicate_names_a_case_of_the_set(workspace):
    unknown = verdicts.Dismissal(verdict=Verdict.DUPLICATE, duplicate_of="q-0099")
    with pytest.raises(Exception, match="There is no case 'q-0099'"):
        verdicts.dismiss(workspace, MIA, "a-2", unknown, now=NOW)
    with pytest.raises(ReasonMissingError):
        verdicts.Dismissal(verdict=Verdict.DUPLICATE).stored_reason()


def test_an_error_proposes_nothing(workspace):
    with pytest.raises(BlockedError):
        proposed(workspace, reference="")
    assert changes.all_changes(workspace) == ()
    assert state(workspace, "a-1") is not AnswerState.DONE


def test_a_strict_policy_wants_a_word_for_each_warning(workspace):
    old = golden_set.browse(workspace).policy
    assert not old.strict_warnings
    file = workspace.settings.home / "policy.toml"
    file.write_text("strict_warnings = true\n[slices.general]\n")
    policy = golden_set.propose_policy(workspace, file, person=ANA, reason="strict", now=NOW)
    changes.approve(workspace, policy.id, person=ROB, now=NOW)
    publish(workspace, person=ROB, now=NOW)
    with pytest.raises(UnexplainedError, match="--ack CHECK=WHY"):
        proposed(workspace, facts={"required": [{"text": "60 s"}]})


def test_a_published_change_is_noted_from_git_after_the_store_forgot(workspace):
    change = proposed(workspace).change
    changes.approve(workspace, change.id, person=ROB, now=NOW)
    version = publish(workspace, person=ANA, now=NOW).version
    with workspace.store.writing() as session:
        stored_changes.set_change_state(session, change.id, ChangeState.APPROVED)
    report = publish(workspace, person=ANA, now=NOW)
    assert report.version is None
    found = changes.get(workspace, change.id)
    assert (found.state, found.version) == (ChangeState.PUBLISHED, version)


def test_a_publisher_who_lost_the_race_reads_in_which_version_it_went_out(workspace, monkeypatch):
    change = proposed(workspace).change
    changes.approve(workspace, change.id, person=ROB, now=NOW)
    first = publish(workspace, person=ANA, now=NOW)
    with workspace.store.writing() as session:
        stored_changes.set_change_state(session, change.id, ChangeState.APPROVED)
    # The other publisher was faster after this one had looked.
    monkeypatch.setattr("curation.services.publish.reconcile", lambda _: 0)
    second = publish(workspace, person=ROB, now=NOW)
    assert (second.version, second.commit) == (first.version, first.published[0].commit)
    assert [c.id for c in second.published] == [change.id]


def test_the_last_unanswerable_case_cannot_be_retired(workspace):
    none: dict[str, Any] = {
        "answerable": "unanswerable",
        "facts": {"forbidden": ["30 s"]},
        "evidence": [],
        "reference": "The documents do not say.",
        "category": "operations",
        "notes": "Nothing on relays of v4.2.",
    }
    change = proposed(workspace, **none).change
    changes.approve(workspace, change.id, person=ROB, now=NOW)
    publish(workspace, person=ANA, now=NOW)
    with pytest.raises(BlockedError, match="last unanswerable case"):
        golden_set.propose_retire(
            workspace, "q-0001", why=RetireReason.OUTDATED, person=MIA, reason="gone", now=NOW
        )


def test_a_secret_in_a_reason_or_a_policy_is_refused_before_anything_is_stored(workspace, tmp_path):
    before = changes.all_changes(workspace)
    policy = tmp_path / "golden.toml"
    policy.write_text("approvals = 1\n", encoding="utf-8")
    reason = "It opens with password: hunter2-Blue!9"
    with pytest.raises(SecretError, match="Nothing was proposed: A password is in the reason"):
        golden_set.propose_policy(workspace, policy, person=MIA, reason=reason, now=NOW)
    policy.write_text("# api_key = hunter2-Blue!9\napprovals = 1\n", encoding="utf-8")
    with pytest.raises(SecretError, match=r"A password is in golden\.toml"):
        golden_set.propose_policy(workspace, policy, person=MIA, reason="Ours.", now=NOW)
    assert changes.all_changes(workspace) == before
