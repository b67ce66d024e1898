"""The walk of docs/evaluation.md, command by command, as it is printed there."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import CommandLine

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "evaluation.md"


def commands() -> list[str]:
    """The commands of the walk."""
    text = DOCUMENT.read_text(encoding="utf-8")
    walk = text.partition("## A walk on the sample world")[2].partition("\n## ")[0]
    blocks = re.findall(r"```\n(.*?)```", walk, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


def test_the_walk_ends_with_a_promote_and_a_reject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = CommandLine(home=tmp_path / "home", folder=tmp_path)
    said = {}
    for command in commands():
        program, *arguments = shlex.split(command)
        assert program == "curation"
        said[command] = line.run(*arguments)
    gate = next(text for command, text in said.items() if " eval gate " in command)
    assert gate.startswith("PROMOTE")
    harmed = next(text for command, text in said.items() if "record exp-002" in command)
    assert "protected slice regressed: ['billing']" in harmed
    rows = line.json("experiment", "list")["experiments"]
    assert [row["decision"] for row in rows] == ["promote", "reject"]
    assert line.json("golden", "audit")["findings"] == []
