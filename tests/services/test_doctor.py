"""The doctor on a real home: what is not well is said with what to do."""

from pathlib import Path

import pytest

from curation.config import CONFIG_FILE, load_settings
from curation.golden import Location
from curation.services.doctor import Examined, examine
from curation.services.home import create_home
from tests.golden.desk import ANA, MIA, START, Desk, git
from tests.golden.pushing import commit

MAILMAP = (
    "Change the policy\n\n One person.\n\nChange: policy\nChange-Id: m\n"
    "Reviewed-by: Ana Ruiz <ana@example.org>\n"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose set has one case by Mia, approved by Ana, at golden/v2."""
    folder = tmp_path / "home"
    create_home(load_settings(folder), person=MIA, now=START)
    desk = desk_of(folder)
    desk.publish(desk.add("q-0001"))
    return folder


def desk_of(home: Path) -> Desk:
    return Desk(Location.at(home / "golden"))


def configure(home: Path, text: str) -> None:
    (home / CONFIG_FILE).write_text(text, encoding="utf-8")


def line(home: Path, name: str) -> Examined:
    (found,) = [e for e in examine(load_settings(home)) if e.name == name]
    return found


def test_a_home_that_is_well(home: Path) -> None:
    configure(home, f'me = "{MIA}"\n')
    assert all(each.well for each in examine(load_settings(home)))
    assert line(home, "versions").said == "newest is golden/v2"
    assert line(home, "policy").said == "golden.toml is readable"
    assert line(home, "me").said == f"{MIA}, admin"


@pytest.mark.parametrize("tags", [["golden/v2"], ["golden/v1", "golden/v2"], ["golden/v1"]])
def test_tags_that_the_clone_lacks(home: Path, tags: list[str]) -> None:
    git(home / "golden", "tag", "-d", *tags)
    found = line(home, "versions")
    assert not found.well
    assert f"lacks the tag{'s' * (len(tags) > 1)} {', '.join(tags)}, which" in found.said
    assert f"`git fetch --tags` in {home / 'golden'}" in found.said


@pytest.mark.parametrize("text", [b"approvals = -1\n", b"not toml", b"x = '\xff'\n"])
def test_a_broken_policy_in_the_work_tree(home: Path, text: bytes) -> None:
    (home / "golden" / "golden.toml").write_bytes(text)
    found = line(home, "policy")
    assert not found.well
    assert "golden.toml" in found.said
    assert "`git checkout -- golden.toml`" in found.said
    assert line(home, "golden set").well


def test_a_bare_repository_has_no_work_tree_to_break(home: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(home / "golden"), str(tmp_path / "bare.git"))
    configure(home, f'[golden]\npath = "{tmp_path / "bare.git"}"\n')
    assert all(each.well for each in examine(load_settings(home)))


def test_a_name_that_is_none(home: Path) -> None:
    configure(home, 'me = "Mia"\n')
    found = line(home, "me")
    assert not found.well
    assert 'Write it as "Name <email>"' in found.said


def test_somebody_whom_the_configuration_does_not_know(home: Path) -> None:
    configure(home, f'me = "{MIA}"\n[people]\n"ana@example.org" = "admin"\n')
    found = line(home, "me")
    assert not found.well
    assert 'Add "mia@example.org" = "reviewer" there' in found.said
    configure(home, f'me = "{ANA}"\n[people]\n"Ana@example.org" = "approver"\n')
    assert line(home, "me") == Examined(name="me", well=True, said=f"{ANA}, approver")


def test_a_second_address_of_somebody_whom_the_set_knows(home: Path) -> None:
    configure(home, 'me = "Mia Kim <mia@exmaple.org>"\n')
    found = line(home, "me")
    assert not found.well
    assert "knows Mia Kim as mia@example.org" in found.said
    assert "`Mia Kim <mia@example.org> <mia@exmaple.org>`" in found.said
    mailmap = "Mia Kim <mia@example.org> <mia@exmaple.org>\n"
    commit(desk_of(home), MAILMAP, {".mailmap": mailmap})
    assert line(home, "me").well


def test_somebody_new(home: Path) -> None:
    configure(home, 'me = "Zoe Park <zoe@example.org>"\n')
    found = line(home, "me")
    assert found.well
    assert "has nothing of theirs yet" in found.said


def test_nobody(home: Path) -> None:
    assert line(home, "me").well


def test_signing_in_needs_its_secrets(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert line(home, "sign-in").said.startswith("nobody signs in")
    url = "https://login.x.example/.well-known/openid-configuration"
    configure(
        home,
        f'auth = "oidc"\n[oidc]\nclient_id = "c"\nmetadata_url = "{url}"\n'
        'public_url = "https://golden.x.example"\n',
    )
    monkeypatch.setenv("CURATION_OIDC_CLIENT_SECRET", "secret")
    monkeypatch.delenv("CURATION_COOKIE_SECRET", raising=False)
    found = line(home, "sign-in")
    assert not found.well
    assert "CURATION_COOKIE_SECRET is not set" in found.said
    monkeypatch.setenv("CURATION_COOKIE_SECRET", "c" * 32)
    assert line(home, "sign-in").said == (
        "people sign in at login.x.example and come back to https://golden.x.example"
    )
