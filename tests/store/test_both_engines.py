"""A whole log, reviewed by the same steps, reads the same on SQLite and on PostgreSQL."""

import json
import random
import subprocess
import sys
from datetime import timedelta

import pytest

from curation.domain.queue import MetricBelow, QueueFilter, QueueState
from curation.domain.review import Verdict
from curation.services.corpus import add_chunks, search_corpus
from curation.services.intake import ingest
from curation.services.triage import filter_choices, list_queue, next_answer
from curation.store.answers import load_answers
from curation.store.chunks import get_chunk, same_passage
from tests.services.home import MIA, NOW, ROB, log, record, workspace
from tests.store.logs import finish, how_many

pytestmark = pytest.mark.postgres

KINDS = ["thumbs_up", "thumbs_down", "correction", "follow_up"]
FILTERS = [
    {"state": state, **more}
    for state in QueueState
    for more in (
        {},
        {"slice": "x"},
        {"signal": "correction"},
        {"pipeline_version": "p1"},
        {"words": "question 3"},
        {"metric_below": MetricBelow(metric="m", value=0.5)},
        {"metric_below": MetricBelow(metric="down", value=0.5), "slice": "y"},
    )
]


def records(number):
    dice = random.Random(5)
    for n in range(number):
        scores = [
            {"metric": "m", "value": dice.random(), "scale": [0, 1]},
            {"metric": "down", "value": dice.random(), "scale": [1, 0]},
        ]
        yield record(
            f"a{n}",
            question=f"Question {dice.randrange(40)}, Ünïcode?",
            answer=f"Text {dice.randrange(2)}",
            asked_at=f"2026-{dice.randrange(9, 12):02}-{dice.randrange(1, 29):02}T10:00:00Z",
            slice=dice.choice(["x", "y", None]),
            pipeline_version=dice.choice(["p1", "p2"]),
            scores=scores,
            signals=[{"kind": kind} for kind in KINDS if dice.random() < 0.15],
            retrieved=[{"chunk_id": "c", "doc_version": "1", "text": f"{n % 7}"}],
            user_id=f"u{dice.randrange(9)}",
            metadata={"n": n},
        )


@pytest.fixture
def two_homes(tmp_path, postgres_database):
    homes = [
        workspace(tmp_path / "sqlite"),
        workspace(tmp_path / "postgres", database=postgres_database),
    ]
    yield homes
    for home in homes:
        home.store.dispose()


def test_the_queue_is_the_same_through_every_step(two_homes, tmp_path):
    path = log(tmp_path, *records(200))
    verdicts = [Verdict.PROPOSED, Verdict.RIGHT, Verdict.NOT_ACTIONABLE]

    def everything(home, now):
        pages = [
            list_queue(home, MIA, QueueFilter.model_validate(filters), now=now, show_judge=True)
            for filters in FILTERS
        ]
        return [page.model_dump() for page in pages], filter_choices(home)

    seen = []
    for home in two_homes:
        assert ingest(home, [path], now=NOW).stored == 200
        assert ingest(home, [path], now=NOW).unchanged == 200
        steps = [everything(home, NOW)]
        for person in (MIA, ROB):
            served = [next_answer(home, person, QueueFilter(), now=NOW) for _ in range(6)]
            assert None not in served
            for name, verdict in zip(served, verdicts, strict=False):
                finish(home.store, str(name), verdict, person=person)
            steps += [served, everything(home, NOW), everything(home, NOW + timedelta(hours=1))]
        with home.store.reading() as session:
            steps.append(load_answers(session, [f"a{n}" for n in range(200)]))
        seen.append(steps)
    assert seen[0] == seen[1]


def test_an_update_reads_the_same(two_homes, tmp_path):
    whole = list(records(60))
    first = log(tmp_path, *whole)
    newer = [
        {**row, "scores": [], "signals": [{"kind": "correction"}], "slice": "z"} for row in whole
    ]
    second = log(tmp_path, *newer[:30], {**newer[31], "answer": "other"}, name="2.jsonl")
    seen = []
    for home in two_homes:
        ingest(home, [first], now=NOW)
        summary = ingest(home, [second], now=NOW)
        assert (summary.updated + summary.unchanged, summary.refused) == (30, 1)
        page = list_queue(home, None, QueueFilter(), now=NOW)
        with home.store.reading() as session:
            seen.append((page, summary.updated, load_answers(session, ["a1", "a45"])))
    assert seen[0] == seen[1]


def test_the_corpus_is_the_same(two_homes, tmp_path):
    chunks = [
        {
            "chunk_id": f"v{version}:c{n}",
            "doc_id": f"v{version}:d",
            "doc_version": version,
            "text": f"t{n}",
        }
        for version in ("1", "2")
        for n in range(50)
    ]
    path = log(tmp_path, *chunks, name="chunks.jsonl")
    seen = []
    for home in two_homes:
        assert add_chunks(home, [path], now=NOW).stored == 100
        assert add_chunks(home, [path], now=NOW).unchanged == 100
        found = [hit.chunk for hit in search_corpus(home, "t7", doc_version="2")]
        with home.store.reading() as session:
            chunk = get_chunk(session, "v1:c7", "1")
            assert chunk is not None
            seen.append((found, same_passage(session, chunk)))
    assert seen[0] == seen[1]
    assert [chunk.chunk_id for chunk in seen[0][1]] == ["v2:c7"]


RUN = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from curation.config import Settings
from curation.services.intake import ingest
from curation.services.workspace import open_workspace
home = open_workspace(Settings(home=Path(sys.argv[1]), database=sys.argv[2]))
ingest(home, [Path(sys.argv[3])], now=datetime.now(UTC))
"""


def test_two_imports_at_once_store_every_answer_once(two_homes, tmp_path):
    home = two_homes[1]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in records(1500)))
    args = [sys.executable, "-c", RUN, str(home.settings.home), home.settings.database, str(path)]
    running = [subprocess.Popen(args) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    with home.store.reading() as session:
        assert how_many(session, "answer") == 1500
    assert ingest(home, [path], now=NOW).unchanged == 1500
