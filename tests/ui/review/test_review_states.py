"""Every state of a review as the person reads it, made by the state itself."""

import sqlite3
import subprocess
from dataclasses import replace
from datetime import timedelta

import pytest

from curation.domain.queue import QueueFilter
from curation.domain.review import Verdict
from curation.services import changes, verdicts
from curation.services.publish import publish
from curation.services.verdicts import Dismissal
from curation.store import claims
from curation.ui.review.protocol import read_letter
from curation.ui.review.session import receive
from tests.ui.review.reviewer import NOW, Reviewer
from tests.ui.review.world import ROB, make_home


@pytest.fixture
def people(tmp_path):
    """Mia and Rob at one store."""
    home = make_home(tmp_path)
    pair = Reviewer(home), Reviewer(home, ROB)
    yield pair
    for person in pair:
        person.workspace.store.dispose()


def text_of(notice):
    return notice["text"] if notice else None


def test_held_by_someone_is_read_only(people):
    mia, rob = people
    rob.open("mixup")
    drawn = mia.open("mixup")
    said = "Rob Oduya holds this answer until 09:42. You can read it; you cannot give a verdict."
    assert text_of(drawn["notice"]) == said
    assert drawn["locked"]
    assert [a["label"] for a in drawn["notice"]["acts"]] == ["Next answer"]
    assert mia.act("right")["message"] == {"text": said, "kind": "refused"}
    mia.type("reference", "not mine")
    assert mia.sitting.opened.work.draft.reference == ""


def test_a_lease_that_ended_and_is_free_is_claimed_again_on_the_next_change(people):
    mia, _ = people
    mia.open("mixup")
    drawn = mia.later(minutes=45).type("reference", "still here")
    assert drawn["notice"] is None
    assert drawn["hold"]["until"] == int((NOW + timedelta(minutes=75)).timestamp() * 1000)


def test_a_lease_that_ended_and_was_taken_keeps_the_draft(people):
    mia, rob = people
    mia.open("mixup")
    mia.type("reference", "my words")
    rob.later(minutes=32).open("mixup")
    drawn = mia.later(minutes=32).type("reference", "my words, more")
    assert text_of(drawn["notice"]) == "Rob Oduya took this answer at 09:44. Your draft is kept."
    assert [a["label"] for a in drawn["notice"]["acts"]] == ["Copy my draft", "Next answer"]
    assert drawn["case"]["reference"]["value"] == "my words, more"


def test_the_holder_can_always_renew(people):
    mia, rob = people
    mia.open("mixup")
    mia.later(minutes=29).send({"type": "here"})
    assert rob.later(minutes=31).open("mixup")["locked"]


def test_finished_by_someone_else(people):
    mia, rob = people
    mia.open("mixup")
    mia.type("notes", "x")
    rob.later(minutes=32)
    verdicts.dismiss(
        rob.workspace, ROB, "mixup", Dismissal(verdict=Verdict.RIGHT), now=rob.room.now
    )
    drawn = mia.later(minutes=33).type("notes", "xy")
    assert text_of(drawn["notice"]) == "Rob Oduya finished this answer at 09:44 (answer is right)."


def test_what_one_finished_oneself_says_you_and_of_another_day_which(people):
    mia, _ = people
    mia.open("mixup")
    mia.act("right")
    drawn = mia.open("mixup")
    assert text_of(drawn["notice"]) == "You finished this answer at 09:12 (answer is right)."
    assert drawn["checks"]["lines"] == []  # nothing is to fix where nothing can be done
    mia.later(hours=20).open("turns")
    drawn = mia.open("mixup")
    assert text_of(drawn["notice"]) == (
        "You finished this answer on 30 Nov, 09:12 (answer is right)."
    )


def test_nothing_was_ever_brought_in(tmp_path):
    mia = Reviewer(make_home(tmp_path, answers=()))
    assert mia.open()["nothing"]["text"] == "No answers yet. Bring in a log to begin."


def test_everything_reviewed_counts_what_waits(people):
    mia, _ = people
    mia.open("turns")
    mia.pick("required", "A backup is kept for 30 days.")
    mia.type("reference", "A backup is kept for 30 days, on the second disk.")
    assert "Proposed as change 0001." in mia.act("propose")["message"]["text"]
    for _ in range(3):
        mia.act("right")
    drawn = mia.act("right")
    assert drawn["kind"] == "nothing"
    assert drawn["nothing"]["text"] == "All 5 answers are reviewed. 1 change waits for approval."


