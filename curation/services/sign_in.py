"""Who somebody is and what they may do, by what their sign-in provider says of them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec

from curation.config import Settings, SignInSecrets, SignInSettings, sign_in_secrets
from curation.domain.base import Value
from curation.domain.person import Person, Role
from curation.errors import CurationError, PersonError
from curation.services.people import listed_role

__all__ = [
    "NoAddressError",
    "NoAuthlibError",
    "NoRoleError",
    "SignInEndedError",
    "SignedIn",
    "UnverifiedAddressError",
    "secrets_of_signing_in",
    "signed_in",
    "with_role",
]

Claims = Mapping[str, object]


class NoAddressError(CurationError):
    """The provider names nobody whom git could name."""

    def __init__(self) -> None:
        super().__init__(
            "You are not let in: the sign-in provider gave no e-mail address that can be written "
            "into a commit. Ask whoever runs it for the claim `email`."
        )


class UnverifiedAddressError(CurationError):
    """Anybody could have typed the address at the provider."""

    def __init__(self, email: str) -> None:
        super().__init__(
            f"You are not let in: the sign-in provider has not verified {email}. Verify it there, "
            "then sign in again."
        )


class NoRoleError(CurationError):
    """The provider knows the person, and this installation does not."""

    def __init__(self, email: str) -> None:
        super().__init__(
            f"You are not let in: {email} has no role here. Ask whoever runs this server for one."
        )


class SignInEndedError(CurationError):
    """The sign-in is older than it may be."""

    def __init__(self, hours: float) -> None:
        super().__init__(f"Your sign-in has ended: it counts for {hours:g} hours. Sign in again.")


class NoAuthlibError(CurationError):
    """Signing in needs a part that is not installed."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__(
            "Signing in needs Authlib, which is not installed. Run `pip install 'curation[oidc]'`."
        )


def secrets_of_signing_in() -> SignInSecrets:
    """Return the secrets of signing in, once all that it needs is there.

    Raises:
        ConfigError: a secret is not set in the environment.
        NoAuthlibError: the part of the installation that signs people in is missing.
    """
    found = sign_in_secrets()
    if find_spec("authlib") is None:
        raise NoAuthlibError
    return found


class SignedIn(Value):
    """Somebody who signed in, with the role that they have until then."""

    person: Person
    role: Role
    until: datetime


def signed_in(settings: Settings, claims: Claims, *, now: datetime) -> SignedIn:
    """Return who the claims of a sign-in name, and their role.

    Args:
        settings: Those of an installation where people sign in.
        claims: Those of the ID token, whose signature and issuer have been checked.
        now: An aware time.

    Raises:
        NoAddressError: they hold no address that git could name.
        UnverifiedAddressError: the provider says that it has not verified the address.
        SignInEndedError: the token was issued too long ago, or nobody knows when.
        NoRoleError: neither the configuration nor a claim gives the person a role.
    """
    oidc = settings.sign_in
    if oidc is None:
        raise ValueError(settings.auth)
    person = _person(claims)
    if claims.get("email_verified") in (False, "false"):
        raise UnverifiedAddressError(person.email)
    until = _begun(claims) + timedelta(hours=oidc.hours)
    if now >= until:
        raise SignInEndedError(oidc.hours)
    role = listed_role(settings, person) or _claimed_role(oidc, claims)
    if role is None:
        raise NoRoleError(person.email)
    return SignedIn(person=person, role=role, until=until)


def with_role(settings: Settings, who: SignedIn) -> Settings:
    """Return the settings with the role of somebody who signed in, for every check of a role."""
    return settings.model_copy(
        update={"people": {**settings.people, who.person.key: who.role.value}}
    )


def _person(claims: Claims) -> Person:
    """Return the person by their full name, else by the part of the address before the at."""
    email = str(claims.get("email") or "").strip()
    names = (claims.get("name"), claims.get("preferred_username"), email.partition("@")[0])
    for name in names:
        if not isinstance(name, str):
            continue
        try:
            return Person.entered(f"{name} <{email}>")
        except PersonError:
            continue
    raise NoAddressError


def _begun(claims: Claims) -> datetime:
    """Return when the token was issued; long ago where it does not say."""
    issued = claims.get("iat")
    seconds = issued if isinstance(issued, int | float) and not isinstance(issued, bool) else 0
    return datetime.fromtimestamp(seconds, UTC)


def _claimed_role(oidc: SignInSettings, claims: Claims) -> Role | None:
    """Return the highest role that the values of the claim give, else the one of everybody."""
    values = [] if oidc.role_claim is None else _values(_claim(claims, oidc.role_claim))
    given = [Role(oidc.roles[value]) for value in values if value in oidc.roles]
    if given:
        return max(given, key=list(Role).index)
    return None if oidc.default_role is None else Role(oidc.default_role)


def _claim(claims: Claims, name: str) -> object:
    """Return a claim by its name, else by the way of its parts: `realm_access.roles`."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _values(claim: object) -> list[str]:
    if isinstance(claim, str):
        return [claim]
    return [str(value) for value in claim] if isinstance(claim, list | tuple) else []
