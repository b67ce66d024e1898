"""The whole loop on the command line: from a flagged answer to a published case."""

import subprocess

from tests.cli.world import ANA, CASE, MIA, ROB


def test_from_a_flagged_answer_to_a_published_case(logged):
    queue = logged.json("queue", "list", "--limit", "10")
    assert queue["counts"] == {
        "open": 3,
        "held": 0,
        "done": 0,
        "dismissed": 0,
        "covered": 0,
        "all": 3,
    }
    first = queue["items"][0]["answer_id"]
    assert queue["items"][0]["reasons"][0] == "correction"

    shown = logged.json("review", "show", first)
    assert shown["suggested_failure"]["category"] is None or shown["draft"] is None

    done = logged.json(
        "review",
        "finish",
        first,
        "--case",
        logged.file("case.json", CASE),
        "--reason",
        "The 3.9 value was given.",
        "--as",
        MIA,
    )
    assert done["case_id"] == "q-0001"
    assert not [f for f in done["findings"] if f["level"] == "error"]

    own = logged.json("change", "approve", done["change_id"], "--as", MIA, status=1)
    assert own["error"] == "You wrote this change, so someone else approves it."
    approved = logged.json("change", "approve", done["change_id"], "--as", ROB)
    assert approved["state"] == "approved"
    assert [a["person"] for a in approved["approvals"]] == [ROB]

    published = logged.json("publish", "--as", ANA)
    assert published["version"] == "golden/v2"
    assert [p["case_id"] for p in published["published"]] == ["q-0001"]
    assert published["waiting"] == published["conflicts"] == []

    assert [v["version"] for v in logged.json("golden", "versions")["versions"]] == [
        "golden/v1",
        "golden/v2",
    ]
    assert f"1 case · 1 change · {published['commit'][:12]} · published by {ANA}" in logged.run(
        "golden", "versions"
    )
    diff = logged.json("golden", "diff", "golden/v1", "golden/v2")
    assert diff["added"] == ["q-0001"]
    assert diff["edited"] == diff["retired"] == diff["restored"] == diff["policy"] == []
    counts = logged.json("queue", "list")["counts"]
    assert counts["done"] == 1
    assert counts["open"] == 2


def test_the_commit_says_who_why_and_from_what(logged):
    _publish_one(logged)
    golden = logged.home / "golden"
    message = _git(golden, "log", "-1", "--format=%an <%ae>%n%cn%n%B", "golden/v2^{commit}^")
    assert message.startswith("Mia Kim <mia@example.org>\nAna Ruiz\nAdd case q-0001: What is")
    for trailer in (
        "Case: q-0001",
        "Change: add",
        "Base-Blob: none",
        "Source-Answer: a-",
        "Failure: context_recall",
        f"Reviewed-by: {ROB}",
    ):
        assert trailer in message
    assert logged.json("golden", "audit")["findings"] == []


def test_history_and_blame_name_the_writer_the_approver_and_the_answer(logged):
    answer_id = _publish_one(logged)
    event = logged.json("case", "history", "q-0001")["events"][0]
    assert (event["author"], event["approvers"], event["version"]) == (MIA, [ROB], "golden/v2")
    facts = {f["kind"]: f for f in logged.json("case", "blame", "q-0001")["facts"]}
    assert facts["required"]["text"] == "60 s"
    assert facts["forbidden"]["answer_id"] == answer_id
    # For people too: two of one name are told apart, and the commit says where it can be proved.
    whole = f"{MIA}, approved by {ROB} · answer {answer_id}"
    assert f"{whole} · {event['commit'][:12]}" in logged.run("case", "blame", "q-0001")
    told = f"add · {whole} (context_recall) · {event['commit'][:12]}"
    assert told in logged.run("case", "history", "q-0001")


def test_a_case_that_the_logged_answer_passes_is_refused_and_changes_nothing(logged):
    seen = {**CASE["evidence"][0], "doc_version": "3.9", "quote": "default: 30 s"}
    weak = {
        **CASE,
        "facts": {"required": ["30 s"]},
        "evidence": [seen],
        "reference": "It is 30 s, says the guide.",
    }
    refused = logged.json(
        "review",
        "finish",
        "a-1",
        "--case",
        logged.file("weak.json", weak),
        "--reason",
        "x",
        "--as",
        MIA,
        status=1,
    )
    assert refused["change_id"] is None
    assert "red_passes" in {f["check"] for f in refused["findings"] if f["level"] == "error"}
    assert logged.json("change", "list")["changes"] == []
    assert logged.json("queue", "list")["counts"]["done"] == 0


def test_dismissals(logged):
    right = logged.json("review", "finish", "a-1", "--dismiss", "right", "--as", MIA)
    assert right["verdict"] == "right"
    no_word = logged.json(
        "review", "finish", "a-2", "--dismiss", "not-actionable", "--as", MIA, status=1
    )
    assert "word of why" in no_word["error"]
    logged.run(
        "review",
        "finish",
        "a-2",
        "--dismiss",
        "not-actionable",
        "--reason",
        "test traffic",
        "--as",
        MIA,
    )
    assert logged.json("queue", "list")["counts"] == {
        "open": 1,
        "held": 0,
        "done": 0,
        "dismissed": 2,
        "covered": 0,
        "all": 3,
    }


