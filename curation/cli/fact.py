"""`curation fact match`: facts looked up in texts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from curation.cli.files import InputFileError, read_lines
from curation.cli.frame import Home, Json, frame
from curation.metrics.facts import match_fact

app = typer.Typer(help="Facts in texts.", no_args_is_help=True)


@app.command()
def match(
    file: Annotated[Path, typer.Argument(help="JSONL: {fact, text, any_of?} a line.")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say for each pair whether the text holds the fact: present, absent or unsure."""
    with frame(home, as_json) as run:
        pairs = [_matched(f"{file}, line {n},", pair) for n, pair in read_lines(file)]
        run.emit(
            {"pairs": pairs}, [f"{p['verdict']}  {p['fact']!r} in {p['text']!r}" for p in pairs]
        )


def _matched(where: str, pair: dict[str, Any]) -> dict[str, Any]:
    """Return one pair with its verdict and the span that decided it."""
    for name in ("fact", "text"):
        if not isinstance(pair.get(name), str):
            raise InputFileError(where, f"the field {name} is not a text")
    variants = pair.get("any_of") or []
    if not isinstance(variants, list) or not all(isinstance(one, str) for one in variants):
        raise InputFileError(where, "the field any_of is not a list of texts")
    found = match_fact(pair["text"], pair["fact"], any_of=tuple(variants))
    return {
        **pair,
        "verdict": found.verdict.value,
        "span": list(found.span) if found.span else None,
        "reason": found.reason,
    }


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="fact")
