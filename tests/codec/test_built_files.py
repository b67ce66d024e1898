"""What is built from the cases at each version."""

import hashlib
import json

from curation.codec import (
    case_from_document,
    case_schema,
    dumps,
    golden_jsonl,
    golden_line,
    manifest,
    scoring_digest,
)
from curation.domain.case import Answerable, Case, CaseStatus, Retired, RetireReason

CASE = case_from_document(
    {
        "id": "q-0002",
        "question": "How long?\u2028\u0085\n",
        "reference": "60 s.",
        "weight": 3.0,
        "conversation": [{"role": "user", "text": "Hello"}],
        "facts": {
            "required": [{"text": "60 s", "any_of": ["one minute"], "evidence": ["e1"]}],
            "forbidden": [{"text": "30 s", "value_of": "3.9"}],
        },
        "evidence": [
            {"chunk_id": "c2", "doc_id": "z", "doc_version": "4.2", "quote": "60 s"},
            {"chunk_id": "c1", "doc_id": "a", "group": "g", "chunk_sha256": "0" * 64},
            {"chunk_id": "c2", "doc_id": "z", "doc_version": "4.2", "quote": "a minute"},
            {"chunk_id": "c9", "doc_id": "b", "role": "distractor"},
        ],
    },
    where="it",
)
RETIRED = CASE.model_copy(
    update={
        "id": "q-0003",
        "status": CaseStatus.RETIRED,
        "retired": Retired(reason=RetireReason.OUTDATED),
    }
)
OTHER = CASE.model_copy(update={"id": "q-0001", "weight": 0.5, "slice": "billing"})


def test_a_line_has_what_scoring_needs_in_its_order() -> None:
    document = json.loads(golden_line(CASE))
    assert list(document) == [
        "id", "question", "reference", "gold_pids", "slice", "weight", "gold_docs", "gold",
        "answerable", "question_type", "doc_version", "conversation", "standalone_question",
        "other_references", "required_facts", "optional_facts", "forbidden_facts", "declines",
        "readings", "category",
    ]  # fmt: skip
    assert document["gold_pids"] == ["c2", "c1"]
    assert document["gold_docs"] == ["a", "z"]
    assert [list(item) for item in document["gold"]] == [
        ["pid", "doc_id", "doc_version", "group", "quote"]
    ] * 3
    assert list(document["required_facts"][0]) == ["id", "text", "any_of", "role", "from"]
    assert list(document["forbidden_facts"][0])[-2:] == ["value_of", "mention"]
    assert document["weight"] == 3
    assert b'"weight": 3,' in golden_line(CASE)


def test_a_line_is_one_line_for_every_reader() -> None:
    line = golden_line(CASE)
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["question"] == CASE.question


def test_the_file_has_the_active_cases_by_id() -> None:
    lines = golden_jsonl([CASE, RETIRED, OTHER]).split(b"\n")
    assert [json.loads(line)["id"] for line in lines[:-1]] == ["q-0001", "q-0002"]
    assert lines[-1] == b""
    assert golden_jsonl([]) == b""


def test_the_manifest_counts_what_is_active() -> None:
    data = manifest(
        version="golden/v7",
        cases=[CASE, RETIRED, OTHER],
        golden_sha256=hashlib.sha256(b"").hexdigest(),
        cases_tree="4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    )
    document = json.loads(data)
    assert (document["version"], document["cases"], document["retired"]) == ("golden/v7", 2, 1)
    assert document["slices"] == {"billing": 1, "general": 1}
    assert document["weights"] == {"0.5": 1, "3": 1}
    assert document["answerable"] == {"answerable": 2}
    assert document["question_types"] == {"other": 2}
    assert document["cases_tree"].startswith("4b825dc6")
    assert data.endswith(b"}\n")


def test_the_digest_follows_what_decides_a_score_and_nothing_else() -> None:
    same = CASE.model_copy(
        update={
            "notes": "n",
            "evidence": tuple(e.model_copy(update={"chunk_sha256": None}) for e in CASE.evidence),
        }
    )
    assert scoring_digest(same) == scoring_digest(CASE)
    for name, value in {
        "question": "x",
        "reference": "x",
        "other_references": ("x",),
        "slice": "x",
        "weight": 2,
        "conversation": (),
        "evidence": CASE.evidence[:1],
        "answerable": Answerable.PARTIAL,
    }.items():
        changed = Case.model_validate(CASE.model_copy(update={name: value}).model_dump())
        assert scoring_digest(changed) != scoring_digest(CASE), name


def test_the_schema_asks_for_every_key_and_knows_no_other() -> None:
    schema = json.loads(case_schema())
    assert schema["required"] == list(json.loads(dumps(CASE)))
    assert schema["additionalProperties"] is False
    assert schema["properties"]["id"]["pattern"] == "^[a-z0-9][a-z0-9-]{1,62}$"
    assert schema["$defs"]["Fact"]["required"] == list(
        json.loads(dumps(CASE))["facts"]["required"][0]
    )
