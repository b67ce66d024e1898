"""The pages' states, without a browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curation.config import load_settings

RunApp = Callable[..., AppTest]


def drawn(app: AppTest) -> str:
    """Return what the literal parts of the page say."""
    said: list[str] = []

    def walk(part: Any) -> None:
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, dict):
            for child in part.get("x", ()):
                walk(child)

    for element in app.main:
        collect(element, said, walk)
    return " ".join(said)


def collect(element: Any, said: list[str], walk: Callable[[Any], None]) -> None:
    """Walk the elements of a block."""
    for child in getattr(element, "children", {}).values():
        collect(child, said, walk)
    data = getattr(getattr(element, "proto", None), "json", "")
    if not data:
        return
    document = json.loads(data)
    for part in document.get("tree", ()):
        walk(part)
    message = document.get("message")
    if message:
        said.append(message["text"])
    said.append(document.get("note", ""))
    said.extend(action["off"] for action in document.get("actions", ()))


def test_a_home_where_nothing_was_brought_in_says_so(tmp_path: Path, run_app: RunApp) -> None:
    app = run_app(tmp_path / "fresh")
    assert not app.exception
    assert "No answers yet. Bring in a log to begin." in drawn(app)


def test_a_queue_that_cannot_be_read_is_never_called_done(tmp_path: Path, run_app: RunApp) -> None:
    home = tmp_path / "broken"
    home.mkdir()
    (home / "curation.sqlite3").write_text("this is no database, " * 100, encoding="utf-8")
    app = run_app(home)
    assert not app.exception
    said = drawn(app)
    assert "The queue could not be read (" in said
    assert "Nothing is lost." in said
    assert "reviewed" not in said


@pytest.mark.parametrize(
    "page",
    [
        "queue",
        "changes",
        "golden_set",
        "coverage",
        "evidence",
        "history",
        "audit",
        "experiments",
        "breaks",
        "import",
        "settings",
    ],
)
def test_a_wrong_configuration_is_one_sentence_on_every_page(
    tmp_path: Path, run_app: RunApp, page: str
) -> None:
    home = tmp_path / "wrong"
    home.mkdir()
    (home / "curation.toml").write_text("colour = 3\n", encoding="utf-8")
    app = run_app(home, page)
    assert not app.exception
    assert "key colour, cannot be used" in drawn(app)


@pytest.mark.parametrize(
    "page", ["changes", "golden_set", "coverage", "evidence", "history", "audit", "experiments"]
)
def test_a_home_without_a_golden_set_says_what_to_do(
    tmp_path: Path, run_app: RunApp, page: str
) -> None:
    home = tmp_path / "bare"
    home.mkdir()
    (home / "curation.toml").write_text('me = "Mia <mia@x.test>"\n', encoding="utf-8")
    app = run_app(home, page)
    assert not app.exception
    assert "golden" in drawn(app)


def test_a_name_is_saved_and_shown(tmp_path: Path, run_app: RunApp) -> None:
    home = tmp_path / "home"
    app = run_app(home, "settings")
    assert "nobody named yet" in drawn(app)
    app.text_input(key="me_name").set_value("Mia Kim")
    app.text_input(key="me_email").set_value("mia@x.test")
    app.button(key="me_save").click().run()
    assert "Saved. You are Mia Kim <mia@x.test>." in drawn(app)
    assert "Mia Kim, admin" in drawn(app)
    assert load_settings(home).me == "Mia Kim <mia@x.test>"


def test_what_is_no_name_is_not_saved(tmp_path: Path, run_app: RunApp) -> None:
    app = run_app(tmp_path / "home", "settings")
    app.text_input(key="me_name").set_value("Mia Kim")
    app.button(key="me_save").click().run()
    assert "Not saved: 'Mia Kim <>' does not name a person." in drawn(app)
    assert load_settings(tmp_path / "home").me is None


def test_a_file_of_this_machine_is_brought_in(tmp_path: Path, run_app: RunApp) -> None:
    file = tmp_path / "answers.jsonl"
    scores = [{"metric": "m", "value": 7, "scale": [0, 1]}]
    good = {"id": "a1", "question": "What?", "answer": "That.", "scores": scores}
    file.write_text(f"{json.dumps(good)}\n{{broken\n", encoding="utf-8")
    app = run_app(tmp_path / "home", "import")
    app.text_input(key="path_answers").set_value(str(file))
    app.button(key="go_answers").click().run()
    assert not app.exception
    said = drawn(app)
    assert "2 read = 1 new + 0 updated + 0 unchanged + 1 refused" in said
    assert "rejects" in said
    assert "1 new, 0 updated, 1 refused of 2 records read. Q: the queue." in said
    assert "1 score is no number on its scale; it is kept as failed and counts nowhere." in said


def test_bringing_in_nothing_is_refused(tmp_path: Path, run_app: RunApp) -> None:
    app = run_app(tmp_path / "home", "import")
    app.button(key="go_chunks").click().run()
    assert "Nothing was brought in: no file is chosen." in drawn(app)


def test_the_tour_is_shown_once(tmp_path: Path, run_app: RunApp) -> None:
    app = run_app(tmp_path / "home")
    assert "The queue holds the answers most worth a minute" in drawn(app)


def test_the_address_of_the_queue_fills_its_filters(demo_home: Path, run_app: RunApp) -> None:
    app = run_app(demo_home, signal="correction", words="timeout")
    assert app.selectbox(key="queue_signal").value == "correction"
    assert app.text_input(key="queue_words").value == "timeout"
    app.text_input(key="queue_words").set_value("zebra crossing").run()
    assert app.query_params["words"] == "zebra crossing"
    assert "Nothing matches these filters." in drawn(app)
