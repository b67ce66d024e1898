"""A home with a small log, and the command line over it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from curation.cli.main import app
from tests.cli.world import ANA, CHUNKS, answer


@dataclass
class CommandLine:
    """Runs commands in one home."""

    home: Path
    folder: Path

    def run(self, *args: str, status: int | None = 0) -> str:
        """Run a command, check how it ended, return what it printed on standard output."""
        done = CliRunner().invoke(app, ["--home", str(self.home), *args])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        if status is not None:
            assert done.exit_code == status, (args, done.stdout, done.stderr)
        return done.stdout

    def json(self, *args: str, status: int | None = 0) -> Any:
        """Run a command with `--json` and return its document."""
        return json.loads(self.run(*args, "--json", status=status))

    def file(self, name: str, content: Any) -> str:
        """Write a file: a list as JSONL, anything else as JSON; return its path."""
        path = self.folder / name
        if isinstance(content, list):
            path.write_text("".join(json.dumps(line) + "\n" for line in content))
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)


@pytest.fixture
def curation(tmp_path):
    """The command line on a new home whose golden repository exists."""
    line = CommandLine(home=tmp_path / "home", folder=tmp_path)
    line.run("init", "--as", ANA)
    return line


@pytest.fixture
def logged(curation):
    """A home with three flagged answers and the corpus that they come from."""
    curation.run("corpus", "add", curation.file("chunks.jsonl", CHUNKS))
    curation.run("ingest", curation.file("log.jsonl", [answer(n) for n in (1, 2, 3)]))
    return curation
