"""`curation judge`: a judge's scores of stored answers and of outputs on a golden set."""

import typer

app = typer.Typer(help="Scores by a judge, and how far they agree with people.")


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="judge", no_args_is_help=True)
