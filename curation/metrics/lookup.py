"""What a text says of every fact of a case."""

from functools import lru_cache

from curation.domain.case import (
    Answerable,
    Case,
    Decline,
    Fact,
    FactKind,
    FactRole,
    ForbiddenFact,
    Mention,
)
from curation.domain.verdict import FactPresence, Presence, TextFacts
from curation.metrics.facts import match_fact
from curation.metrics.forbidden import match_forbidden
from curation.metrics.presence import Match
from curation.metrics.terse import bare_values, statement_of
from curation.metrics.versions import versions_in

__all__ = [
    "asked_version",
    "asked_versions",
    "holds",
    "look_up",
    "look_up_forbidden",
    "look_up_reference",
]


def look_up(case: Case, text: str) -> TextFacts:
    """Return what a text says of every fact and every line of `declines` of a case."""
    version = asked_version(case)
    asked = text.replace("?", ".") if case.answerable is Answerable.UNDERSPECIFIED else text
    facts = [
        _found(fact, kind, number, _read(case, _said(kind, text, asked), fact, version))
        for kind in FactKind
        for number, fact in enumerate(case.facts.of(kind), start=1)
    ]
    declines = [
        _presence(line.id, None, number, _cached(text, line.text, line.any_of))
        for number, line in enumerate(_needed_lines(case), start=1)
    ]
    return TextFacts(facts=tuple(facts), declines=tuple(declines))


def _said(kind: FactKind, text: str, asked: str) -> str:
    """Return the text to look in: what must be asked back may stand in a question."""
    return asked if kind is FactKind.REQUIRED else text


def _needed_lines(case: Case) -> tuple[Decline, ...]:
    """Return what must be said not to be known: only a part of an answer can leave that open."""
    return case.declines if case.answerable is Answerable.PARTIAL else ()


def look_up_reference(case: Case, text: str) -> TextFacts:
    """Return what a reference says; one that declines must only hold nothing forbidden."""
    if case.answerable is Answerable.UNANSWERABLE:
        return TextFacts(facts=look_up_forbidden(case, text))
    return look_up(case, text)


def look_up_forbidden(case: Case, text: str) -> tuple[FactPresence, ...]:
    """Return what a text says of the forbidden facts of a case."""
    version = asked_version(case)
    return tuple(
        _found(fact, FactKind.FORBIDDEN, number, _read(case, text, fact, version))
        for number, fact in enumerate(case.facts.forbidden, start=1)
    )


def holds(text: str, fact: Fact) -> Presence:
    """Return whether a text says a fact, whoever's version it is of."""
    match = _cached(text, fact.text, fact.any_of, conclusion=fact.role is FactRole.CONCLUSION)
    return match.verdict


def asked_versions(case: Case) -> tuple[str, ...]:
    """Return the versions that the question names, else those of the last turn that names any."""
    for text in (case.question, case.standalone_question, *_user_turns(case)):
        named = versions_in(text) if text else ()
        if named:
            return tuple(dict.fromkeys(mention.normalised for mention in named))
    return ()


def _user_turns(case: Case) -> list[str]:
    """Return what the user said before, last first."""
    return [turn.text for turn in reversed(case.conversation) if turn.role == "user"]


def asked_version(case: Case) -> str | None:
    """Return the one version that the question is about; None where it names several."""
    asked = asked_versions(case)
    if not asked:
        return case.doc_version
    return asked[0] if len(asked) == 1 else None


def _read(case: Case, text: str, fact: Fact, version: str | None) -> Match:
    """Return the match of a fact, where that is unsure of the text as the question's answer."""
    match = _match(text, fact, version)
    if match.verdict is not Presence.UNSURE or _match(_said_by(case), fact, version).verdict in {
        Presence.PRESENT,
        Presence.ATTRIBUTED,
    }:
        return match
    for span in bare_values(text, case.question):
        statement = statement_of(case.question, span.of(text))
        read = _match(statement, fact, version)
        if read.verdict is Presence.PRESENT:
            return Match(verdict=read.verdict, span=(span.start, span.end), reason=read.reason)
    return match


def _said_by(case: Case) -> str:
    """Return what the question says by itself, which an answer need not have said."""
    return case.question.replace("?", ".")


def _match(text: str, fact: Fact, version: str | None) -> Match:
    if isinstance(fact, ForbiddenFact):
        never = fact.mention is Mention.NEVER
        return _cached_forbidden(text, fact.text, fact.any_of, fact.value_of, version, never=never)
    return _cached(text, fact.text, fact.any_of, conclusion=fact.role is FactRole.CONCLUSION)


@lru_cache(maxsize=4096)
def _cached(text: str, fact: str, any_of: tuple[str, ...], *, conclusion: bool = False) -> Match:
    """Return the match of a fact; a page asks for the same one at every key."""
    return match_fact(text, fact, any_of=any_of, conclusion=conclusion)


@lru_cache(maxsize=4096)
def _cached_forbidden(
    text: str,
    fact: str,
    any_of: tuple[str, ...],
    value_of: str | None,
    version: str | None,
    *,
    never: bool,
) -> Match:
    return match_forbidden(
        text, fact, any_of=any_of, value_of=value_of, version=version, never=never
    )


def _found(fact: Fact, kind: FactKind, number: int, match: Match) -> FactPresence:
    return _presence(fact.id, kind, number, match)


def _presence(fact_id: str, kind: FactKind | None, number: int, match: Match) -> FactPresence:
    return FactPresence(
        fact_id=fact_id,
        kind=kind,
        number=number,
        presence=match.verdict,
        span=match.span,
        reason=match.reason,
    )
