"""Bringing in logs: idempotent by id, nothing lost, nothing in that should not be."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.domain.answer import ScoreStatus, SignalKind
from curation.services.intake import IntakeSummary, ingest
from curation.store.answers import get_answer
from tests.services.home import NOW, log, record, rejects, workspace
from tests.store.logs import how_many


def counts(summary: IntakeSummary):
    assert summary.read == summary.stored + summary.updated + summary.unchanged + summary.refused
    assert (summary.rejects_file is None) == (summary.refused == 0)
    return (summary.stored, summary.updated, summary.unchanged, summary.refused)


def bring(home, *paths):
    return ingest(home, list(paths), now=NOW)


def stored(home, name):
    with home.store.reading() as session:
        found = get_answer(session, name)
    assert found is not None
    return found


def test_the_same_file_again_changes_nothing(home, tmp_path):
    path = log(tmp_path, record("a", scores=[{"metric": "m", "value": 1}]), record("b"))
    assert counts(bring(home, path)) == (2, 0, 0, 0)
    before = stored(home, "a")
    assert counts(bring(home, path)) == (0, 0, 2, 0)
    assert stored(home, "a") == before


def test_a_later_import_updates_scores_signals_and_labels(home, tmp_path):
    old = [
        {"metric": "m", "value": 0.2, "scale": [0, 1], "judge": "j"},
        {"metric": "other", "value": 0.7, "scale": [0, 1], "judge": "j"},
    ]
    new = [{"metric": "m", "value": 0.9, "scale": [0, 1], "judge": "j"}]
    label = {"metric": "v", "value": 1, "person": "r1"}
    bring(home, log(tmp_path, record("a", scores=old, signals=[{"kind": "thumbs_down"}])))
    again = record(
        "a", scores=new, signals=[{"kind": "correction", "comment": "No"}], labels=[label]
    )
    assert counts(bring(home, log(tmp_path, again))) == (0, 1, 0, 0)
    found = stored(home, "a")
    assert {score.metric: score.value for score in found.scores} == {"m": 0.9, "other": 0.7}
    assert {s.kind for s in found.signals} == {SignalKind.THUMBS_DOWN, SignalKind.CORRECTION}
    assert [label.person for label in found.labels] == ["r1"]
    assert counts(bring(home, log(tmp_path, again))) == (0, 0, 1, 0)


def test_a_thumb_turned_is_one_thumb(home, tmp_path):
    bring(home, log(tmp_path, record("a", signals=[{"kind": "thumbs_down"}])))
    bring(home, log(tmp_path, record("a", signals=[{"kind": "thumbs_up"}])))
    assert [s.kind for s in stored(home, "a").signals] == [SignalKind.THUMBS_UP]


def test_what_an_import_does_not_mention_stays(home, tmp_path):
    whole = record("a", slice="billing", signals=[{"kind": "thumbs_down"}], metadata={"k": 1})
    bring(home, log(tmp_path, whole))
    assert counts(bring(home, log(tmp_path, record("a")))) == (0, 0, 1, 0)
    assert counts(bring(home, log(tmp_path, record("a", slice="policy")))) == (0, 1, 0, 0)
    found = stored(home, "a")
    assert (found.slice, len(found.signals), found.metadata) == ("policy", 1, {"k": 1})


CHUNK = {"rank": 1, "chunk_id": "c", "doc_version": "1", "text": "text"}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"question": "Another?"}, "question"),
        ({"answer": "Another."}, "answer"),
        ({"answer": ""}, "answer"),
        ({"conversation": [{"role": "user", "text": "Before"}]}, "conversation"),
        ({"retrieved": []}, "retrieved"),
        ({"retrieved": [CHUNK | {"text": "other"}]}, "retrieved"),
        ({"retrieved": [CHUNK | {"doc_version": "2"}]}, "retrieved"),
        ({"retrieved": [CHUNK, CHUNK]}, "retrieved"),
    ],
)
def test_another_answer_under_a_known_id_is_refused(home, tmp_path, fields, field):
    whole = record("a", retrieved=[CHUNK])
    bring(home, log(tmp_path, whole))
    before = stored(home, "a")
    other = whole | fields | {"scores": [{"metric": "m", "value": 0}]}
    summary = bring(home, log(tmp_path, other, record("b")))
    assert counts(summary) == (1, 0, 0, 1)
    (line,) = rejects(summary.rejects_file)
    assert (line["line"], line["id"], line["field"]) == (1, "a", field)
    assert line["reason"].startswith("changed")
    assert json.loads(line["record"]) == other
    assert stored(home, "a") == before


def test_the_second_of_two_equal_ids_in_a_file_is_refused(home, tmp_path):
    path = log(tmp_path, record("a"), record("b"), record("a"), record("a", answer="other"))
    summary = bring(home, path)
    assert counts(summary) == (2, 0, 0, 2)
    assert [(r["line"], r["reason"][:9]) for r in rejects(summary.rejects_file)] == [
        (3, "duplicate"),
        (4, "duplicate"),
    ]
    again = bring(home, path)
    assert counts(again) == (0, 0, 2, 2)


def test_the_same_id_in_two_files_is_a_second_import(home, tmp_path):
    one = log(tmp_path, record("a"), name="1.jsonl")
    two = log(tmp_path, record("a", signals=[{"kind": "thumbs_up"}]), name="2.jsonl")
    assert counts(bring(home, one, two)) == (1, 1, 0, 0)


def test_refused_records_are_told_with_file_line_field_and_reason(home, tmp_path):
    good = json.dumps(record("ü\u2028", answer="\u0085"), ensure_ascii=False)
    path = log(
        tmp_path,
        good,
        '{"id": "b", "question": "q"',
        '{"id": "c", "id": "c", "question": "q", "answer": "a"}',
        r'{"id": "d", "question": "half \ud800", "answer": ""}',
        record("e", latency_ms=float("nan")),
        record("f", scores=[{"metric": "m", "value": float("nan")}]),
        record("g", answer=""),
        record("h", retrieved=[{"chunk_id": "c", "text": "x" * 25_000}]),
    )
    summary = bring(home, path)
    assert counts(summary) == (4, 0, 0, 4)
    told = rejects(summary.rejects_file)
    assert [(r["file"], r["line"], r["field"]) for r in told] == [
        (str(path), 2, None),
        (str(path), 3, "id"),
        (str(path), 4, "question"),
        (str(path), 5, "latency_ms"),
    ]
    assert all(r["reason"] and r["record"] for r in told)
    assert stored(home, "ü\u2028").answer == "\u0085"
    assert stored(home, "f").scores[0].status is ScoreStatus.FAILED
    assert summary.failed_scores == 1
    assert stored(home, "h").retrieved[0].text == "x" * 25_000


def test_each_import_has_a_rejects_file_of_its_own(home, tmp_path):
    path = log(tmp_path, "bad")
    names = {bring(home, path).rejects_file for _ in range(3)}
    assert len(names) == 3


def test_a_corrected_rejects_file_can_be_brought_in(home, tmp_path):
    summary = bring(home, log(tmp_path, '{"id": "a", "question": "q"}'))
    (line,) = rejects(summary.rejects_file)
    whole = json.loads(line["record"]) | {"answer": "now"}
    assert counts(bring(home, log(tmp_path, whole, name="corrected.jsonl"))) == (1, 0, 0, 0)


def test_a_file_of_0_bytes_is_nothing(home, tmp_path):
    path = tmp_path / "empty.jsonl"
    path.touch()
    assert counts(bring(home, path)) == (0, 0, 0, 0)


def test_of_a_gzip_cut_short_the_good_lines_are_kept(home, tmp_path):
    lines = [json.dumps(record(f"a{n}", answer=f"{n * 7919}" * 30)) for n in range(2000)]
    packed = gzip.compress("\n".join(lines).encode())
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    cut = bring(home, path)
    assert cut.refused == 1
    assert 0 < cut.stored < 2000
    path.write_bytes(packed)
    assert counts(bring(home, path)) == (2000 - cut.stored, 0, cut.stored, 0)


def test_progress_tells_the_running_counts(home, tmp_path):
    path = log(tmp_path, *(record(f"a{n}") for n in range(1201)))
    told = []
    summary = ingest(home, [path], now=NOW, progress=lambda _, so_far: told.append(so_far.stored))
    assert told == [500, 1000, 1201]
    assert summary.stored == 1201


RUN = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from curation.config import Settings
from curation.services.intake import ingest
from curation.services.workspace import open_workspace
home = open_workspace(Settings(home=Path(sys.argv[1])))
told = lambda path, so_far: print(so_far.stored, flush=True)
print(ingest(home, [Path(sys.argv[2])], now=datetime.now(UTC), progress=told).stored)
"""