def test_all_free_ones_are_held_is_never_called_reviewed(people):
    mia, rob = people
    for name in ("mixup", "turns", "long", "bare", "right"):
        with rob.workspace.store.writing() as session:
            claims.claim(session, name, ROB, now=NOW, minutes=30)
    drawn = mia.open()
    assert drawn["nothing"]["text"] == (
        "Nothing is free right now: 5 answers are held. Rob Oduya until 09:42."
    )
    assert [a["label"] for a in drawn["nothing"]["acts"]] == [
        "Tell me when one is free",
        "Changes",
    ]
    assert mia.act("look")["watch"] > 0
    mia.later(minutes=31)
    drawn = mia.send({"type": "look"})
    assert drawn["kind"] == "review"
    assert drawn["message"]["text"] == "One is free now: it is yours."


def test_what_a_person_left_open_elsewhere_is_served_when_nothing_else_is_free(people):
    mia, rob = people
    for name in ("turns", "long", "bare", "right"):
        with rob.workspace.store.writing() as session:
            claims.claim(session, name, ROB, now=NOW, minutes=30)
    mia.open()
    mia.type("reference", "begun")
    again = Reviewer(mia.workspace.settings.home)
    drawn = again.open()
    assert (again.sitting.answer_id, drawn["locked"]) == ("mixup", False)
    assert drawn["case"]["reference"]["value"] == "begun"
    again.workspace.store.dispose()


def test_nothing_matches_the_filters(people):
    mia, _ = people
    mia.room = replace(mia.room, filters=QueueFilter(words="no such words"))
    assert mia.open()["nothing"]["text"] == (
        "Nothing matches these filters. 5 answers are waiting without them."
    )


def test_skipped_answers_do_not_come_back_today(people):
    mia, _ = people
    mia.open()
    mia.type("notes", "later")
    names = [mia.sitting.answer_id]
    for _ in range(4):
        mia.act("skip")
        names.append(mia.sitting.answer_id)
    drawn = mia.act("skip")
    assert names[0] == "mixup"
    assert drawn["nothing"]["text"] == "5 answers are left, which you skipped today."
    mia.later(days=1)
    assert mia.act("next")["case"] is not None
    assert mia.sitting.board.draft.notes == "later"


def test_a_readers_role_is_told_what_is_needed(tmp_path):
    home = make_home(tmp_path, more='[people]\n"mia@example.org" = "reader"\n')
    drawn = Reviewer(home).open("mixup")
    assert text_of(drawn["notice"]) == "Reviewing needs the role reviewer. Yours is reader."


def test_no_chunks_in_the_log(people):
    mia, _ = people
    assert mia.open("bare")["chunks"]["note"] == (
        "This answer came without its chunks. Search the corpus for evidence."
    )


def test_a_chunk_that_is_not_in_the_corpus_cannot_be_evidence(tmp_path):
    from tests.ui.review.world import TURNS

    hit = {**TURNS["retrieved"][0], "doc_version": "3.4"}
    mia = Reviewer(make_home(tmp_path, answers=({**TURNS, "retrieved": [hit]},)))
    (chunk,) = mia.open("turns")["chunks"]["items"]
    assert chunk["problem"] == (
        "Chunk guide#backup is not in the corpus at 3.4, so it cannot be evidence."
    )
    drawn = mia.pick("evidence", "A backup is kept")
    assert drawn["message"]["kind"] == "refused"


def test_a_judge_that_failed_is_a_word_and_no_number(tmp_path):
    from tests.ui.review.world import TURNS

    failed = {"metric": "faithfulness", "status": "failed", "error_kind": "time-out"}
    mia = Reviewer(make_home(tmp_path, answers=({**TURNS, "scores": [failed]},)))
    mia.open("turns")
    (row,) = mia.act("judge")["answer"]["judge"]["rows"]
    assert (row["value"], row["failed"]) == ("Judge failed (time-out)", True)


