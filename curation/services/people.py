"""Who uses this installation, and what the configuration lets them do."""

from curation.config import Settings
from curation.domain.person import Person, Role
from curation.errors import ConfigError, PersonError


def role_of(settings: Settings, person: Person) -> Role:
    """Return the person's role: everyone is admin while `[people]` is empty.

    With `[people]`, somebody who is not listed there may only read.
    """
    if not settings.people:
        return Role.ADMIN
    roles = {email.casefold(): role for email, role in settings.people.items()}
    return Role(roles.get(person.key, Role.READER))


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
