"""The README names every command and setting, and its two commands are the ones that are run."""

import re
from pathlib import Path

import typer

from curation.cli.main import app
from curation.config import Settings

ROOT = Path(__file__).resolve().parents[2]
CURATION = ROOT / "curation"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> dict[str, str]:
    """Every command with the first line of its help."""
    found = {}

    def walk(command, name):
        if isinstance(command, typer.core.TyperGroup):
            for part, below in command.commands.items():
                walk(below, f"{name} {part}")
        else:
            found[name] = (command.help or "").strip().split("\n")[0]

    walk(typer.main.get_command(app), "curation")
    return found


def test_the_readme_lists_every_command_with_its_help():
    listed = dict(re.findall(r"^\| `(curation [a-z -]+)` \| (.+) \|$", README, re.MULTILINE))
    assert listed == commands()


def test_every_command_has_json_and_help():
    def walk(command, name):
        if isinstance(command, typer.core.TyperGroup):
            for part, below in command.commands.items():
                walk(below, f"{name} {part}")
            return
        options = {option for param in command.params for option in param.opts}
        assert command.help, name
        assert {"--json", "--home"} <= options, name

    walk(typer.main.get_command(app), "curation")


def test_the_readme_names_every_setting():
    for name in Settings.model_fields:
        if name not in {"home", "judge"}:
            assert name in README, name


def test_ci_runs_the_readmes_own_test_command():
    command = "pip install -e '.[test]' && pytest"
    assert f"```\n{command}\n```" in README
    assert "pip install -q --disable-pip-version-check -e '.[test]' && pytest" in (
        ROOT / ".ci" / "run"
    ).read_text(encoding="utf-8")


def test_the_files_that_the_architecture_names_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)+(?:[\w.*]+|\{[\w,]+\}\.py)?)`", text)
    assert len(named) > 15
    for path in named:
        at = ROOT / path if path.startswith(("pages/", "tests/", "curation/")) else CURATION / path
        folder, _, choice = at.name.partition("{")
        names = [f"{n}.py" for n in choice.partition("}")[0].split(",")] if choice else [folder]
        assert all(list(at.parent.glob(name)) for name in names), path
