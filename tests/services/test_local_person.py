"""The person of this machine."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as testing
from hypothesis import strategies as st

from curation.config import load_settings
from curation.domain.person import Person
from curation.errors import ConfigError, PersonError
from curation.services.local_person import name_person, note_tour_shown, tour_was_shown

CONFIG = """# our team
auth = "local"

[people]
"mia@x.test" = "approver"  # me = "nobody"
"""


def test_only_the_line_of_the_person_changes(tmp_path: Path) -> None:
    (tmp_path / "curation.toml").write_text(CONFIG, encoding="utf-8")
    name_person(load_settings(tmp_path), "Mia Kim <mia@x.test>")
    name_person(load_settings(tmp_path), "Rob Oduya <rob@x.test>")
    text = (tmp_path / "curation.toml").read_text(encoding="utf-8")
    assert text == CONFIG.replace("\n\n[people]", '\n\nme = "Rob Oduya <rob@x.test>"\n[people]')
    assert load_settings(tmp_path).local_person == Person(name="Rob Oduya", email="rob@x.test")


def test_a_home_without_a_file_gets_one(tmp_path: Path) -> None:
    name_person(load_settings(tmp_path / "new"), "Mia Kim <mia@x.test>")
    assert load_settings(tmp_path / "new").me == "Mia Kim <mia@x.test>"


def test_a_file_that_cannot_be_changed_safely_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "curation.toml"
    odd = 'database = """\n[x]\n"""\n'
    file.write_text(odd, encoding="utf-8")
    with pytest.raises(ConfigError):
        name_person(load_settings(tmp_path), "Mia Kim <mia@x.test>")
    assert file.read_text(encoding="utf-8") == odd


def test_what_is_no_person_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(PersonError):
        name_person(load_settings(tmp_path), "Mia")
    assert not (tmp_path / "curation.toml").exists()


@given(st.text(min_size=1), st.sampled_from(["", CONFIG]))
@testing(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_is_written_so_that_it_reads_back(tmp_path: Path, name: str, old: str) -> None:
    file = tmp_path / "curation.toml"
    file.write_text(old, encoding="utf-8")
    try:
        person = name_person(load_settings(tmp_path), f"{name} <a@b.c>")
    except (PersonError, UnicodeEncodeError):
        assert file.read_text(encoding="utf-8") == old
        return
    assert Person.parse(tomllib.loads(file.read_text(encoding="utf-8"))["me"]) == person


def test_the_tour_is_shown_to_each_person_once(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    mia, rob = Person.parse("Mia <mia@x.test>"), Person.parse("Rob <rob@x.test>")
    assert not tour_was_shown(settings, mia)
    note_tour_shown(settings, mia)
    note_tour_shown(settings, mia)
    assert tour_was_shown(settings, mia)
    assert not tour_was_shown(settings, rob)
