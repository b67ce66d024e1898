"""Evidence that stays true on the command line: checked, re-anchored in a batch, renewed."""

import pytest

from tests.cli.world import ANA, CASE, CHUNKS, MIA, ROB

OPEN_CASE = CASE | {"question": "What is the idle timeout of the relay?", "question_type": "value"}


@pytest.fixture
def guarded(logged):
    """A home with one published case that does not name its version."""
    done = logged.json(
        "change", "propose", "--case", logged.file("case.json", OPEN_CASE),
        "--reason", "Asked often.", "--as", MIA,
    )  # fmt: skip
    logged.json("change", "approve", done["change_id"], "--as", ROB)
    assert logged.json("publish", "--as", ANA)["version"] == "golden/v2"
    return logged


def chunk(text, chunk_id="guide#timeout", version="4.2"):
    return CHUNKS[1] | {"text": text, "chunk_id": chunk_id, "doc_version": version}


def bring(home, *chunks, replace=True):
    extra = ["--replace"] if replace else []
    return home.json("corpus", "add", home.file("new.jsonl", list(chunks)), *extra)


def check(home, *options, status=1):
    return home.json("corpus", "check", *options, status=status)


def test_untouched_evidence_is_intact(guarded):
    found = check(guarded, status=0)
    assert found["counts"] == {
        "intact": 1, "moved": 0, "changed": 0, "gone": 0, "superseded": 0,
    }  # fmt: skip
    assert found["items"] == []
    (item,) = check(guarded, "--all", status=0)["items"]
    assert (item["case_id"], item["evidence_id"], item["state"]) == ("q-0001", "e1", "intact")


def test_moved_evidence_is_re_anchored_by_one_act_and_published(guarded):
    text = "Sessions.\n+ default: 60 s\n+ limit: 9 sessions"
    assert bring(guarded, chunk(text, "guide#7"))["removed"] == 1
    found = check(guarded, "--propose", "--as", MIA, "--reason", "Re-chunked.")
    (item,) = found["items"]
    assert (item["state"], item["proposed_chunk_id"]) == ("moved", "guide#7")
    (change,) = found["batch"]["changes"]
    assert found["batch"]["refused"] == []

    batch = found["batch"]["batch_id"]
    (shown,) = guarded.json("change", "show-batch", batch)["changes"]
    assert '+      "chunk_id": "guide#7"' in shown["file_diff"]
    own = guarded.json("change", "approve-batch", batch, "--as", MIA, status=1)
    assert [r["change_id"] for r in own["refused"]] == [change["change_id"]]
    done = guarded.json("change", "approve-batch", batch, "--as", ROB)
    assert [c["state"] for c in done["approved"]] == ["approved"]
    assert guarded.json("publish", "--as", ANA)["version"] == "golden/v3"
    assert check(guarded, status=0)["counts"]["intact"] == 1


def test_a_second_proposal_leaves_the_open_change_alone(guarded):
    bring(guarded, chunk("+ default: 60 s", "guide#7"))
    first = check(guarded, "--propose", "--as", MIA, "--reason", "Re-chunked.")["batch"]
    again = check(guarded, "--propose", "--as", MIA, "--reason", "Re-chunked.")["batch"]
    assert (len(first["changes"]), again["changes"], again["batch_id"]) == (1, [], None)
    number = first["changes"][0]["number"]
    assert again["refused"] == [
        {"case_id": "q-0001", "message": f"Change {number:04d} of it is open."}
    ]


def test_a_proposal_needs_a_reason_and_a_person(guarded):
    bring(guarded, chunk("+ default: 60 s", "guide#7"))
    refused = guarded.json("corpus", "check", "--propose", "--as", MIA, status=1)
    assert refused["error"] == "A batch of edits needs a word of why. Write one."
    assert "error" in guarded.json("corpus", "check", "--propose", status=None)


def test_changed_and_gone_evidence_is_told_with_the_nearest_passage(guarded):
    bring(guarded, chunk("Sessions.\n+ default: 45 s\n+ limit: 9 sessions"))
    (item,) = check(guarded)["items"]
    assert item["state"] == "changed"
    assert item["nearest"]["text"] == "default: 45 s"
    assert "[-60-]{+45+}" in guarded.run("corpus", "check", status=1)
    bring(guarded, chunk("Bears sleep all winter long in dens."))
    assert check(guarded)["items"][0]["state"] == "gone"


def test_a_newer_version_supersedes_and_the_renewal_is_proposed(guarded):
    bring(guarded, chunk(CHUNKS[1]["text"].replace("60 s", "90 s"), version="4.3"))
    (item,) = check(guarded)["items"]
    assert (item["state"], item["newer"]["doc_version"]) == ("superseded", "4.3")

    found = guarded.json(
        "corpus", "outdated", "--propose", "--as", MIA, "--reason", "4.3 is out.", status=1
    )
    (one,) = found["items"]
    assert [(f["old"], f["new"], f["value_of"]) for f in one["facts"]] == [("60 s", "90 s", "4.2")]
    facts = one["proposed"]["facts"]
    assert [f["text"] for f in facts["required"]] == ["90 s"]
    assert [(f["text"], f["value_of"]) for f in facts["forbidden"]] == [
        ("30 s", "3.9"),
        ("60 s", "4.2"),
    ]
    assert one["proposed"]["evidence"][0]["quote"] == "default: 90 s"
    assert one["proposed"]["evidence"][0]["doc_version"] == "4.3"
    assert found["batch"]["refused"] == []

    guarded.json("change", "approve-batch", found["batch"]["batch_id"], "--as", ROB)
    assert guarded.json("publish", "--as", ANA)["version"] == "golden/v3"
    case = guarded.json("case", "show", "q-0001")
    assert case["doc_version"] == "4.3"
    assert check(guarded, status=0)["counts"]["intact"] == 1
    assert guarded.json("corpus", "outdated")["items"] == []


def test_a_question_that_names_the_older_version_stays_right(logged):
    asks = CASE | {"question": "What is the idle timeout of the relay in v4.2?"}
    done = logged.json(
        "change", "propose", "--case", logged.file("case.json", asks), "--reason", "r", "--as", MIA
    )
    logged.json("change", "approve", done["change_id"], "--as", ROB)
    logged.json("publish", "--as", ANA)
    bring(logged, chunk(CHUNKS[1]["text"].replace("60 s", "90 s"), version="4.3"))
    (item,) = check(logged, status=0)["items"]
    assert (item["state"], item["asked_for"]) == ("superseded", True)
    found = logged.json("corpus", "outdated")
    assert found["counts"] == {"outdated": 0, "asked_for": 1}
    assert len(logged.json("corpus", "outdated", "--all")["items"]) == 1


def test_replacing_removes_only_the_chunks_of_the_same_document_and_version(logged):
    summary = bring(logged, chunk("Other words.", "guide#9"))
    assert summary["removed"] == 1
    hits = logged.json("corpus", "search", "default limit")["hits"]
    assert [(h["chunk_id"], h["doc_version"]) for h in hits] == [("guide#timeout", "3.9")]
