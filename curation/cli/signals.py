"""`curation signals`."""

from datetime import UTC, datetime

import typer

from curation.cli.frame import Home, Json, frame


def register(app: typer.Typer) -> None:
    """Add the commands."""
    signals = typer.Typer(help="What users did after an answer.", no_args_is_help=True)
    signals.command("derive")(derive)
    app.add_typer(signals, name="signals")


def derive(home: Home = None, as_json: Json = False) -> None:
    """Derive reformulations, follow-ups and abandoned sessions anew from all sessions."""
    with frame(home, as_json) as running:
        from curation.services.signals import derive_signals

        found = derive_signals(running.workspace(), now=datetime.now(UTC))
        kinds = ", ".join(f"{number} {kind}" for kind, number in found.signals.items()) or "none"
        lines = [
            f"{found.answers} answers in {found.sessions} sessions were looked at.",
            f"Derived by rules {found.rules}: {kinds}. {found.added} new, {found.removed} gone.",
        ]
        running.emit(found.model_dump(mode="json"), lines)