def test_what_a_killed_import_committed_stays_and_the_next_one_goes_on(home, tmp_path):
    path = log(tmp_path, *(record(f"a{n}", answer="x" * 3000) for n in range(6000)))
    args = [sys.executable, "-c", RUN, str(home.settings.home), str(path)]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.stdout.readline()
        os.kill(running.pid, signal.SIGKILL)
    with home.store.reading() as session:
        kept = how_many(session, "answer")
    assert 1000 <= kept < 6000
    summary = bring(home, path)
    assert counts(summary) == (6000 - kept, 0, kept, 0)


def test_two_imports_at_once_both_end_and_nothing_doubles(home, tmp_path):
    path = log(tmp_path, *(record(f"a{n}") for n in range(1500)))
    args = [sys.executable, "-c", RUN, str(home.settings.home), str(path)]
    running = [subprocess.Popen(args, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    with home.store.reading() as session:
        assert how_many(session, "answer") == 1500


@pytest.mark.slow
def test_memory_stays_bounded(tmp_path):
    """Ten times the answers need about the same memory."""
    peaks = []
    for number in (2000, 20_000):
        path = tmp_path / f"{number}.jsonl"
        with path.open("w") as file:
            for n in range(number):
                chunk = {"chunk_id": f"c{n}", "text": f"{n} " + "x" * 2000}
                file.write(json.dumps(record(f"a{n}", retrieved=[chunk])) + "\n")
        measure = RUN + "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        args = [sys.executable, "-c", measure, str(tmp_path / f"h{number}"), str(path)]
        done = subprocess.run(args, check=True, capture_output=True, text=True)
        peaks.append(int(done.stdout.splitlines()[-1]) // 1024)
    assert peaks[1] - peaks[0] < 60


RECORDS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["x", "y"]),
        st.lists(st.sampled_from(["thumbs_up", "correction"]), unique=True),
    ),
    max_size=6,
)


@settings(max_examples=20)
@given(files=st.lists(RECORDS, max_size=3))
def test_whatever_comes_the_counts_add_up_and_a_second_time_changes_nothing(
    tmp_path_factory, files
):
    folder = tmp_path_factory.mktemp("intake")
    home = workspace(folder)
    try:
        paths = [
            log(
                folder,
                *(
                    record(name, answer=text, signals=[{"kind": kind} for kind in kinds])
                    for name, text, kinds in rows
                ),
                name=f"{number}.jsonl",
            )
            for number, rows in enumerate(files)
        ]
        first = bring(home, *paths)
        counts(first)
        ids = {name for rows in files for name, _, _ in rows}
        with home.store.reading() as session:
            assert how_many(session, "answer") == len(ids) == first.stored
        again = bring(home, *paths)
        assert counts(again)[0] == 0
        assert again.refused == first.refused
    finally:
        home.store.dispose()


def test_it_is_quick_to_find_that_nothing_changed(home, tmp_path):
    path = log(tmp_path, *(record(f"a{n}", answer="x" * 2000) for n in range(1000)))
    bring(home, path)
    began = time.process_time()
    assert bring(home, path).unchanged == 1000
    assert time.process_time() - began < 2
