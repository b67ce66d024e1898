"""The tour: three sentences on first use, which never come back."""

from curation.config import Settings
from curation.domain.person import Person
from curation.services.tour import note_tour_shown, tour_was_shown
from curation.ui.tree import Node, button, node

_NOBODY = Person(name="nobody", email="nobody@localhost")
SENTENCES = (
    "The queue holds the answers most worth a minute: Enter opens the next one.",
    (
        "In a review you pick what a right answer must say from the words on the screen, and write "
        "the reference; a second person approves it in Changes."
    ),
    (
        "Published changes are the golden set, a git repository with every reason and name in it; "
        "H shows the keys of any page."
    ),
)


def wanted(settings: Settings, person: Person | None) -> bool:
    """Return whether this person has not seen the tour."""
    return not tour_was_shown(settings, person or _NOBODY)


def told(settings: Settings, person: Person | None) -> None:
    """Remember that the person has seen it."""
    note_tour_shown(settings, person or _NOBODY)


def draw_tour() -> Node:
    """Return the three sentences and the way on."""
    return node(
        "section",
        node("h2", "New here?"),
        node("ol", *(node("li", sentence) for sentence in SENTENCES)),
        node("p", button("Do not show this again", "tour_told")),
        cls="cur-tour",
        aria_label="Tour",
    )
