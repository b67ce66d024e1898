"""A published judge against the people who rated the same answers: it hands out good marks."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curation.metrics.agreement_verdict import Belief
from curation.services.agreement import AgreementQuery, judge_reports
from curation.services.intake import ingest
from tests.services.home import workspace

LOG = Path(__file__).resolve().parents[3] / "shared" / "data" / "answers.jsonl.gz"
pytestmark = pytest.mark.skipif(not LOG.is_file(), reason="the shared data is not here")


def test_the_published_judge_misses_most_of_what_people_call_bad(tmp_path: Path) -> None:
    with gzip.open(LOG, "rt", encoding="utf-8", newline="\n") as lines:
        rated = [line for line in lines if line.startswith('{"id": "mtrag:')]
    log = tmp_path / "mtrag.jsonl"
    log.write_text("".join(rated), encoding="utf-8", newline="\n")
    desk = workspace(tmp_path, agreement={"compare": {"mtrag.rl_f": "faithfulness"}})
    ingest(desk, [log], now=datetime.now(UTC))
    (judge,) = judge_reports(desk, AgreementQuery(metric="mtrag.rb_llm", below=0.6))
    (support,) = judge_reports(desk, AgreementQuery(metric="mtrag.rl_f"))
    desk.store.dispose()

    assert (judge.against, judge.figures.n) == ("verdict", 372)
    assert judge.verdict.belief is Belief.GENEROUS
    assert (judge.figures.clear.good_for_bad.hits, judge.figures.clear.bad) == (28, 61)
    not_good = judge.figures.not_good
    assert (not_good.recall.hits, not_good.recall.n, not_good.precision.n) == (17, 154, 21)
    assert support.people.items == 372
    assert len(support.ties) == 37
    assert support.people.ordinal == pytest.approx(0.477, abs=0.001)
