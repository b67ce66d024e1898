"""A published case brings back later answers that fail it: reviewed, published, asked again."""

from datetime import timedelta

import pytest

from curation.domain.case import RetireReason
from curation.domain.queue import QueueFilter
from curation.services import changes, golden_set
from curation.services.intake import ingest
from curation.services.publish import publish
from curation.services.triage import list_queue
from tests.cli.world import answer
from tests.services.home import log
from tests.services.review_world import ANA, MIA, NOW, ROB, opened, proposed, revision

WRONG, RIGHT = "The idle timeout is 30 s [1].", "It is 60 s in v4.2."
DOWN = [{"kind": "thumbs_down"}]


@pytest.fixture
def workspace(tmp_path):
    with opened(tmp_path, answers=2) as work:
        yield work


def ask_again(workspace, text, *, name="b-1", version="demo 2", signals=()):
    """The question of `a-1`, answered by a later version of the pipeline."""
    later = answer(1, id=name, answer=text, pipeline_version=version, signals=list(signals))
    file = log(workspace.settings.home, later, name=f"{name}.jsonl")
    days = timedelta(days=int(version.removeprefix("demo ")))
    assert ingest(workspace, [file], now=NOW + days).refused == 0


def publish_now(workspace, change_id):
    changes.approve(workspace, change_id, person=ROB, now=NOW)
    assert publish(workspace, person=ANA, now=NOW).published


def on_top(workspace):
    """The answers of the rows that stand on top as regressions."""
    rows = list_queue(workspace, MIA, QueueFilter(), now=NOW).rows
    back = [row.answer_id for row in rows if "regression" in row.reasons]
    assert back == [row.answer_id for row in rows[: len(back)]]
    return back


@pytest.mark.parametrize(("text", "back"), [(WRONG, True), (RIGHT, False)])
def test_the_case_decides_and_not_the_complaint(workspace, text, back):
    publish_now(workspace, proposed(workspace).change.id)
    ask_again(workspace, text, signals=() if back else DOWN)
    assert on_top(workspace) == (["b-1"] if back else [])


def test_publishing_looks_at_what_was_asked_before(workspace):
    change = proposed(workspace).change
    ask_again(workspace, WRONG)
    assert on_top(workspace) == []
    publish_now(workspace, change.id)
    assert on_top(workspace) == ["b-1"]


def test_an_edit_that_the_answer_passes_takes_it_from_the_top(workspace):
    first = proposed(workspace)
    publish_now(workspace, first.change.id)
    ask_again(workspace, "It is 61 s in v4.2.")
    assert on_top(workspace) == ["b-1"]
    required = [{"id": "f1", "text": "60 s", "any_of": ["61 s"], "evidence": ["e1"]}]
    forbidden = [{"id": "f2", "text": "30 s", "value_of": "3.9"}]
    facts = {"required": required, "forbidden": forbidden}
    edited, _ = golden_set.propose_case(
        workspace, revision(first, facts=facts), person=MIA, now=NOW
    )
    publish_now(workspace, edited.id)
    assert on_top(workspace) == []


def test_what_superseded_a_case_speaks_for_it_and_a_retired_one_for_nothing(workspace):
    first = proposed(workspace)
    second = proposed(workspace, "a-2")
    changes.approve(workspace, second.change.id, person=ROB, now=NOW)
    publish_now(workspace, first.change.id)
    retired = golden_set.propose_retire(
        workspace,
        first.case_id,
        why=RetireReason.DUPLICATE,
        superseded_by=second.case_id,
        reason="The other one asks the same.",
        person=MIA,
        now=NOW,
    )
    publish_now(workspace, retired.id)
    ask_again(workspace, WRONG)
    assert on_top(workspace) == ["b-1"]
    ask_again(workspace, RIGHT, name="c-1", version="demo 3", signals=DOWN)
    assert on_top(workspace) == ["b-1"]
