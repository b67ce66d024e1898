"""Holes of the coverage raise the priority of the answers that fill them, and go when filled."""

from pathlib import Path
from typing import Any

import pytest

from curation.domain.queue import QueueFilter, QueueRow
from curation.services import changes, golden_set, intake, publish, triage
from curation.services.cases import CaseFile
from curation.services.corpus import add_chunks
from curation.services.coverage import propose_first
from curation.services.home import create_home
from curation.services.priority import current_weights, rebuild_priorities
from curation.services.workspace import Workspace
from tests.services.home import MIA, NOW, ROB, log, record, workspace

POLICY = """
approvals = 1
question_types = ["value", "why"]
[[documents]]
pattern = "guide*"
category = "operations"
[[documents]]
pattern = "bill*"
category = "billing"
"""


def hits(*doc_ids: str) -> list[dict[str, Any]]:
    return [{"chunk_id": f"{d}#1", "doc_id": d, "rank": n} for n, d in enumerate(doc_ids, 1)]


@pytest.fixture
def home(tmp_path: Path) -> Workspace:
    """A set with two types and two categories and no case, and answers of three cells."""
    opened = workspace(tmp_path)
    create_home(opened.settings, person=MIA, now=NOW)
    policy = log(tmp_path, POLICY, name="golden.toml")
    change = golden_set.propose_policy(opened, policy, person=MIA, reason="Ours.", now=NOW)
    changes.approve(opened, change.id, person=ROB, now=NOW)
    publish.publish(opened, person=ROB, now=NOW)
    answers = log(
        tmp_path,
        record("why", question="Why does the relay stop?", retrieved=hits("guide-a", "bill-a")),
        record("how", question="How do I pay?", retrieved=hits("bill-a")),
        record("none", question="How long is the timeout?"),
        record(
            "value", question="How long is a session?", retrieved=hits("x", "guide-b", "guide-c"),
            signals=[{"kind": "correction", "comment": "No."}],
        ),
    )  # fmt: skip
    intake.ingest(opened, [answers], now=NOW)
    return opened


def rows(opened: Workspace) -> dict[str, QueueRow]:
    found = triage.list_queue(opened, MIA, QueueFilter(), now=NOW)
    return {row.answer_id: row for row in found.rows}


def publish_case(opened: Workspace) -> None:
    """Publish a case of type value on a document of the guide."""
    evidence = {"id": "e1", "chunk_id": "guide-b#1", "doc_id": "guide-b", "quote": "60 s"}
    document = {
        "question": "What is the idle timeout?", "question_type": "value", "reference": "60 s.",
        "answerable": "answerable", "slice": "general", "evidence": [evidence],
        "facts": {"required": [{"id": "f1", "text": "60 s", "evidence": ["e1"]}]},
    }  # fmt: skip
    chunk = {"chunk_id": "guide-b#1", "doc_id": "guide-b", "text": "The timeout is 60 s."}
    add_chunks(opened, [log(opened.settings.home, chunk, name="chunks.jsonl")], now=NOW)
    file = CaseFile(document=document, where="test", reason="Asked often.")
    change, _ = golden_set.propose_case(opened, file, person=MIA, now=NOW)
    changes.approve(opened, change.id, person=ROB, now=NOW)
    assert publish.publish(opened, person=ROB, now=NOW).version == "golden/v3"


def test_what_fills_a_hole_says_so_and_stands_higher(home: Workspace) -> None:
    found = rows(home)
    assert found["why"].reasons == ("score or sample", "fills a hole")
    assert found["value"].reasons == ("correction", "fills a hole")
    assert found["value"].priority == 4 + 1
    assert found["how"].reasons == found["none"].reasons == ("score or sample",)
    assert list(found)[:2] == ["value", "why"]


def test_a_hole_that_a_published_case_fills_raises_nothing_more(home: Workspace) -> None:
    publish_case(home)
    found = rows(home)
    assert found["value"].reasons == ("correction",)
    assert found["value"].priority == 4
    assert found["why"].reasons == ("score or sample", "fills a hole")


def test_new_answers_are_placed_by_the_holes_at_once(home: Workspace, tmp_path: Path) -> None:
    more = record("late", question="Why is a bill late?", retrieved=hits("bill-z"))
    intake.ingest(home, [log(tmp_path, more, name="more.jsonl")], now=NOW)
    assert rows(home)["late"].reasons[-1] == "fills a hole"


def test_documents_are_known_from_the_corpus_where_the_log_names_none(
    home: Workspace, tmp_path: Path
) -> None:
    publish_case(home)
    hit = {"chunk_id": "guide-b#1", "rank": 1}
    more = record("bare", question="Why is the timeout 60 s?", retrieved=[hit])
    intake.ingest(home, [log(tmp_path, more, name="more.jsonl")], now=NOW)
    assert rows(home)["bare"].reasons[-1] == "fills a hole"


def test_a_rebuild_gives_the_same_places(home: Workspace) -> None:
    before = rows(home)
    rebuild_priorities(home)
    assert rows(home) == before


def test_a_home_without_a_golden_set_has_no_holes(tmp_path: Path) -> None:
    bare = workspace(tmp_path)
    intake.ingest(bare, [log(tmp_path, record("a", retrieved=hits("guide-a")))], now=NOW)
    assert current_weights(bare).holes.cells == ()
    assert rows(bare)["a"].reasons == ("score or sample",)


def test_what_to_cover_first_is_one_question_for_each_hole_that_the_log_can_fill(
    home: Workspace,
) -> None:
    first = propose_first(home, 10)
    assert [
        (one.candidate.answer_id, one.candidate.row, one.candidate.column) for one in first
    ] == [
        ("value", "value", "operations"),
        ("why", "why", "operations"),
    ]
    publish_case(home)
    triage.keep_current(home)
    assert [one.candidate.answer_id for one in propose_first(home, 10)] == ["why"]
