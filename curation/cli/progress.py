"""How far a run is, on standard error: a bar in a terminal, a line each tenth elsewhere."""

import sys

_WIDTH = 30


class ProgressBar:
    """Called with how much is done and how much there is."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told = -1

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if sys.stderr.isatty():
            filled = _WIDTH * done // max(total, 1)
            bar = "#" * filled + "." * (_WIDTH - filled)
            end = "\n" if done >= total else ""
            self._write(f"\r[{bar}] {done} of {total} {self._what}{end}")
            return
        tenth = 10 * done // max(total, 1)
        if tenth > self._told:
            self._told = tenth
            self._write(f"{done} of {total} {self._what}\n")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
