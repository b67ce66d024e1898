"""A small world for the review page: answers of every kind that its flows need."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curation.config import load_settings
from curation.domain.person import Person
from curation.services import corpus, intake
from curation.services.home import create_home
from curation.services.workspace import Workspace, open_workspace

MIA = Person(name="Mia Kim", email="mia@example.org")
ROB = Person(name="Rob Oduya", email="rob@example.org")
JUDGE_WORDS = "judge-words-7351"

LONG_CHUNK = "# Sizing\n" + " ".join(
    f"A node of size {n} keeps {n * 40} queues in memory." for n in range(1, 60)
)
DOCS: dict[str, dict[str, str]] = {
    "guide#timeout": {
        version: (
            "## Idle timeout\n+ Closes sessions that are idle\n"
            f"+ default: {seconds} s\n+ limit: 9 sessions"
        )
        for version, seconds in (("3.9", 30), ("4.2", 60), ("4.3", 90))
    },
    "guide#backup": {
        "4.2": "## Backups\nA backup is kept for 30 days. Restoring one takes the relay offline. "
        "Backups are written to the second disk."
    },
    "guide#sizing": {"4.2": LONG_CHUNK},
    "guide#ports": {"4.2": "## Ports\nThe relay listens on port 7400. Metrics are on port 7401."},
}


def chunks() -> list[dict[str, Any]]:
    return [
        {"chunk_id": name, "doc_id": "guide", "doc_version": version, "title": name, "text": text}
        for name, versions in DOCS.items()
        for version, text in versions.items()
    ]


def hit(name: str, version: str, rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "chunk_id": name,
        "doc_id": "guide",
        "doc_version": version,
        "text": DOCS[name][version],
        "score": 15.5 - rank,
    }


def logged(number: int, name: str, **fields: Any) -> dict[str, Any]:
    """A logged answer; a higher number comes earlier in the queue."""
    return {
        "id": name,
        "asked_at": f"2026-11-{10 + number:02d}T10:00:00Z",
        "outcome": "answered",
        "pipeline_version": "demo 1",
        "scores": [
            {
                "metric": "faithfulness",
                "value": 0.137,
                "scale": [0, 1],
                "judge": "rules",
                "reason": JUDGE_WORDS,
            }
        ],
        **fields,
    }


MIXUP = logged(
    9,
    "mixup",
    question="What is the default idle timeout of the relay in 4.2?",
    answer="The default idle timeout is 30 s [1]. Most teams with 77 relays keep it.",
    retrieved=[hit("guide#timeout", "3.9", 1), hit("guide#backup", "4.2", 2)],
    citations=[{"chunk_id": "guide#timeout", "doc_version": "3.9", "marker": "[1]"}],
    signals=[
        {"kind": "thumbs_down", "comment": "wrong version!!"},
        {"kind": "correction", "comment": "That is the old value. In 4.2 it is 60 s."},
        {"kind": "escalation"},
    ],
)
TURNS = logged(
    8,
    "turns",
    conversation=[
        {"role": "user", "text": "We run relay 4.2."},
        {"role": "assistant", "text": "Noted."},
        {"role": "user", "text": "It keeps backups."},
        {"role": "assistant", "text": "Yes, it does."},
    ],
    question="How long is a backup kept?",
    answer="Backups are kept for 7 days.",
    retrieved=[hit("guide#backup", "4.2", 1), hit("guide#ports", "4.2", 2)],
    signals=[{"kind": "correction", "comment": "A backup is kept for 30 days."}],
)
LONG = logged(
    7,
    "long",
    question="On which port does the relay listen?",
    answer="It depends on many things. " * 180 + "The relay listens on port 9000.",
    retrieved=[hit("guide#ports", "4.2", 1), hit("guide#sizing", "4.2", 2)],
    signals=[{"kind": "escalation"}],
)
BARE = logged(
    6,
    "bare",
    question="How much does the support plan cost?",
    answer="The support plan costs 12 dollars a month.",
    retrieved=[],
    signals=[{"kind": "thumbs_down"}],
)
RIGHT = logged(
    5,
    "right",
    question="Where are backups written to?",
    answer="Backups are written to the second disk [1].",
    retrieved=[hit("guide#backup", "4.2", 1)],
    citations=[{"chunk_id": "guide#backup", "doc_version": "4.2", "marker": "[1]"}],
    signals=[{"kind": "reformulation"}],
)
ANSWERS = (MIXUP, TURNS, LONG, BARE, RIGHT)


def copies(count: int) -> tuple[dict[str, Any], ...]:
    """The answers several times, each copy about a relay of its own: no two are a group."""
    return tuple(
        {
            **answer,
            "id": f"{answer['id']}-{n}",
            "question": answer["question"].replace("?", f" on relay number{n}?"),
        }
        for answer in ANSWERS
        for n in range(count)
    )


def make_home(folder: Path, answers: tuple[dict[str, Any], ...] = ANSWERS, more: str = "") -> Path:
    """Make a home with these answers; `more` is added to its configuration."""
    home, now = folder / "home", datetime.now(UTC)
    create_home(load_settings(home), person=MIA, now=now)
    settings = (home / "curation.toml").read_text(encoding="utf-8")
    (home / "curation.toml").write_text(f'me = "{MIA}"\n{settings}\n{more}', encoding="utf-8")
    workspace = open_home(home)
    corpus.add_chunks(workspace, [written(folder / "chunks.jsonl", chunks())], now=now)
    intake.ingest(workspace, [written(folder / "log.jsonl", list(answers))], now=now)
    workspace.store.dispose()
    return home


def open_home(home: Path) -> Workspace:
    return open_workspace(load_settings(home))


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
