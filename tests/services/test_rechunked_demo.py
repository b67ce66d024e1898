"""The sample corpus cut anew: no drop in recall is read, and every quote is re-anchored."""

import json
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curation.config import Settings
from curation.domain.chunk import Chunk
from curation.evaluation.run import parse_run
from curation.evaluation.targets import TargetSettings
from curation.metrics.hits import HitRule
from curation.metrics.metric import Metric
from curation.sample.documents import read_chunks
from curation.services import batches, corpus
from curation.services.demo import ANA, ROB, YOU, load_demo
from curation.services.evaluation import Outputs, ScoringOptions, run_target, scored
from curation.services.living import check_evidence
from curation.services.publish import publish
from curation.services.running import RunOptions
from curation.services.targets import python_target
from curation.services.workspace import Workspace, open_workspace
from curation.services.yardstick import of_version

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
SIZE, OVERLAP = 2000, 900
Key = tuple[str, str | None]


@pytest.fixture
def demo(tmp_path: Path) -> Workspace:
    settings = Settings(home=tmp_path / "home")
    load_demo(settings, now=NOW, tell=lambda _: None)
    return open_workspace(settings)


def cut_anew() -> tuple[list[Chunk], dict[Key, Chunk]]:
    """Every document in overlapping windows, and for each old chunk the window that has most."""
    documents: defaultdict[Key, list[Chunk]] = defaultdict(list)
    for chunk in read_chunks():
        documents[chunk.doc_id, chunk.doc_version].append(chunk)
    windows: list[Chunk] = []
    window_of: dict[Key, Chunk] = {}
    for (doc_id, version), chunks in documents.items():
        whole = "\n\n".join(chunk.text for chunk in chunks)
        mine = {
            start: Chunk(
                chunk_id=f"{doc_id}/{start:05}", doc_id=doc_id, doc_version=version,
                text=whole[start : start + SIZE],
            )
            for start in range(0, len(whole), SIZE - OVERLAP)
        }  # fmt: skip
        windows += mine.values()
        at = 0
        for chunk in chunks:
            end = at + len(chunk.text)
            shared = {start: min(start + SIZE, end) - max(start, at) for start in mine}
            best = max(mine, key=shared.__getitem__)
            window_of[chunk.chunk_id, version] = mine[best]
            at = end + 2
    return windows, window_of


def moved(outputs: Outputs, window_of: dict[Key, Chunk]) -> Outputs:
    """What the same pipeline would have retrieved from the new chunks."""
    lines = outputs.text.splitlines()
    made = []
    for line in map(json.loads, lines):
        for hit in line.get("hits", []):
            window = window_of[hit["chunk_id"], hit.get("doc_version")]
            hit |= {"chunk_id": window.chunk_id, "text": window.text}
        made.append(json.dumps(line))
    text = "\n".join(made) + "\n"
    return Outputs(run=parse_run(text), text=text)


def test_a_rechunked_corpus_is_no_drop_in_recall_and_is_re_anchored(demo, tmp_path):
    target = python_target("curation.sample.pipeline:version_aware", folder=Path.cwd())
    options = RunOptions(settings=TargetSettings(), folder=demo.settings.home / "runs")
    yardstick = of_version(demo.golden)
    before = run_target(demo, yardstick, target, options, now=NOW)
    assert before.report.pins.hit_rule == HitRule.ID

    windows, window_of = cut_anew()
    file = tmp_path / "windows.jsonl"
    file.write_text("".join(w.model_dump_json() + "\n" for w in windows), encoding="utf-8")
    assert corpus.add_chunks(demo, [file], now=NOW, replace=True).removed == len(window_of)

    assert before.outputs is not None
    after = moved(before.outputs, window_of)
    report = scored(demo, yardstick, after)
    assert report.pins.hit_rule == HitRule.QUOTE
    recall = before.report.metrics[Metric.RECALL].value or 0.0
    assert (report.metrics[Metric.RECALL].value or 0.0) >= recall > 0
    by_id = scored(demo, yardstick, after, options=ScoringOptions(hit_rule=HitRule.ID))
    assert by_id.metrics[Metric.RECALL].value == 0

    counts = check_evidence(demo).counts
    assert counts["intact"] == counts["gone"] == 0
    whole = sum(counts.values())
    assert counts["moved"] >= 0.95 * whole
    batch = batches.propose_reanchoring(demo, person=YOU, reason="Cut anew.", now=NOW)
    assert batch.refused == {}
    assert batch.batch_id is not None
    done = batches.approve_batch(demo, batch.batch_id, person=ROB, now=NOW)
    assert done.refused == {}
    publish(demo, person=ANA, now=NOW)
    assert check_evidence(demo).counts["moved"] == 0
    again = scored(demo, of_version(demo.golden), moved_to(after))
    assert again.pins.hit_rule == HitRule.ID


def moved_to(outputs: Outputs) -> Outputs:
    """The outputs without the version that they were made on."""
    header, *lines = outputs.text.splitlines()
    document = json.loads(header)
    text = "\n".join([json.dumps(document | {"version": None}), *lines]) + "\n"
    return Outputs(run=parse_run(text), text=text)
