"""Settings: defaults, a wrong file, roles, and the environment that git gets."""

from pathlib import Path

import pytest

from curation.config import git_environment, load_settings, resolve_home
from curation.domain.person import Person, Role
from curation.errors import ConfigError
from curation.services.people import role_of

MIA = Person.parse("Mia Kim <mia@example.org>")


def test_the_home_is_the_given_one_then_the_environment_then_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert resolve_home(tmp_path / "a", {"CURATION_HOME": "/b"}) == (tmp_path / "a").resolve()
    assert resolve_home(None, {"CURATION_HOME": "/b"}) == Path("/b")
    assert resolve_home(None, {}) == tmp_path / ".curation"


def test_without_people_everyone_is_admin(tmp_path):
    assert role_of(load_settings(tmp_path), MIA) is Role.ADMIN


def test_with_people_a_stranger_only_reads(tmp_path):
    (tmp_path / "curation.toml").write_text('[people]\n"Mia@Example.org" = "approver"\n')
    settings = load_settings(tmp_path)
    assert role_of(settings, MIA) is Role.APPROVER
    assert role_of(settings, Person.parse("Rob <rob@example.org>")) is Role.READER


@pytest.mark.parametrize("text", ["[golden", "color = 3\n", "[review]\nlease_minutes = 0\n"])
def test_a_wrong_file_is_one_sentence_that_names_it(tmp_path, text):
    (tmp_path / "curation.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"curation\.toml"):
        load_settings(tmp_path)


def test_nothing_of_git_leaks_into_its_environment():
    env = git_environment({"GIT_DIR": "/x", "GIT_INDEX_FILE": "/y", "PATH": "/bin", "FOO": "1"})
    assert "GIT_DIR" not in env
    assert "GIT_INDEX_FILE" not in env
    assert "FOO" not in env
    assert env["PATH"] == "/bin"
