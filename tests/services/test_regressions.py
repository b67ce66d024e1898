"""Finished questions that come back in a later version of the pipeline."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from curation.domain.queue import QueueFilter
from curation.domain.review import FailureCategory, Verdict
from curation.services.breaks import breaks
from curation.services.intake import ingest
from curation.services.triage import list_queue, next_answer
from curation.store.holes import hole_groups
from curation.store.reviews import undo_review
from curation.store.sampling import read_frame
from curation.store.schema import ANSWER, QUESTION_GROUP
from tests.services.home import MIA, NOW, log, record
from tests.store.logs import finish

DOWN = [{"kind": "thumbs_down"}]
MANY = [{"kind": kind} for kind in ("correction", "escalation", "thumbs_down")]
BAD = {"metric": "m", "value": 0, "scale": [0, 1]}


def bring(home, *records, days=0):
    file = log(home.settings.home, *records, name=f"{days}.jsonl")
    assert ingest(home, [file], now=NOW + timedelta(days=days)).refused == 0


def asked(name, version, **fields):
    given = {"question": "What is the timeout?", "pipeline_version": version}
    return record(name, **given | fields)


def rows(home, **options):
    page = list_queue(home, MIA, QueueFilter(), now=NOW, **options)
    counts = page.counts
    states = (counts.open, counts.held, counts.done, counts.dismissed, counts.covered)
    assert sum(states) == counts.all
    return {row.answer_id: row.reasons for row in page.rows}


def worse(home):
    """A question of its own that is worth more than any regression would be by itself."""
    return record("z", signals=MANY)


def test_a_complaint_in_a_later_version_stands_on_top(home):
    bring(home, asked("a", "v1"), worse(home))
    finish(home.store, "a", Verdict.RIGHT)
    assert list(rows(home)) == ["z"]
    bring(home, asked("b", "v2", signals=DOWN), days=1)
    assert next(iter(rows(home).items())) == ("b", ("regression", "thumbs down"))
    shown = list_queue(home, MIA, QueueFilter(), now=NOW, show_judge=True).rows[0]
    assert shown.priority == 6.0  # asked twice, and never the number that puts it on top


def test_being_on_top_changes_no_number_that_anybody_reads(home):
    bring(home, asked("a", "v1"), worse(home))
    finish(home.store, "a", Verdict.RIGHT)
    bring(home, asked("b", "v2", signals=DOWN), days=1)
    assert next(iter(rows(home))) == "b"
    with home.store.writing() as session:
        found = {one.answer_id: one.impact for one in read_frame(session, since=None, until=None)}
        session.connection().execute(update(QUESTION_GROUP).values(hole=True))
        holes = hole_groups(session, 9)
    assert found == {"b": 3.0, "z": 11.0}  # what a sample's draw is made by
    assert list(holes.values()) == [11.0, 6.0]  # the fullest first: what to cover
    finish(home.store, "b", failure=FailureCategory.FAITHFULNESS)
    assert breaks(home).breaks[0].weight == 6.0


def test_the_row_shows_the_answer_that_regressed_and_not_one_that_looks_worse(home):
    bring(home, asked("a", "v1"), worse(home))
    finish(home.store, "a", Verdict.RIGHT)
    bring(home, asked("b", "v2", signals=DOWN, answer="Yes."), days=1)
    bring(home, asked("c", "v1", scores=[BAD], signals=MANY, answer="No."), days=2)
    with home.store.writing() as session:  # c was asked of the old version, and is open again
        session.connection().execute(update(ANSWER).where(ANSWER.c.id == "c").values(state="open"))
    assert next(iter(rows(home))) == "b"
    assert next_answer(home, MIA, QueueFilter(), now=NOW) == "b"
    assert next(iter(rows(home))) == "c"  # b is held now


@pytest.mark.parametrize(
    ("version", "signals"), [("v1", DOWN), ("v2", []), ("v2", [{"kind": "thumbs_up"}])]
)
def test_the_same_version_or_no_complaint_is_no_regression(home, version, signals):
    bring(home, asked("a", "v1"), worse(home))
    finish(home.store, "a", Verdict.RIGHT)
    bring(home, asked("b", version, signals=signals, answer="Another."), days=1)
    found = rows(home)
    assert next(iter(found)) == "z"
    assert all("regression" not in reasons for reasons in found.values())


def test_a_version_that_was_known_before_is_not_later(home):
    bring(home, asked("o", "v2", question="Other?"), days=0)
    bring(home, asked("a", "v3"), days=1)
    finish(home.store, "a", Verdict.RIGHT)
    bring(home, asked("b", "v2", signals=DOWN), days=2)
    assert all("regression" not in reasons for reasons in rows(home).values())


def test_it_leaves_the_top_with_its_verdict_and_returns_when_that_is_taken_back(home):
    bring(home, asked("a", "v1"), worse(home), asked("c", None))
    finish(home.store, "a", Verdict.RIGHT)
    bring(home, asked("b", "v2", signals=DOWN), days=1)
    finish(home.store, "b", Verdict.RIGHT)
    found = rows(home)
    assert next(iter(found)) == "z"
    assert all("regression" not in reasons for reasons in found.values())
    with home.store.writing() as session:
        undo_review(session, "b", MIA)
    assert "regression" in next(iter(rows(home).values()))
