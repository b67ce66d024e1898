"""Refusals of the use cases: what did not happen, why, and what to do."""

from datetime import datetime

from curation.domain.finding import Finding
from curation.domain.person import Person
from curation.errors import CurationError


class HeldError(CurationError):
    """An answer is held by somebody else."""

    def __init__(self, name: str, until: datetime) -> None:
        self.name, self.until = name, until
        super().__init__(
            f"{name} holds this answer until {until:%H:%M}. "
            "You can read it; you cannot give a verdict."
        )


class FinishedError(CurationError):
    """An answer already has its verdict."""

    def __init__(self, person: Person, at: datetime, outcome: str) -> None:
        self.person, self.at, self.outcome = person, at, outcome
        super().__init__(f"{person.name} finished this answer at {at:%H:%M} ({outcome}).")


class BlockedError(CurationError):
    """Checks found something to fix, so nothing was proposed."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        errors = [f for f in findings if f.blocks]
        first = errors[0].message if errors else ""
        more = f" And {len(errors) - 1} more." if len(errors) > 1 else ""
        super().__init__(f"Nothing was proposed: {first}{more}")


class SecretError(CurationError):
    """What would be committed for good holds a secret, so nothing was proposed."""

    def __init__(self, kind: str, where: str) -> None:
        super().__init__(f"Nothing was proposed: {kind} is in {where}. Remove it.")


class UnexplainedError(CurationError):
    """Warnings have no word of why, so nothing was proposed."""

    def __init__(self, findings: tuple[Finding, ...], unexplained: tuple[Finding, ...]) -> None:
        self.findings, self.unexplained = findings, unexplained
        names = ", ".join(dict.fromkeys(f.check.value for f in unexplained))
        super().__init__(
            f"Nothing was proposed: {unexplained[0].message} "
            f"Say why it is right with --ack CHECK=WHY, for: {names}."
        )


class ReasonMissingError(CurationError):
    """An act that needs a reason came without one."""

    def __init__(self, act: str) -> None:
        super().__init__(f"{act} needs a word of why. Write one.")


class FailureUnexplainedError(ReasonMissingError):
    """It was said that nothing failed, without a word of why."""

    def __init__(self) -> None:
        CurationError.__init__(
            self,
            "Nothing was proposed: you say that nothing failed, without a word of why. "
            "Write it under Where it failed.",
        )


class SupersededByItselfError(CurationError):
    """A case was to be superseded by itself."""

    exit_status = 2

    def __init__(self, case_id: str) -> None:
        super().__init__(f"Nothing was proposed: {case_id} cannot supersede itself. Name another.")


class OtherChangeError(CurationError):
    """A patch set is not about what its change is about."""

    exit_status = 2

    def __init__(self, number: str, what: str) -> None:
        super().__init__(
            f"Nothing was proposed: change {number} is {what}, and the file is not. "
            "Propose the file as a change of its own; withdraw this one if it is wrong."
        )


class NotApprovableError(CurationError):
    """A change cannot be approved by this person as it stands."""

    def __init__(self, why: str) -> None:
        super().__init__(why)


class ChangeClosedError(CurationError):
    """A change is published or withdrawn, so nothing more can happen to it."""

    def __init__(self, number: str, state: str) -> None:
        super().__init__(f"Change {number} is {state}, so nothing was done.")


class VerdictsDifferError(CurationError):
    """A change cannot be withdrawn while it is not settled which of two verdicts stands."""

    def __init__(self, number: str) -> None:
        super().__init__(
            f"Change {number} was not withdrawn: two verdicts on its answer differ. "
            "Settle first which of them stands."
        )


class NothingToUndoError(CurationError):
    """There is no verdict that could be taken back."""

    def __init__(self, why: str) -> None:
        super().__init__(why)


class UnknownFormatError(CurationError):
    """An export was asked for in a format that is not written."""

    exit_status = 2

    def __init__(self, name: str) -> None:
        super().__init__(f"Nothing was exported: {name!r} is no format. Use jsonl or seeds.")


class NothingToSampleError(CurationError):
    """Every answer of the period has its review, or there is none."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing was drawn: every answer of this period is reviewed, or there is none. "
            "Choose a longer period, or bring in a log."
        )
