"""Who a command is done by: the one named by `--as`, else `me` of curation.toml."""

import json
from datetime import UTC, datetime

import pytest
import typer
from typer.testing import CliRunner

from curation.cli.main import app
from curation.config import load_settings
from curation.domain.person import Person
from curation.services.review import save_fields
from curation.services.workspace import open_workspace
from tests.cli.world import ANA, MIA, ROB

ME = "`me` of curation.toml when left out"


def _whose() -> dict[str, typer.core.TyperOption]:
    """The option `--as` of every command that has it."""
    found = {}

    def walk(command, name):
        if isinstance(command, typer.core.TyperGroup):
            for part, below in command.commands.items():
                walk(below, f"{name} {part}")
            return
        for option in command.params:
            if "--as" in option.opts:
                found[name] = option

    walk(typer.main.get_command(app), "curation")
    return found


def test_every_command_that_asks_who_takes_the_one_who_sits_here():
    asked = _whose()
    assert len(asked) >= 25
    for name, option in asked.items():
        assert not option.required, name
        assert ME in (option.help or ""), name


def test_what_is_done_without_a_name_is_done_by_me(logged):
    assert logged.json("queue", "sample", "--n", "2")["drawn_by"] == ANA
    done = logged.json("review", "finish", "a-1", "--dismiss", "right", "--reason", "It is right.")
    assert done["verdict"] == "right"
    policy = (logged.home / "golden" / "golden.toml").read_text() + "\n# reviewed\n"
    logged.run(
        "change", "propose", "--policy", logged.file("p.toml", policy), "--reason", "R", "--as", MIA
    )
    assert logged.json("change", "approve", "0001")["approvals"][0]["person"] == ANA
    assert logged.json("publish")["version"] == "golden/v2"


def test_the_draft_that_is_shown_is_mine(logged):
    workspace = open_workspace(load_settings(logged.home))
    mine = {"reference": "It is 60 s."}
    save_fields(workspace, Person.parse(ANA), "a-1", mine, now=datetime.now(UTC))
    assert logged.json("review", "show", "a-1")["draft"]["reference"] == "It is 60 s."
    assert logged.json("review", "show", "a-1", "--as", ROB)["draft"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("publish",),
        ("experiment", "close", "exp-001", "--decision", "void", "--why", "W"),
        ("queue", "sample", "--n", "1"),
        ("corpus", "check", "--propose"),
    ],
)
def test_where_nobody_is_known_the_refusal_says_how_to_say_who(tmp_path, words):
    home = tmp_path / "home"
    line = ["--home", str(home)]
    assert CliRunner().invoke(app, [*line, "init", "--as", ANA]).exit_code == 0
    settings = home / "curation.toml"
    settings.write_text(settings.read_text().replace(f'me = "{ANA}"\n', ""))
    done = CliRunner().invoke(app, [*line, *words, "--json"])
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"] == (
        "Nothing was done, because nobody is named. "
        'Write --as "Name <email>", or set `me` in curation.toml.'
    )
