"""What a gate says: pass, fail or undecided, with every reason."""

from enum import StrEnum

from curation.domain.base import Value


class Profile(StrEnum):
    """Which question a gate answers."""

    CI = "ci"
    PROMOTE = "promote"
    DEPLOY = "deploy"


class GateOutcome(StrEnum):
    """What a gate, or one of its rules, says."""

    PASS = "pass"  # noqa: S105 - the name of an outcome
    FAIL = "fail"
    UNDECIDED = "undecided"


class GateReason(Value):
    """One rule that did not pass (or did, among `passed`), with the numbers that decided it.

    `delta` is candidate minus baseline, `flipped` are the cases whose number changed, the lost
    ones first, `phrase` is the short form that the text output strings together.
    """

    rule: str
    outcome: GateOutcome
    metric: str | None = None
    slice: str | None = None
    baseline: float | None = None
    candidate: float | None = None
    delta: float | None = None
    interval: tuple[float, float] | None = None
    n: int | None = None
    flipped: tuple[str, ...] = ()
    message: str
    phrase: str


class GateResult(Value):
    """The decision of a gate. Rules decide on point values; intervals only annotate."""

    result: GateOutcome
    profile: Profile
    reasons: tuple[GateReason, ...] = ()
    warnings: tuple[str, ...] = ()
    not_set: tuple[str, ...] = ()
    passed: tuple[GateReason, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 pass, 1 fail, 2 could not judge."""
        return {GateOutcome.PASS: 0, GateOutcome.FAIL: 1, GateOutcome.UNDECIDED: 2}[self.result]

    @property
    def text(self) -> str:
        """The decision in one line, as people read it."""
        if self.result is GateOutcome.PASS:
            return "PROMOTE" if self.profile is Profile.PROMOTE else "PASS"
        head = "undecided"
        if self.result is GateOutcome.FAIL:
            head = "keep baseline" if self.profile is Profile.PROMOTE else "FAIL"
        own = [reason for reason in self.reasons if reason.outcome is self.result]
        return f"{head} \u2014 {'; '.join(_phrases(own))}"


PROTECTED_RULE = "protected_slice"


def _phrases(reasons: list[GateReason]) -> list[str]:
    """Return the short forms, the slices of one phrase put together, each once."""
    phrases: dict[str, list[str]] = {}
    for reason in reasons:
        slices = phrases.setdefault(reason.phrase, [])
        protected = reason.rule == PROTECTED_RULE and reason.slice is not None
        if protected and reason.slice not in slices:
            slices.append(str(reason.slice))
    return [f"{phrase}: {slices}" if slices else phrase for phrase, slices in phrases.items()]
