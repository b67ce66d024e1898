"""Finished questions that come back in a later version of the pipeline."""

from datetime import timedelta

import pytest

from curation.domain.case import Case
from curation.domain.review import Review, Verdict
from curation.services import regressions
from curation.services.intake import ingest
from curation.services.triage import QueueFilter, list_queue
from curation.store.reviews import cover_group, record_review, undo_review
from tests.services.home import MIA, NOW, log, record, workspace

DOWN = [{"kind": "thumbs_down"}]
CASE = Case.model_validate(
    {
        "id": "q-0001",
        "question": "What is the timeout?",
        "reference": "30 s",
        "facts": {"required": [{"id": "f1", "text": "30 s"}]},
    }
)


@pytest.fixture
def home(tmp_path):
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    yield opened
    opened.store.dispose()


def bring(home, *records, days=0):
    file = log(home.settings.home, *records, name=f"{days}.jsonl")
    assert ingest(home, [file], now=NOW + timedelta(days=days)).refused == 0


def asked(name, version, **fields):
    given = {"question": "What is the timeout?", "pipeline_version": version}
    return record(name, **given | fields)


def finish(home, name, verdict=Verdict.RIGHT, case=None):
    review = Review(
        answer_id=name,
        person=MIA,
        verdict=verdict,
        reason="r",
        at=NOW,
        blind=True,
        duplicate_of=case,
    )
    with home.store.writing() as session:
        record_review(session, review)
        cover_group(session, review)


def rows(home, **options):
    page = list_queue(home, MIA, QueueFilter(), now=NOW, **options)
    counts = page.counts
    states = (counts.open, counts.held, counts.done, counts.dismissed, counts.covered)
    assert sum(states) == counts.all
    return {row.answer_id: row.reasons for row in page.rows}


def worse(home):
    """A question of its own that is worth more than any regression would be by itself."""
    return record("z", signals=[{"kind": k} for k in ("correction", "escalation", "thumbs_down")])


def test_a_complaint_in_a_later_version_stands_on_top(home):
    bring(home, asked("a", "v1"), worse(home))
    finish(home, "a")
    assert list(rows(home)) == ["z"]
    bring(home, asked("b", "v2", signals=DOWN), days=1)
    assert next(iter(rows(home).items())) == ("b", ("regression", "thumbs down"))
    shown = list_queue(home, MIA, QueueFilter(), now=NOW, show_judge=True).rows[0]
    assert shown.priority == 6.0  # asked twice, and never the number that puts it on top


@pytest.mark.parametrize(
    ("version", "signals"), [("v1", DOWN), ("v2", []), ("v2", [{"kind": "thumbs_up"}])]
)
def test_the_same_version_or_no_complaint_is_no_regression(home, version, signals):
    bring(home, asked("a", "v1"), worse(home))
    finish(home, "a")
    bring(home, asked("b", version, signals=signals, answer="Another."), days=1)
    found = rows(home)
    assert next(iter(found)) == "z"
    assert all("regression" not in reasons for reasons in found.values())


def test_a_version_that_was_known_before_is_not_later(home):
    bring(home, asked("o", "v2", question="Other?"), days=0)
    bring(home, asked("a", "v3"), days=1)
    finish(home, "a")
    bring(home, asked("b", "v2", signals=DOWN), days=2)
    assert all("regression" not in reasons for reasons in rows(home).values())


@pytest.mark.parametrize(("text", "back"), [("It is 60 s.", True), ("It is 30 s.", False)])
def test_with_a_case_the_case_decides_and_not_the_complaint(home, monkeypatch, text, back):
    monkeypatch.setattr(regressions, "_cases", lambda _workspace: {"q-0001": CASE})
    bring(home, asked("a", "v1"), worse(home))
    finish(home, "a", Verdict.DUPLICATE, case="q-0001")
    signals = [] if back else DOWN
    bring(home, asked("b", "v2", answer=text, signals=signals), days=1)
    assert ("regression" in rows(home)["b"]) is back


def test_it_leaves_the_top_with_its_verdict_and_returns_when_that_is_taken_back(home):
    bring(home, asked("a", "v1"), worse(home), asked("c", None))
    finish(home, "a")
    bring(home, asked("b", "v2", signals=DOWN), days=1)
    finish(home, "b")
    found = rows(home)
    assert next(iter(found)) == "z"
    assert all("regression" not in reasons for reasons in found.values())
    with home.store.writing() as session:
        undo_review(session, "b", MIA)
    assert "regression" in next(iter(rows(home).values()))