def test_pressed_twice_does_nothing_the_second_time(people):
    mia, _ = people
    mia.open("right")
    serial = mia.sitting.serial
    twice = [
        {"seq": n, "serial": serial, "type": "act", "act": "right", "args": {}} for n in (1, 2)
    ]
    receive(mia.sitting, mia.room, read_letter({"client": "c", "n": 1, "items": twice}))
    drawn = mia.drawn()
    assert drawn["message"]["text"] == "Answer is right. Z: undo."
    assert drawn["header"]["left"][0]["text"] == "1 done today"


def test_a_list_sent_again_acts_once(people):
    mia, _ = people
    mia.open("turns")
    serial = mia.sitting.serial
    add = {"type": "act", "act": "fact_add"}
    items = [{"seq": n, "serial": serial, **add, "args": {"text": f"fact {n}"}} for n in (1, 2)]
    for sent in (items[:1], items, items):
        receive(mia.sitting, mia.room, read_letter({"client": "c", "n": 1, "items": sent}))
    assert [f.text for f in mia.sitting.board.draft.facts.required] == ["fact 1", "fact 2"]


def test_ten_verdicts_back_each_returns_its_answer_and_draft(people):
    mia, _ = people
    mia.open("mixup")
    mia.type("notes", "first")
    mia.act("right")
    mia.act("dismiss_not_actionable", reason="Test traffic.")
    drawn = mia.act("undo")
    assert drawn["header"]["left"][0]["text"] == "1 done today"
    drawn = mia.act("undo")
    assert mia.sitting.answer_id == "mixup"
    assert drawn["header"]["left"][0]["text"] == "0 done today"
    assert mia.sitting.board.draft.notes == "first"
    assert mia.act("undo")["message"]["text"] == "There is no verdict of yours to take back."


def test_a_new_case_starts_empty_for_every_answer(people):
    mia, _ = people
    for name in ("mixup", "turns", "long", "bare", "right"):
        case = mia.open(name)["case"]
        assert case["reference"]["value"] == ""
        assert case["facts"]["groups"] == []
        assert case["evidence"]["rows"] == []
        fields = {f["id"]: f for f in case["details"]["fields"]}
        assert fields["notes"]["value"] == fields["other:0"]["value"] == ""


def test_warnings_are_explained_in_their_line(people):
    mia, _ = people
    mia.open("turns")
    mia.act("fact_add", text="A backup is kept for 30 days.")
    mia.pick("evidence", "Backups are written to the second disk.")
    mia.act("fact_add", text="The relay is green.")
    mia.type("reference", "A backup is kept for 30 days. The relay is green. Both hold.")
    drawn = mia.act("propose")
    assert drawn["message"]["text"].startswith("Nothing was proposed: ")
    assert drawn["bar"]["first"]["text"].startswith("△")
    lines = [line for line in drawn["checks"]["lines"] if line["why"]]
    for line in lines:
        drawn = mia.type(line["why"]["id"], "Everyone knows it.")
    assert drawn["bar"]["first"]["text"] == "✓ Ready to propose."
    assert "Proposed as change 0001." in mia.act("propose")["message"]["text"]


def test_proposed_while_frozen(people):
    mia, _ = people
    mia.open("turns")
    mia.pick("required", "A backup is kept for 30 days.")
    mia.type("reference", "A backup is kept for 30 days, on the second disk.")
    freeze(mia.workspace.golden.path)
    mia.open("mixup")
    drawn = mia.open("turns")
    assert drawn["header"]["frozen"] == "Frozen by exp-001: proposing is fine"
    assert mia.act("propose")["message"]["text"] == (
        "Proposed as change 0001. It can be approved now and can be published when exp-001 is "
        "closed."
    )


def freeze(golden):
    """Open an experiment by committing its file, as anyone could."""
    folder = golden / "experiments"
    folder.mkdir(exist_ok=True)
    (folder / "exp-001.json").write_text('{"state": "open", "component": "chunker"}\n')
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    for command in (["add", "experiments"], [*who, "commit", "-qm", "Open exp-001"]):
        subprocess.run(["git", *command], cwd=golden, check=True)


