"""Who a sign-in names, with which role, and who is not let in."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from curation.config import Settings, load_settings, sign_in_secrets
from curation.domain.person import Person, Role
from curation.errors import ConfigError, CurationError
from curation.services.people import role_of
from curation.services.sign_in import (
    NoAddressError,
    NoRoleError,
    SignInEndedError,
    UnverifiedAddressError,
    signed_in,
    with_role,
)

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
BEGUN = NOW - timedelta(hours=3)
MIA = {"email": "mia@x.example", "name": "Mia Kim", "iat": int(BEGUN.timestamp())}
OIDC: dict[str, Any] = {
    "metadata_url": "https://login.x.example/.well-known/openid-configuration",
    "client_id": "curation",
    "public_url": "https://golden.x.example/",
}
BY_CLAIM: dict[str, Any] = {
    "role_claim": "groups",
    "roles": {"rag-owners": "approver", "rag": "reviewer"},
}


def settings(people: dict[str, str] | None = None, **oidc: Any) -> Settings:
    return Settings.model_validate(
        {"home": Path("/h"), "auth": "oidc", "oidc": OIDC | oidc, "people": people or {}}
    )


def test_a_person_listed_in_the_configuration_has_that_role_until_the_sign_in_ends() -> None:
    found = signed_in(settings({"Mia@X.example": "reviewer"}), MIA, now=NOW)
    assert found.person == Person(name="Mia Kim", email="mia@x.example")
    assert found.role is Role.REVIEWER
    assert found.until == BEGUN + timedelta(hours=12)


@pytest.mark.parametrize(
    ("groups", "role"),
    [
        (["rag", "rag-owners", "other"], Role.APPROVER),
        (["rag"], Role.REVIEWER),
        ("rag-owners", Role.APPROVER),
    ],
)
def test_the_highest_role_of_the_claim_counts(groups: object, role: Role) -> None:
    assert signed_in(settings(**BY_CLAIM), MIA | {"groups": groups}, now=NOW).role is role


def test_a_claim_may_lie_deeper_and_the_configuration_counts_before_it() -> None:
    deep = BY_CLAIM | {"role_claim": "realm_access.roles"}
    claims = MIA | {"realm_access": {"roles": ["rag-owners"]}}
    assert signed_in(settings(**deep), claims, now=NOW).role is Role.APPROVER
    listed = settings({"mia@x.example": "reader"}, **deep)
    assert signed_in(listed, claims, now=NOW).role is Role.READER


@pytest.mark.parametrize("groups", [[], ["other"], None, 5, {"rag": 1}, [None]])
def test_nobody_without_a_role_is_let_in_unless_everybody_has_one(groups: object) -> None:
    claims = MIA | {"groups": groups}
    with pytest.raises(NoRoleError, match=r"mia@x\.example has no role here"):
        signed_in(settings(**BY_CLAIM), claims, now=NOW)
    with pytest.raises(NoRoleError):
        signed_in(settings({"ana@x.example": "admin"}), claims, now=NOW)
    everybody = settings(**BY_CLAIM, default_role="reader")
    assert signed_in(everybody, claims, now=NOW).role is Role.READER


@pytest.mark.parametrize("verified", [False, "false"])
def test_an_address_that_is_not_verified_is_nobodys(verified: object) -> None:
    known = settings({"mia@x.example": "admin"})
    with pytest.raises(UnverifiedAddressError, match=r"has not verified mia@x\.example"):
        signed_in(known, MIA | {"email_verified": verified}, now=NOW)
    assert signed_in(known, MIA | {"email_verified": True}, now=NOW).role is Role.ADMIN


@pytest.mark.parametrize("email", [None, "", "mia", "a b@x.example", "mia@x.example>\n", 7])
def test_an_address_that_git_cannot_name_is_nobodys(email: object) -> None:
    with pytest.raises(NoAddressError):
        signed_in(settings(default_role="reader"), MIA | {"email": email}, now=NOW)


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": "Ana Ruiz <ana@x.example>"}, "mia"),
        ({"name": None, "preferred_username": "mkim"}, "mkim"),
        ({"name": "Mia\u202eKim"}, "mia"),
        ({"name": ["Mia"]}, "mia"),
    ],
)
def test_a_name_that_could_pass_for_another_is_replaced_by_the_address(
    claims: dict[str, object], name: str
) -> None:
    found = signed_in(settings(default_role="reader"), MIA | claims, now=NOW).person
    assert (found.name, found.email) == (name, "mia@x.example")


def test_a_sign_in_ends_after_its_hours_and_where_nobody_knows_when_it_began() -> None:
    known = settings({"mia@x.example": "admin"}, hours=3.5)
    assert signed_in(known, MIA, now=NOW + timedelta(minutes=29)).role is Role.ADMIN
    with pytest.raises(SignInEndedError, match=r"counts for 3\.5 hours"):
        signed_in(known, MIA, now=NOW + timedelta(minutes=30))
    for issued in (None, "now", True):
        with pytest.raises(SignInEndedError):
            signed_in(known, MIA | {"iat": issued}, now=NOW)


def test_every_check_of_a_role_knows_who_is_signed_in_and_everybody_else_may_read() -> None:
    found = settings(**BY_CLAIM)
    who = signed_in(found, MIA | {"groups": ["rag-owners"]}, now=NOW)
    assert role_of(found, who.person) is Role.READER
    assert role_of(with_role(found, who), who.person) is Role.APPROVER
    other = Person(name="Rob", email="rob@x.example")
    assert role_of(with_role(found, who), other) is Role.READER


def oidc_table(url: str = "https://g.example", *more: str, provider: str = "https://l") -> str:
    lines = ("[oidc]", 'client_id = "c"', f'public_url = "{url}"', f'metadata_url = "{provider}"')
    return "\n".join((*lines, *more))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('auth = "oidc"', "no [oidc] that names the provider"),
        ('auth = "saml"', "auth"),
        ('[oidc]\nclient_id = "c"\npublic_url = "https://g.example"', "metadata_url"),
        (oidc_table("http://g.example"), "has to begin with https://"),
        (oidc_table(provider="http://l.example"), "has to begin with https://"),
        (oidc_table("g.example"), "no address that begins with https://"),
        (oidc_table("https://g.example/app"), "at the root of it"),
        (
            oidc_table("https://g.example", 'role_claim = "groups"'),
            "role_claim and roles only together",
        ),
    ],
)
def test_a_configuration_that_lets_nobody_sign_in_is_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "curation.toml").write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_settings(tmp_path)
    assert said in str(refused.value)
    assert "curation.toml" in str(refused.value)


def test_this_machine_may_be_reached_without_https() -> None:
    local = settings(public_url="http://127.0.0.1:8501", metadata_url="http://localhost:9000/x")
    assert local.oidc is not None
    assert (local.oidc.public_url, local.oidc.public_host) == ("http://127.0.0.1:8501", "127.0.0.1")
    there = settings().oidc
    assert there is not None
    assert (there.public_url, there.provider_host) == (
        "https://golden.x.example",
        "login.x.example",
    )


def test_the_secrets_stand_in_the_environment_and_are_long_enough() -> None:
    whole = {"CURATION_OIDC_CLIENT_SECRET": "s", "CURATION_COOKIE_SECRET": "c" * 32}
    assert sign_in_secrets(whole).cookie_secret == "c" * 32
    for name in whole:
        with pytest.raises(ConfigError, match=name):
            sign_in_secrets(whole | {name: " "})
    with pytest.raises(CurationError, match="fewer than 32 signs"):
        sign_in_secrets(whole | {"CURATION_COOKIE_SECRET": "c" * 31})
