"""`curation ingest` and `curation corpus` on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.world import CHUNKS, answer

KEYS = {"read", "stored", "updated", "unchanged", "refused", "rejects_file"}


def test_ingest_tells_its_counts_and_ends_with_1_when_anything_was_refused(curation):
    good = curation.file("good.jsonl", [answer(1), answer(2)])
    document = curation.json("ingest", good)
    assert document == {
        "read": 2,
        "stored": 2,
        "updated": 0,
        "unchanged": 0,
        "refused": 0,
        "failed_scores": 0,
        "rejects_file": None,
    }
    bad = curation.file("bad.jsonl", [answer(2), answer(2), answer(3)])
    document = curation.json("ingest", bad, good, status=1)
    assert {key: document[key] for key in KEYS - {"rejects_file"}} == {
        "read": 5,
        "stored": 1,
        "updated": 0,
        "unchanged": 3,
        "refused": 1,
    }
    (line,) = map(json.loads, Path(document["rejects_file"]).read_text().splitlines())
    assert (line["line"], line["field"]) == (2, "id")


def test_people_read_the_counts_and_where_the_refusals_are(curation):
    bad = curation.file("bad.jsonl", '{"id": "a"}\n')
    done = curation.run("ingest", bad, status=1)
    assert done == "1 answers read: 0 stored, 0 updated, 0 unchanged, 1 refused.\n"


@pytest.mark.parametrize("args", [["none.jsonl"], ["good.jsonl", "--format", "xml"], []])
def test_what_cannot_be_read_is_refused_before_anything_with_2(curation, args, monkeypatch):
    monkeypatch.chdir(curation.folder)
    curation.file("good.jsonl", [answer(1)])
    curation.run("ingest", *args, status=2)
    assert curation.json("queue", "list")["counts"]["all"] == 0


def test_csv_and_parquet_go_in_by_the_same_command(curation):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    rows = [{"id": f"p{n}", "question": "q", "answer": "NULL"} for n in range(3)]
    path = curation.folder / "log.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    table = curation.file("log.csv", "id,question,answer\nc1,q,007\n")
    assert curation.json("ingest", str(path), table)["stored"] == 4
    assert curation.json("review", "show", "c1")["answer"]["answer"] == "007"


def test_the_corpus_is_added_searched_and_indexed_anew(curation):
    document = curation.json("corpus", "add", curation.file("c.jsonl", CHUNKS))
    assert set(document) == KEYS
    assert document["stored"] == 2
    hits = curation.json("corpus", "search", "idle session", "--doc-version", "4.2")["hits"]
    assert [(hit["chunk_id"], hit["doc_version"]) for hit in hits] == [("guide#timeout", "4.2")]
    assert hits[0]["spans"]
    assert "guide#timeout [3.9]" in curation.run("corpus", "search", "idle")
    assert curation.run("corpus", "search", "nonsense") == "Nothing found.\n"
    assert curation.json("corpus", "index") == {"indexed": 0, "rebuilt": False}
    assert curation.json("corpus", "index", "--rebuild") == {"indexed": 2, "rebuilt": True}


def test_text_from_outside_is_literal_on_the_terminal(curation):
    nasty = {**CHUNKS[0], "text": "idle\x1b[31m\u202e red\r\n\x07"}
    curation.run("corpus", "add", curation.file("c.jsonl", [nasty]))
    shown = curation.run("corpus", "search", "idle")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\x07" not in shown
