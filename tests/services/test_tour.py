"""The tour of first use."""

from pathlib import Path

from curation.config import load_settings
from curation.domain.person import Person
from curation.services.tour import note_tour_shown, tour_was_shown


def test_the_tour_is_shown_to_each_person_once(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    mia, rob = Person.parse("Mia <mia@x.test>"), Person.parse("Rob <rob@x.test>")
    assert not tour_was_shown(settings, mia)
    note_tour_shown(settings, mia)
    note_tour_shown(settings, mia)
    assert tour_was_shown(settings, mia)
    assert not tour_was_shown(settings, rob)
