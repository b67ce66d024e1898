"""Forbidden facts: asserted for the question's version, attributed to another, or absent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.metrics.attribution import Asked, Standing, standing_of
from curation.metrics.facts import Verdict, match_part, match_wording
from curation.metrics.places import TextIndex, index_text
from curation.metrics.presence import Match, Presence
from curation.metrics.window import Finding, Outcome
from curation.metrics.wording import read_wording

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["match_forbidden"]


def match_forbidden(
    text: str,
    fact: str,
    *,
    any_of: Sequence[str] = (),
    value_of: str | None = None,
    version: str | None = None,
    never: bool = False,
) -> Match:
    """Return whether the text asserts a forbidden fact for the question's version.

    Args:
        text: The text as given; the span counts its code points.
        fact: The fact in its own words.
        any_of: Other wordings that count as well.
        value_of: The version or thing whose value the fact is.
        version: The version the question asks about; None where it names none.
        never: The value may not be mentioned at all: attributed counts as present.
    """
    asked = Asked(value_of=value_of, version=version)
    matches = [_match_wording(text, wording, asked) for wording in (fact, *any_of)]
    order = (Presence.PRESENT, Presence.UNSURE, Presence.ATTRIBUTED, Presence.ABSENT)
    match = min(matches, key=lambda match: order.index(match.verdict))
    if never and match.verdict is Presence.ATTRIBUTED:
        return Match(verdict=Presence.PRESENT, span=match.span, reason=match.reason)
    return match


def _match_wording(text: str, wording: str, asked: Asked) -> Match:
    read = match_wording(text, wording)
    plain = read.match
    parts = read_wording(wording)
    if plain.span is None or len(parts) != 1:
        return plain
    index = index_text(text)
    verdict = read if read.findings else match_part(index, parts[0])
    if verdict.match.verdict is Presence.ABSENT:
        changed = plain.verdict is Presence.ABSENT and any(one.old for one in verdict.findings)
        reason = "said as what it was before"
        return replace(plain, verdict=Presence.ATTRIBUTED, reason=reason) if changed else plain
    told = [_Told(finding, standing_of(index, finding, asked)) for finding in _said(verdict)]
    return _worst(index, plain, told)


@dataclass(frozen=True, slots=True)
class _Told:
    finding: Finding
    standing: Standing


def _said(verdict: Verdict) -> list[Finding]:
    """Return the findings that say the fact or may say it."""
    wanted = {Outcome.PRESENT}
    if verdict.match.verdict is not Presence.PRESENT:
        wanted = {Outcome.DOUBT}
    return [finding for finding in verdict.findings if finding.outcome in wanted]


def _worst(index: TextIndex, plain: Match, told: Sequence[_Told]) -> Match:
    """Return the verdict of the place that says it most plainly for the question's version."""
    if not told:
        return plain
    order = (Standing.ASSERTED, Standing.DOUBTFUL, Standing.ATTRIBUTED)
    worst = min(told, key=lambda one: order.index(one.standing))
    span = index.reading.span(worst.finding.first, worst.finding.last)
    if worst.standing is Standing.ATTRIBUTED:
        return Match(verdict=Presence.ATTRIBUTED, span=span, reason="said of another version")
    if worst.standing is Standing.DOUBTFUL:
        reason = "which version it is said of cannot be told"
        return Match(verdict=Presence.UNSURE, span=span, reason=reason)
    return Match(verdict=plain.verdict, span=span, reason=worst.finding.reason)
