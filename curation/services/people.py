"""Who uses this installation, and what the configuration lets them do."""

from curation.config import Settings
from curation.domain.person import Person, Role
from curation.errors import ConfigError, PersonError


def role_of(settings: Settings, person: Person) -> Role:
    """Return the person's role: everyone is admin while `[people]` is empty.

    With `[people]`, or where people sign in, somebody who is not listed there may only read.
    """
    if not settings.people and settings.sign_in is None:
        return Role.ADMIN
    return listed_role(settings, person) or Role.READER


def listed_role(settings: Settings, person: Person) -> Role | None:
    """Return the role that `[people]` gives to a person; None where it does not name them."""
    roles = {email.casefold(): role for email, role in settings.people.items()}
    found = roles.get(person.key)
    return None if found is None else Role(found)


def local_person(settings: Settings) -> Person | None:
    """Return the person named in the settings of this machine, if any.

    Raises:
        ConfigError: the name is not written as `Name <email>`.
    """
    if not settings.me:
        return None
    try:
        return Person.entered(settings.me)
    except PersonError as problem:
        raise ConfigError("key me", str(problem), "Correct it.") from problem