def test_an_edit_fills_every_field_and_shows_what_changed(people):
    mia, rob = people
    mia.open("turns")
    mia.pick("required", "A backup is kept for 30 days.")
    mia.type("reference", "A backup is kept for 30 days, on the second disk.")
    proposed = mia.act("propose")
    assert "Proposed as change 0001." in proposed["message"]["text"]
    changes.approve(rob.workspace, "1", person=ROB, now=NOW)
    publish(rob.workspace, person=ROB, now=NOW)
    mia.open("right")
    drawn = mia.act("duplicate", query="backup kept")
    assert [case["id"] for case in drawn["panel"]["cases"]] == ["q-0001"]
    drawn = mia.act("edit_case", id="q-0001")
    assert drawn["bar"]["buttons"][0]["label"] == "Propose edit"
    assert drawn["case"]["reference"]["value"].startswith("A backup is kept for 30 days")
    drawn = mia.type("reference", "A backup is kept for 30 days.")
    assert drawn["case"]["reference"]["old"] == (
        "was: A backup is kept for 30 days, on the second disk."
    )
    drawn = mia.act("fact_move", id="f1", kind="optional")
    (group,) = drawn["case"]["facts"]["groups"]
    assert group["rows"][0]["field"]["old"] == 'was "must"'
    drawn = mia.act("undo")
    refused = mia.act("propose")["message"]
    assert refused == {
        "text": "An edit of a case needs a word of why. Write one.",
        "kind": "refused",
    }
    mia.type("reason", "Shorter says it all.")
    assert "Proposed as change 0002." in mia.act("propose")["message"]["text"]


def test_use_as_evidence_takes_the_most_telling_sentence_and_switches_off(people):
    mia, _ = people
    mia.open("turns")
    mia.act("use_evidence", block="c0")
    assert [e.quote for e in mia.sitting.board.draft.evidence] == ["A backup is kept for 30 days."]
    mia.act("use_evidence", block="c0")
    assert mia.sitting.board.draft.evidence == ()


def test_private_data_is_redacted_by_one_key(people):
    mia, _ = people
    mia.open("turns")
    drawn = mia.type("notes", "ask kim@example.org")
    line = next(line for line in drawn["checks"]["lines"] if "notes" in line["text"])
    assert line["repair"]["label"] == "Redact"
    drawn = mia.act(line["repair"]["act"], **line["repair"]["args"])
    assert mia.sitting.board.draft.notes == "ask [redacted]"
    fields = {f["id"]: f for f in drawn["case"]["details"]["fields"]}
    assert fields["notes"]["rev"] == 1


def test_the_weight_is_a_number(people):
    mia, _ = people
    mia.open("turns")
    drawn = mia.type("weight", "many")
    fields = {f["id"]: f for f in drawn["case"]["details"]["fields"]}
    assert fields["weight"]["note"] == "The weight is a number above 0, at most 100."
    assert mia.act("right")["message"]["text"].startswith("Nothing was done: The weight is")
    mia.type("weight", "3")
    assert mia.sitting.board.draft.weight == 3


def test_declines_and_readings_are_lines(people):
    mia, _ = people
    mia.open("turns")
    mia.act("answer_part")
    mia.type("declines", "the price\n\nthe date\n")
    first = {d.text: d.id for d in mia.sitting.board.draft.declines}
    assert list(first) == ["the price", "the date"]
    mia.type("declines", "the price in euros\nthe date")
    assert [(d.text, d.id) for d in mia.sitting.board.draft.declines] == [
        ("the price in euros", first["the price"]),
        ("the date", first["the date"]),
    ]
    mia.act("answer_unclear")
    mia.type("readings", " first \nsecond")
    assert mia.sitting.board.draft.readings == ("first", "second")


def test_what_is_not_saved_is_said_and_stays_until_it_is(people):
    mia, _ = people
    mia.open("turns")
    database = mia.workspace.settings.database_path
    rename(database, "draft_field", "elsewhere")
    drawn = mia.type("reference", "my words")
    said = text_of(drawn["notice"])
    assert said.startswith("Not saved: ")
    assert said.endswith("Your text is still here.")
    assert drawn["header"]["right"][-1] == {"text": "Not saved", "kind": "bad"}
    assert drawn["case"]["reference"]["value"] == "my words"
    assert mia.act("right")["message"] is None or mia.sitting.answer_id == "turns"
    rename(database, "elsewhere", "draft_field")
    drawn = mia.act("save_again")
    assert drawn["notice"] is None
    assert mia.open("turns")["case"]["reference"]["value"] == "my words"


def rename(database, old, new):
    """Break the store, or mend it."""
    with sqlite3.connect(database) as connection:
        connection.execute(f"ALTER TABLE {old} RENAME TO {new}")
    connection.close()
