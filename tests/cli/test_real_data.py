"""Real logs: everything goes in, and ten flagged answers become golden/v2."""

import gzip
import json
import re
from pathlib import Path

import pytest

from curation.metrics.facts import match_fact
from curation.metrics.presence import Presence
from tests.cli.world import ANA, MIA, ROB

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = [
    pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"),
    pytest.mark.slow,
]
FLAGS = {"correction", "thumbs_down", "reformulation", "escalation"}


def test_ten_real_flagged_answers_become_a_version(curation):
    chunks = curation.json("corpus", "add", str(DATA / "chunks.jsonl.gz"))
    assert (chunks["read"], chunks["stored"], chunks["refused"]) == (10121, 10121, 0)
    answers = curation.json("ingest", str(DATA / "answers.jsonl.gz"))
    assert (answers["read"], answers["stored"], answers["refused"]) == (3430, 3430, 0)
    again = curation.json("ingest", str(DATA / "answers.jsonl.gz"))
    assert (again["stored"], again["unchanged"], again["refused"]) == (0, 3430, 0)

    finished = [_finish(curation, answer) for answer in _flagged(10)]
    for change_id in finished:
        curation.run("change", "approve", change_id, "--as", ROB)
    published = curation.json("publish", "--as", ANA)
    assert published["version"] == "golden/v2"
    assert len(published["published"]) == 10
    counts = curation.json("queue", "list", "--limit", "1")["counts"]
    assert counts["all"] == 3430
    assert counts["done"] == 10
    assert sum(counts[k] for k in ("open", "held", "done", "dismissed", "covered")) == 3430
    assert len(curation.json("golden", "diff", "golden/v1", "golden/v2")["added"]) == 10
    assert curation.json("golden", "audit")["findings"] == []
    assert curation.run("golden", "validate").splitlines()[-1].startswith("loaded 10 cases | ")


def _finish(curation, answer) -> str:
    """Finish one answer with a fact that a retrieved passage holds and the answer lacks."""
    hit, sentence = _missed(answer)
    case = {
        "reference": f"The source says this. {sentence}",
        "facts": {"required": [{"text": sentence, "evidence": ["e1"]}]},
        "evidence": [
            {
                "id": "e1",
                "chunk_id": hit["chunk_id"],
                "doc_id": hit["doc_id"],
                "doc_version": hit["doc_version"],
                "quote": sentence,
            }
        ],
    }
    done = curation.json(
        "review",
        "finish",
        answer["id"],
        "--case",
        curation.file("case.json", case),
        "--reason",
        "The passage says it and the answer does not.",
        "--as",
        MIA,
    )
    return str(done["change_id"])


def _flagged(number: int) -> list[dict]:
    """The first flagged answers of which a retrieved passage holds something they lack."""
    found, seen = [], set()
    with gzip.open(DATA / "answers.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            answer = json.loads(line)
            flagged = FLAGS & {s["kind"] for s in answer["signals"]}
            if flagged and answer["question"] not in seen and _missed(answer):
                seen.add(answer["question"])
                found.append(answer)
            if len(found) == number:
                return found
    raise AssertionError("too few flagged answers")


def _missed(answer):
    """A passage and a sentence of it that the answer clearly lacks."""
    for hit in answer["retrieved"]:
        for sentence in re.findall(r"[A-Z][a-z]+ [^.\n\r]{25,90}\d[^.\n\r]{0,20}\.", hit["text"]):
            if match_fact(answer["answer"], sentence).verdict is Presence.ABSENT:
                return hit, sentence
    return None
