"""Two workers at once on one run, over PostgreSQL: nothing is asked, paid or scored twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from curation.config import JudgeSettings
from curation.services.intake import ingest
from curation.services.judge_report import report_of
from curation.services.judging import JudgeOptions, judge_client, prepare, real_means, work
from curation.store.schema import SCORE
from tests.judge.judged_home import record
from tests.judge.model_server import serving
from tests.postgres import new_database
from tests.services.home import NOW, log, workspace

ANSWERS = 10


@pytest.mark.postgres
def test_two_workers_share_a_run(tmp_path, postgres_server):
    home = workspace(tmp_path, database=new_database(postgres_server))
    lines = [record(number) for number in range(ANSWERS)]
    assert ingest(home, [log(tmp_path, *lines)], now=NOW).refused == 0
    with serving(delay=0.01) as server:
        settings = JudgeSettings(
            provider="openai", model="m", base_url=server.url, input_price=1, output_price=10
        )

        def worker(_):
            with judge_client(settings) as client:
                now = datetime.now(UTC)
                prepared = prepare(home, settings, JudgeOptions(limit=None), now=now)
                work(home, prepared, real_means(client), concurrency=2)
            return prepared.run.id

        with ThreadPoolExecutor(2) as pool:
            runs = set(pool.map(worker, range(2)))
        asked = len(server.asked)
    last = [report_of(home, run) for run in runs]
    with home.store.reading() as session:
        rows = session.connection().execute(
            select(SCORE.c.answer_id, SCORE.c.metric, SCORE.c.chunk_id)
        )
        scores = Counter(tuple(row) for row in rows)
    home.store.dispose()
    assert asked == ANSWERS * 5 == sum(scores.values())
    assert set(scores.values()) == {1}
    assert sum(report.judged for report in last) == ANSWERS
    assert all(report.left == 0 for report in last)
    cost = sum(report.spent.cost or 0 for report in last)
    assert cost == pytest.approx(asked * (100 * 1 + 10 * 10) / 1e6)
