"""What this machine has already been told: the tour of first use never comes back."""

from curation.config import Settings
from curation.domain.person import Person

_TOLD_FILE = "tour-shown.txt"


def tour_was_shown(settings: Settings, person: Person) -> bool:
    """Return whether the person has seen the tour on this machine."""
    file = settings.home / _TOLD_FILE
    return file.exists() and person.key in file.read_text(encoding="utf-8").split("\n")


def note_tour_shown(settings: Settings, person: Person) -> None:
    """Remember that the person has seen the tour."""
    if not tour_was_shown(settings, person):
        with (settings.home / _TOLD_FILE).open("a", encoding="utf-8", newline="\n") as told:
            told.write(f"{person.key}\n")
