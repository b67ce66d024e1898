"""Samples: what is drawn, how far it is, and what it says of the answers nobody looked at."""

import pytest

from curation.domain.queue import QueueFilter
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest
from curation.errors import CurationError
from curation.services import sampling, triage
from curation.services.intake import ingest
from curation.services.sample_words import estimate_lines
from curation.services.verdicts import Dismissal, dismiss, skip
from curation.store.sampled_reviews import drawn_with
from tests.services.home import MIA, NOW, ROB, log, record, workspace


@pytest.fixture
def home(tmp_path):
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    rows = [
        record(
            f"a{n:02}",
            asked_at=f"2026-11-{1 + n % 20:02}T00:00:00Z",
            signals=[{"kind": "thumbs_down"}] if n % 4 == 0 else [],
        )
        for n in range(40)
    ]
    assert ingest(opened, [log(opened.settings.home, *rows)], now=NOW).refused == 0
    yield opened
    opened.store.dispose()


def right(home, answer_id, person=MIA, verdict=Verdict.RIGHT):
    dismiss(home, person, answer_id, Dismissal(verdict=verdict, reason="r"), now=NOW)


def test_a_sample_is_stored_with_its_probabilities_and_the_same_seed_draws_the_same(home):
    asked = SampleRequest(n=20, seed=7, control=0.2)
    first = sampling.draw(home, MIA, asked, now=NOW)
    assert (first.id, first.frame, first.control, first.targeted) == (1, 40, 4, 16)
    again = sampling.draw(home, ROB, asked, now=NOW)
    order = sampling.served_order(home, first)
    assert sampling.served_order(home, again) == order
    newest = sampling.estimate(home).sample
    assert newest.id == again.id == 2
    with home.store.reading() as session:
        pi = drawn_with(session)
    assert set(pi) == set(order)
    assert sum(p == 1 for p in pi.values()) >= 4
    assert all(0 < p <= 1 for p in pi.values())


def test_only_unreviewed_answers_of_the_period_are_in_the_frame(home):
    right(home, "a00")
    whole = sampling.draw(home, MIA, SampleRequest(n=5), now=NOW)
    assert whole.frame == 39
    day = SampleRequest(n=5, since=NOW.replace(day=3, hour=0), until=NOW.replace(day=5, hour=0))
    assert sampling.draw(home, MIA, day, now=NOW).frame == 4
    late = SampleRequest(n=5, since=NOW.replace(day=29))
    with pytest.raises(CurationError, match="Nothing was drawn"):
        sampling.draw(home, MIA, late, now=NOW)


def test_nothing_is_estimated_before_four_fifths_are_finished(home):
    sample = sampling.draw(home, MIA, SampleRequest(n=10, seed=3, control=0.5), now=NOW)
    order = sampling.served_order(home, sample)
    for answer_id in order[:7]:
        right(home, answer_id)
    skip(home, MIA, order[7], now=NOW)
    found = sampling.estimate(home)
    assert (found.progress.finished, found.progress.skipped, found.progress.unfinished) == (7, 1, 2)
    assert (found.control, found.combined) == (None, None)
    right(home, order[7], verdict=Verdict.NOT_ACTIONABLE)
    right(home, order[8])
    right(home, order[9])
    found = sampling.estimate(home, sample.id)
    assert found.progress.finished == 10
    assert found.control is not None
    assert found.control.value == 0
    assert found.combined is not None
    assert found.combined.silent == 1
    with pytest.raises(CurationError, match="no sample"):
        sampling.estimate(home, 9)


def test_a_sample_without_a_control_share_is_estimated_by_the_targeted_items_alone(home):
    sample = sampling.draw(home, MIA, SampleRequest(n=5, seed=3, control=0), now=NOW)
    for answer_id in sampling.served_order(home, sample):
        right(home, answer_id)
    found = sampling.estimate(home)
    assert found.control is None
    assert found.combined is not None
    assert (found.combined.value, found.combined.n) == (0, 5)
    assert "Control share alone: none was drawn." in estimate_lines(found)


def test_a_sample_is_served_in_its_order_and_what_another_holds_is_passed_over(home):
    drawn = sampling.draw(home, MIA, SampleRequest(n=6, seed=3, control=0.5), now=NOW)
    order = sampling.served_order(home, drawn)
    asked = QueueFilter(sample=True)
    assert triage.next_answer(home, MIA, asked, now=NOW) == order[0]
    assert triage.next_answer(home, ROB, asked, now=NOW) == order[1]
    right(home, order[0])
    skip(home, ROB, order[1], now=NOW)
    assert triage.next_answer(home, ROB, asked, now=NOW) == order[2]
    # Skipped by Rob, so it is free for Mia.
    assert triage.next_answer(home, MIA, asked, now=NOW) == order[1]


def test_a_covered_answer_of_a_sample_is_served_too(tmp_path):
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    same = [record(f"s{n}", question="Who?", answer="Nobody.") for n in range(4)]
    ingest(opened, [log(opened.settings.home, *same)], now=NOW)
    right(opened, "s0")
    sampling.draw(opened, MIA, SampleRequest(n=9, control=1), now=NOW)
    served = {triage.next_answer(opened, MIA, QueueFilter(sample=True), now=NOW) for _ in range(2)}
    assert served <= {"s1", "s2", "s3"}
    assert None not in served
    opened.store.dispose()
