"""People, chunks, answers and a case that the command line tests share."""

from typing import Any

MIA = "Mia Kim <mia@example.org>"
ANA = "Ana Ruiz <ana@example.org>"
ROB = "Rob Oduya <rob@example.org>"

CHUNKS = [
    {
        "chunk_id": "guide#timeout",
        "doc_id": "guide",
        "doc_version": version,
        "title": "Timeouts",
        "text": f"The relay closes an idle session.\n+ default: {seconds} s\n+ limit: 9 sessions",
        "category": "operations",
        "doc_family": "guide",
    }
    for version, seconds in (("3.9", 30), ("4.2", 60))
]


def answer(number: int, **fields: Any) -> dict[str, Any]:
    """A logged answer that states the value of 3.9 for a question about 4.2."""
    return {
        "id": f"a-{number}",
        "asked_at": f"2026-11-{number:02d}T10:00:00Z",
        "question": f"What is the idle timeout of relay {number} in v4.2?",
        "answer": "The idle timeout is 30 s [1].",
        "retrieved": [
            {
                **{k: CHUNKS[0][k] for k in ("chunk_id", "doc_id", "doc_version", "text")},
                "rank": 1,
                "score": 7.5,
            }
        ],
        "citations": [{"chunk_id": "guide#timeout", "doc_version": "3.9", "marker": "[1]"}],
        "outcome": "answered",
        "pipeline_version": "demo 1",
        "slice": "general",
        "scores": [{"metric": "faithfulness", "value": 1, "scale": [0, 1], "judge": "rules"}],
        "signals": [{"kind": "correction", "comment": "In 4.2 it is 60 s."}],
        **fields,
    }


CASE: dict[str, Any] = {
    "answerable": "answerable",
    "reference": "Relays of v4.2 close an idle session after 60 s.",
    "facts": {
        "required": [{"text": "60 s", "evidence": ["e1"]}],
        "forbidden": [{"text": "30 s", "value_of": "3.9"}],
    },
    "evidence": [
        {
            "id": "e1",
            "chunk_id": "guide#timeout",
            "doc_id": "guide",
            "doc_version": "4.2",
            "quote": "default: 60 s",
        }
    ],
    "question_type": "value",
}
