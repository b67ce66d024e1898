"""The sample on the queue page: what its form reads, and what it says."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from curation.domain.sample import SampleRequest
from curation.services import sampling
from curation.services.intake import ingest
from curation.ui.queue_sample import (
    SampleFieldError,
    actions,
    draw_sample,
    nothing_free,
    read_request,
)
from curation.ui.tree import words
from tests.services.home import MIA, NOW, log, record, workspace

GOOD = {"sample.n": "50", "sample.control": "10", "sample.double": "20", "sample.seed": "7"}


def test_the_form_reads_as_the_command_does() -> None:
    assert read_request(GOOD) == SampleRequest(n=50, seed=7, control=0.1, double=0.2)


def test_its_days_are_those_of_the_reader() -> None:
    asked = {**GOOD, "sample.since": "2026-11-01", "sample.until": " 2026-11-30 "}
    drawn = read_request(asked, ZoneInfo("Europe/Berlin"))
    assert drawn.since == datetime(2026, 10, 31, 23, tzinfo=UTC)
    assert drawn.until == datetime(2026, 11, 29, 23, tzinfo=UTC)
    assert read_request({**asked, "sample.since": ""}).since is None


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("sample.n", "", "“How many answers” is a whole number"),
        ("sample.n", "0", "“How many answers” is at least 1"),
        ("sample.n", "²", "“How many answers” is a whole number"),
        ("sample.control", "101", "“Share by chance alone, in %” is between 0 and 100"),
        ("sample.double", "-1", "“Share that two people look at, in %” is a whole number"),
        ("sample.seed", "1e9", "“Seed” is a whole number"),
        (
            "sample.since",
            "1.11.",
            "“Asked from (any day when empty)” is a day such as 2026-11-30",
        ),
    ],
)
def test_a_field_that_is_no_number_in_its_range_is_named(field: str, text: str, said: str) -> None:
    with pytest.raises(SampleFieldError) as refusal:
        read_request({**GOOD, field: text})
    assert str(refusal.value) == f"Nothing was drawn: {said}. Write it and draw again."


def test_a_period_that_ends_before_it_begins_is_refused() -> None:
    asked = {**GOOD, "sample.since": "2026-11-30", "sample.until": "2026-11-30"}
    with pytest.raises(SampleFieldError, match="is after the day from which it is asked"):
        read_request(asked)


def test_the_form_draws_from_its_period_only(tmp_path: Path) -> None:
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    rows = [record(f"a{n}", asked_at=f"2026-11-{n:02d}T10:00:00Z") for n in range(1, 10)]
    ingest(opened, [log(opened.settings.home, *rows)], now=NOW)
    asked = {**GOOD, "sample.since": "2026-11-03", "sample.until": "2026-11-05"}
    drawn = sampling.draw(opened, MIA, read_request(asked), now=NOW)
    assert sorted(sampling.served_order(opened, drawn)) == ["a3", "a4"]
    shown = " ".join(words(part) for part in draw_sample(opened) if part)
    assert "Asked from" in shown
    assert "Asked before" in shown
    opened.store.dispose()


def test_the_page_tells_no_item_and_no_arm(tmp_path: Path) -> None:
    opened = workspace(tmp_path)
    opened.settings.home.mkdir(exist_ok=True)
    rows = [record(f"a{n}", scores=[{"metric": "f", "value": n / 10}]) for n in range(10)]
    ingest(opened, [log(opened.settings.home, *rows)], now=NOW)
    assert "No sample was drawn yet." in " ".join(words(part) for part in draw_sample(opened))
    assert nothing_free(opened).endswith("no sample was drawn yet. Ctrl+Enter draws one.")
    drawn = sampling.draw(opened, MIA, SampleRequest(n=4, control=0.5), now=NOW)
    said = " ".join(words(part) for part in draw_sample(opened) if part)
    assert "Sample 1: 0 of 4 finished, 0 skipped, 0 not actionable." in said
    assert "Not yet: an estimate is given when 80 % are finished." in said
    assert not [answer for answer in sampling.served_order(opened, drawn) if answer in said]
    assert "nothing of the sample is free" in nothing_free(opened)
    assert [action.act for action in actions()] == ["next", "draw", "clear"]
    opened.store.dispose()
