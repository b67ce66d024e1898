"""The command as it is installed: an interrupt is heard while the program is still being read."""

import sys


def main() -> None:
    """Run the command line; an interrupt before it is there ends with 130 and no traceback."""
    try:
        from curation.cli.main import main as command  # takes half a second
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. Nothing was begun.\n")
        sys.exit(130)
    command()