def test_an_edit_a_retirement_and_a_restoration_are_versions(logged):
    _publish_one(logged)
    case = logged.json("case", "show", "q-0001")
    edited = {**case, "notes": "Seen twice."}
    change = logged.json(
        "change",
        "propose",
        "--case",
        logged.file("edit.json", edited),
        "--reason",
        "a note",
        "--as",
        MIA,
    )
    _approve_and_publish(logged, change["change_id"])
    retire = logged.json(
        "change",
        "propose",
        "--retire",
        "q-0001",
        "--why-retired",
        "outdated",
        "--reason",
        "gone in v5",
        "--as",
        MIA,
    )
    _approve_and_publish(logged, retire["change_id"])
    restore = logged.json(
        "change", "propose", "--restore", "q-0001", "--reason", "back again", "--as", MIA
    )
    _approve_and_publish(logged, restore["change_id"])
    diff = logged.json("golden", "diff", "golden/v2", "golden/v3")
    assert diff["edited"][0]["fields"] == ["notes"]
    assert logged.json("golden", "diff", "golden/v3", "golden/v4")["retired"] == ["q-0001"]
    assert logged.json("golden", "diff", "golden/v4", "golden/v5")["restored"] == ["q-0001"]
    assert logged.json("golden", "audit")["findings"] == []


def test_a_case_changed_underneath_is_a_conflict_and_resolved_by_a_patch_set(logged):
    _publish_one(logged)
    case = logged.json("case", "show", "q-0001")
    ids = []
    for name, notes in (("one", "first"), ("two", "second")):
        file = logged.file(f"{name}.json", {**case, "notes": notes})
        done = logged.json("change", "propose", "--case", file, "--reason", name, "--as", MIA)
        ids.append(done["change_id"])
        logged.run("change", "approve", done["change_id"], "--as", ROB)
    published = logged.json("publish", "--as", ANA, status=1)
    assert [p["change_id"] for p in published["published"]] == ids[:1]
    assert [c["change_id"] for c in published["conflicts"]] == ids[1:]
    assert logged.json("case", "show", "q-0001")["notes"] == "first"
    again = logged.json(
        "change",
        "revise",
        ids[1],
        "--case",
        logged.file("both.json", {**case, "notes": "first, second"}),
        "--reason",
        "both",
        "--as",
        MIA,
    )
    assert again["patch_set"] == 2
    _approve_and_publish(logged, ids[1])
    assert logged.json("case", "show", "q-0001")["notes"] == "first, second"


def test_facts_are_matched_from_a_file(logged):
    pairs = [
        {"fact": "default 10000", "text": "The default is 100000."},
        {"fact": "4,000 users", "text": "There are 4000 users."},
    ]
    found = logged.json("fact", "match", logged.file("pairs.jsonl", pairs))["pairs"]
    assert [p["verdict"] for p in found] == ["absent", "present"]


def test_a_frozen_set_publishes_nothing_and_says_why(logged):
    done = logged.json(
        "review",
        "finish",
        "a-1",
        "--case",
        logged.file("case.json", CASE),
        "--reason",
        "x",
        "--as",
        MIA,
    )
    logged.run("change", "approve", done["change_id"], "--as", ROB)
    golden = logged.home / "golden"
    (golden / "experiments").mkdir(exist_ok=True)
    (golden / "experiments" / "exp-001.json").write_text(
        '{"id": "exp-001", "state": "open", "component": "chunker", '
        '"opened_by": "Ana Ruiz <ana@example.org>", "opened_at": "2026-11-26T14:02:00+00:00", '
        '"version": "golden/v1"}\n'
    )
    _git(golden, "add", "experiments")
    _git(
        golden,
        "-c",
        "user.name=Ana Ruiz",
        "-c",
        "user.email=ana@example.org",
        "commit",
        "-q",
        "-m",
        "Open exp-001",
    )
    frozen = logged.json("publish", "--as", ANA, status=1)
    assert frozen["version"] is None
    assert [w["change_id"] for w in frozen["waiting"]] == [done["change_id"]]
    assert frozen["open_experiments"][0]["experiment_id"] == "exp-001"
    said = logged.run("publish", "--as", ANA, status=1)
    assert "exp-001, opened by Ana Ruiz on 26 Nov, measures golden/v1. 1 change waits." in said


def _publish_one(line) -> str:
    """Publish the case of the first answer; return that answer's id."""
    first = line.json("queue", "list")["items"][0]["answer_id"]
    done = line.json(
        "review",
        "finish",
        first,
        "--case",
        line.file("case.json", CASE),
        "--reason",
        "The 3.9 value was given.",
        "--as",
        MIA,
    )
    _approve_and_publish(line, done["change_id"])
    return str(first)


def _approve_and_publish(line, change_id: str) -> None:
    line.run("change", "approve", change_id, "--as", ROB)
    line.run("publish", "--as", ANA)


def _git(folder, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout
