"""Every failure that the program names. Say what did not happen, why, and what to do."""


class CurationError(Exception):
    """The base of every error that a user may read.

    `exit_status` is what a command ends with: 1 for a finding or a refusal, 2 for usage or
    environment.
    """

    exit_status = 1


class PersonError(CurationError):
    """A person is not written as git needs it."""

    exit_status = 2

    def __init__(self, text: str) -> None:
        super().__init__(f'{text!r} does not name a person. Write it as "Name <email>".')


class ConfigError(CurationError):
    """The configuration of this home cannot be used."""

    exit_status = 2

    def __init__(self, where: str, problem: str, what_to_do: str) -> None:
        super().__init__(f"The configuration {where} cannot be used: {problem}. {what_to_do}")


class NotFoundError(CurationError):
    """Something was asked for by a name that nothing has."""

    exit_status = 2

    def __init__(self, what: str, name: str, what_to_do: str = "") -> None:
        super().__init__(f"There is no {what} {name!r}. {what_to_do}".rstrip())


class PolicyError(CurationError):
    """A golden.toml cannot be read as a policy."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where} is not a policy: {problem}. Correct it and try again.")


class CaseFormError(CurationError):
    """A case file does not have the form of a case."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        self.problem = problem
        super().__init__(f"{where} is not a case: {problem}. Correct it and try again.")


class RoleError(CurationError):
    """A person's role does not allow an act."""

    def __init__(self, act: str, needed: str, role: str) -> None:
        super().__init__(f"{act} needs the role {needed}. Yours is {role}.")
