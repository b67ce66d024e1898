"""The command line: Typer commands over the services, one file a command family."""
