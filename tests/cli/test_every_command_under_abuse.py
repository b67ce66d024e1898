"""Every command with bad input: a status, one JSON document, one sentence, never a traceback."""

import gzip
import json
import random
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from curation.cli.main import app, main
from tests.cli.conftest import CommandLine
from tests.cli.world import ANA, CASE, CHUNKS, MIA, answer

SERVING = {"serve", "demo"}
WORDS = [
    *("", "x", "-x", "../x", "a/b", "a\nb", "\u202eabc", "\0", "\udcff", "%s", "x" * 5000),
    *("q-0001", "a-1", "0001", "exp-001", "golden/v1", "golden/v99", "v" + "9" * 400, "HEAD"),
    *("a=b", "=", "correction=nan", "faithfulness=inf", "2026-13-45", "9999-12-31", "0001-01-01"),
    *("json:dumps", "x:y", ".:x", "http://[::1", "file:///no", "ext::sh -c x", MIA),
]
NUMBERS = ["0", "1", "-1", "0.5", "nan", "inf", "1e400", "9" * 30, "1000"]
FILES: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)),
    "utf16.json": '{"id": "x"}'.encode("utf-16"),
    "marked.json": b'\xef\xbb\xbf{"id": "x"}\r\n',
    "nul.json": b'{"id": "\\u0000"}\n\0',
    "cut.jsonl.gz": gzip.compress(b'{"id": "x"}\n' * 999)[:40],
    "twice.json": b'{"id": "x", "id": "y"}',
    "nan.json": b'{"weight": NaN, "value": Infinity}',
    "huge.json": b'{"case_id": "x", "weight": ' + b"9" * 5000 + b"}",
    "deep.json": b'{"a": ' * 20_000,
    "half.json": b'{"question": "\\ud800", "text": "\\ud800"}',
    "list.json": b"[]",
    "types.json": json.dumps({k: [{}] for k in (*CASE, "id", "question", "case_id")}).encode(),
    "ids.json": json.dumps(CASE | {"declines": [{"id": {}, "text": "x"}]}).encode(),
    "case.json": json.dumps(CASE).encode(),
    "table.toml": b"approvals = [\n",
    "e.csv": b'a,b\n"1,2\n',
    "e.parquet": b"PAR1 no PAR1",
}


def commands(
    group: Any = None, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """Yield the words and the parameters of every command but those that serve."""
    found = group or typer.main.get_command(app)
    if not hasattr(found, "commands"):
        yield path, [p for p in found.params if p.name not in {"home", "as_json"}]
        return
    for name, below in found.commands.items():
        if name not in SERVING:
            yield from commands(below, (*path, name))


COMMANDS = dict(commands())


def kind(param: Any) -> Any:
    """Return the type of one value of a parameter."""
    found = param.type_descriptor.annotation
    while args := [one for one in get_args(found) if one is not type(None)]:
        found = args[0]
    return found


def value(param: Any, files: list[str], draw: random.Random) -> str:
    """Return a value that is mostly bad: of the wrong kind, of a hostile form, or of no use."""
    wanted = kind(param)
    if param.name in {"as_", "by"} and draw.random() < 0.8:
        return MIA
    if draw.random() < 0.7:
        if wanted in {int, float}:
            return draw.choice(NUMBERS)
        if wanted is Path:
            return draw.choice(files)
        if isinstance(wanted, type) and issubclass(wanted, Enum):
            return str(draw.choice(list(wanted)).value)
    return draw.choice([*WORDS, *files])


def line_of(params: list[Any], files: list[str], draw: random.Random) -> list[str]:
    """Return the words of one call: what is required, and some of the rest."""
    options, arguments = [], []
    for param in params:
        if not param.required and draw.random() < 0.5:
            continue
        if param.opts[0].startswith("-"):
            given = [] if param.is_flag else [value(param, files, draw)]
            options += [param.opts[0], *given]
        else:
            arguments.append(value(param, files, draw))
    return [*options, "--", *arguments]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[CommandLine, list[str]]:
    """A home with three answers, and files that are none of what a command reads."""
    folder = tmp_path_factory.mktemp("abuse")
    line = CommandLine(home=folder / "home", folder=folder)
    line.run("init", "--as", ANA)
    line.run("corpus", "add", line.file("chunks.jsonl", CHUNKS))
    line.run("ingest", line.file("log.jsonl", [answer(n) for n in (1, 2, 3)]))
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    made = [*FILES, "chunks.jsonl", "log.jsonl", "none", "case.json/x", "n" * 300, "home", "."]
    return line, [str(folder / name) for name in made]


@pytest.mark.parametrize("words", list(COMMANDS), ids=" ".join)
def test_bad_input_is_one_document_and_no_traceback(
    words: tuple[str, ...],
    world: tuple[CommandLine, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line, files = world
    monkeypatch.chdir(line.folder)
    draw = random.Random(" ".join(words))
    calls = [line_of(COMMANDS[words], files, draw) for _ in range(6)]
    for given in ([], *calls):
        monkeypatch.setattr(
            sys, "argv", ["curation", "--home", str(line.home), *words, "--json", *given]
        )
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert ended.value.code in {0, 1, 2}, given
        assert isinstance(json.loads(out), dict), given
        assert "Traceback" not in err, given
        assert "fault of its own" not in err, given
