"""Whether an answer answers, declines or asks back, decided by its phrases.

The rule, used where the pipeline did not log an outcome:

1. Blank text, or a word like `N/A`, is abstained.
2. A sentence *declines* when it holds a declining phrase ("I do not have that information", "the
   documents do not say"); courtesy ("Sorry.", "Please contact ...") says nothing.
3. All sentences decline or are courtesy: abstained; one of them asks back: clarified.
4. All sentences ask back or are courtesy: clarified.
5. The first sentence with content declines and others state something, or a declining sentence
   stands alone and states something too: undecided. So is a short answer that ends by asking.
6. Everything else is answered.
"""

import re
from functools import lru_cache

from curation.domain.answer import Outcome
from curation.domain.segments import sentences
from curation.metrics import quantities
from curation.metrics.normalise import fold

__all__ = ["outcome_of"]

_NOTHING = frozenset({"", "n/a", "na", "none", "null", "nil", "unknown", "-", "no answer"})
_SHORT_ANSWER = 3  # a question back after fewer sentences than this leaves it open


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases."""
    return re.compile("|".join(f"(?:{phrase})" for phrase in phrases))


_SOME = r"(?:\w+ ){0,4}?"
_INFORMATION = (
    r"\b(?:information|info|details?|answers?|data|knowledge|definition|documentation|mention|"
    r"context|specifics|record)\b"
)
_SOURCES = (
    r"\b(?:documents?|documentation|docs|context|passages?|sources?|texts?|articles?|corpus|manual|"
    r"excerpts?|information|knowledge base|results?|materials?|handbook|pages?)\b"
)
_SAY = (
    r"(?:contain|include|mention|say|state|provide|specif|cover|describe|answer|address|list|"
    r"explain|discuss|give|tell|have|indicate|offer|define|document)\w*"
)
_DECLINES = _any_of(
    r"\b(?:i|we)(?: am| are|'m|'re)? (?:\w+ ){0,4}?(?:not|cannot|can't|don't|couldn't|unable)\b "
    rf"{_SOME}(?:have|find|know|see|provide|locate|give|access|offer|generate)\b[^.;]{{0,60}}"
    rf"{_INFORMATION}",
    r"\b(?:i|we) (?:do not|don't|cannot|can't|can not|could not|couldn't) "
    r"(?:know|answer|tell|say|help|provide|determine|find (?:any|that|this|it|an))\b",
    r"\b(?:i am|i'm|we are|we're) (?:not (?:sure|able|aware|certain|familiar)|unable|unaware)\b",
    r"\b(?:not able|unable) to (?:provide|answer|find|help|give|determine)\b",
    rf"{_SOURCES}[^.;]{{0,60}} (?:not|no|doesn't|don't|didn't|cannot|can't) (?:\w+ ){{0,3}}?{_SAY}",
    rf"\bthere(?: is|'s| are| was) (?:no|not (?:any|enough)) (?:\w+ ){{0,3}}?{_INFORMATION}",
    rf"\bno (?:\w+ ){{0,2}}?{_INFORMATION} (?:\w+ ){{0,3}}?"
    r"(?:available|found|provided|given|on|about|in|is|was|regarding)\b",
    r"\b(?:is|are|was|were) not (?:\w+ )?(?:mentioned|documented|specified|provided|covered|"
    r"stated|described|given|included|answered|available|contained) "
    rf"(?:\w+ ){{0,3}}?{_SOURCES}",
    r"\b(?:insufficient|not enough) (?:information|context|data|evidence|details)\b",
    r"\bsorry for not being able\b",
    r"\b(?:can ?not|could not|can't) be (?:answered|determined)\b",
    r"\banswer (?:can ?not|could not|can't) be (?:provided|given|found)\b",
    r"\bno (?:relevant )?answer (?:can|could|was|is)\b",
    rf"\bi(?: have|'ve) no (?:\w+ ){{0,2}}?(?:idea|clue|{_INFORMATION})",
)
_COURTESY = re.compile(
    r"^(?:(?:i am|i'm|we are|we're)? ?(?:very |so |really )?sorry\b[^.]{0,60}"
    r"|(?:my |our )?apologies[^.]{0,60}|i apologi[sz]e[^.]{0,80}|unfortunately[,.]?|hello|hi"
    r"|thank(?:s| you)[^.]{0,60}|i(?:'d| would) be (?:happy|glad) to help[^.]{0,40}"
    r"|(?:please|you (?:can|could|may|might|should)) [^.]{0,160}\b(?:contact|check|consult|visit"
    r"|reach|refer|let me know|ask|look|try|see|rephrase|search|provide|share|tell)\b.*"
    r"|if you (?:have|need|want|would|could|can)\b.*|let me know\b.*|feel free\b.*"
    r"|(?:is there|can i|may i|could i|would you like)\b.*\?"
    r"|how (?:can|may|else can) i (?:help|assist)\b.*)[.!?]*$"
)
_ASKS_BACK = _any_of(
    r"\b(?:could|can|would|will) you (?:please )?(?:clarify|specify|tell me|say|provide|explain|"
    r"share|be more|give|rephrase|elaborate|confirm|let me know|name|indicate)\b",
    r"\b(?:do|did) you mean\b|\bwhat do you mean\b",
    r"\b(?:which|what) (?:\w+ ){0,4}(?:do|are|did|would|have) you\b",
    r"\bare you (?:asking|looking|referring|talking|using|interested|on|running)\b",
    r"\b(?:please|kindly) (?:clarify|specify|provide|tell me|say|name|indicate|give|confirm)\b",
    r"\bi (?:would )?need (?:to know|more (?:information|details|context))\b",
    r"\b(?:which|what) (?:version|product|edition|plan|one|country|model|type|environment)\b"
    r"[^.?]{0,80}\?",
)
_FRAME = re.compile(r"\s*(?:based on|according to|in|from|as of|after|having|regarding)\b")
_CLAUSE = re.compile(r"[,;] |\bbut\b|\bhowever\b")


@lru_cache(maxsize=1024)
def outcome_of(answer: str) -> Outcome | None:
    """Return what an answer does by the phrase rule; None where the rule cannot tell."""
    if _flat(answer[:200]).strip(" .!\"'") in _NOTHING:
        return Outcome.ABSTAINED
    parts = [_flat(span.of(answer)) for span in sentences(answer)]
    declining = [part for part in parts if _DECLINES.search(part)]
    asking = [part for part in parts if _ASKS_BACK.search(part)]
    content = [part for part in parts if part in declining or not _COURTESY.match(part)]
    stating = [part for part in content if part not in declining and part not in asking]
    if not stating:
        return _without_statement(declining, asking)
    if content[0] in declining or _ends_by_asking(parts, asking, stating):
        return None
    return Outcome.ANSWERED


def _without_statement(declining: list[str], asking: list[str]) -> Outcome | None:
    """Return the outcome of an answer whose sentences decline, ask back or are courtesy."""
    if asking:
        return Outcome.CLARIFIED
    if not declining or any(_states_too(part) for part in declining):
        return None
    return Outcome.ABSTAINED


def _states_too(part: str) -> bool:
    """Return whether clauses of some length stand before the one that declines."""
    found = _DECLINES.search(part)
    before = part[: found.start()] if found else ""
    clauses = _CLAUSE.split(before)[:-1]
    said = [
        clause for clause in clauses if not _COURTESY.match(clause) and not _FRAME.match(clause)
    ]
    return sum(len(clause.split()) for clause in said) >= 5


def _ends_by_asking(parts: list[str], asking: list[str], stating: list[str]) -> bool:
    """Return whether little is stated before a closing question to the user."""
    if not asking or parts[-1] not in asking:
        return False
    little = len(stating) < _SHORT_ANSWER and not any(quantities(part) for part in stating)
    return little or parts[0] in asking


def _flat(part: str) -> str:
    return " ".join(fold(part).text.split())
