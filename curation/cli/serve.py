"""`curation serve`: the app of a home, until it is stopped."""

from typing import Annotated

import typer

from curation.cli.frame import Home, Json, frame

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", help="Port to listen on.", min=1, max=65535)]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("serve")(serve)


def serve(
    home: Home = None, host: Host = "127.0.0.1", port: Port = 8501, as_json: Json = False
) -> None:
    """Serve the app of a home until it is stopped."""
    with frame(home, as_json) as run:
        from curation.ui.server import refuse_address
        from curation.ui.server import serve as serve_app

        refuse_address(run.settings, host, port)
        run.emit(
            {"address": f"http://{host}:{port}", "home": str(run.settings.home)},
            [f"Curation is at http://{host}:{port} (home {run.settings.home}). Ctrl+C stops it."],
        )
        serve_app(run.settings, host, port)
