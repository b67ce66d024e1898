"""What a user's next question says of the answer before it: reformulation, follow-up, abandoned.

The rules look at the session alone and never at a judge: what they find is shown to reviewers
before their verdict. A release that finds other signals raises `RULES`, so that stores derive anew.

1. *Reformulation*: the next question asks the same again. `same_question`: equal after
   normalisation. `near_question`: similar, with the same numbers, negation and subject.
   `says_again`: it says so itself ("I meant ...", "that is not what I asked", "are you sure").
   `same_words`: one question's words about the subject all stand in the other, and both ask for the
   same kind of thing. `narrowed`: all the words about the subject come again, with more of them.
2. *Follow-up*: it goes on from the answer. `refers_back`: by a pronoun, or because it is no whole
   question. `same_subject`: it shares a word about the subject with the question before it. Thanks,
   a change of subject, and the reply to an answer that asked back are neither.
3. *Abandoned*: no further turn although the answer was empty, declined, or disliked.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from rapidfuzz.fuzz import ratio

from curation.domain.answer import Outcome, Signal, SignalKind
from curation.domain.base import Value
from curation.domain.same_question import asked_about, may_be_same, sorted_words
from curation.domain.wording import anchors, negated, telling_words
from curation.metrics.abstention import outcome_of
from curation.metrics.normalise import same_question_key

__all__ = ["RULES", "SessionTurn", "derived_signals", "is_derived"]

RULES = 1
NEAR = 80  # similarity of two questions with their words sorted, of 100
LOOK = 20  # answers of a session in which the next question is looked for
SITTING = timedelta(hours=12)  # a question later than this is not what the user did next
IDLE = timedelta(minutes=30)  # a session may still go on for so long
_NO_DATE = datetime(1, 1, 1, tzinfo=UTC)
_PREFIX = "session/"
_SUBJECT = 2  # words; fewer are no subject of their own
_NARROWED = 3
_OUTRIGHT = 4  # so many words that come again leave no doubt about what is asked for
_SURE = {
    "same_question": 0.95,
    "near_question": 0.85,
    "says_again": 0.7,
    "same_words": 0.6,
    "narrowed": 0.5,
    "refers_back": 0.9,
    "same_subject": 0.8,
    "empty_answer": 0.9,
    "disliked_answer": 0.9,
    "declined": 0.7,
}
_NEGATIVE = frozenset({SignalKind.THUMBS_DOWN, SignalKind.ESCALATION, SignalKind.CORRECTION})
_WENT_ON = frozenset({SignalKind.FOLLOW_UP, SignalKind.REFORMULATION})
_AGAIN = re.compile(
    r"^\W*(?:no|nope|sorry|again|but)?\W*(?:"
    r"i (?:meant|mean|asked|am asking|was asking|said|already (?:said|asked))\b"
    r"|i'm asking\b|(?:that is|that's|this is|it is) not what i\b|not what i (?:asked|meant)\b"
    r"|let me (?:rephrase|ask (?:again|differently)|repeat)\b|to rephrase\b|in other words\b"
    r"|you (?:did not|didn't|have not|haven't) (?:answer|understand|understood|answered)\b"
    r"|(?:that|this) (?:does not|doesn't|did not|didn't) (?:answer|help)\b|my question (?:is|was)\b"
    r"|are you sure\b|(?:that is|that's|this is) (?:wrong|incorrect|not (?:right|true|correct))\b)"
)
_PRAISE = (
    r"(?:(?:that is|that's|this is|it is) (?:fine|ok(?:ay)?|great|good|all|clear)|ok(?:ay)?|great"
    r"|thanks?|thank you|thx|got it|perfect|cool|nice|bye|goodbye|good|wow|so much|very much|a lot"
    r"|you|for (?:the|your|that) \w+|that help(?:s|ed))"
)
_THANKS = re.compile(rf"^\W*{_PRAISE}(?:\W+{_PRAISE})*\W*$")
_DEFINITION = re.compile(r"^(?:what (?:is|are)|what's|define|explain|tell me about)\b")
_QUESTION = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|"
    r"would|should|has|have|had|may)\b"
)
_WEAK = frozenset({
    "use", "work", "get", "make", "like", "want", "know", "need", "even", "still", "also", "go",
    "way", "thing", "help", "good", "kind", "type", "differenc",
})  # fmt: skip
_REFERS = re.compile(
    r"\b(?:it|its|this|these|those|they|them|their|he|she|him|her|his|ones|which one|"
    r"such|else|another|others?|more|instead|both|either|also|too)\b"
    r"|^\W*(?:and|so|but|that|what about|how about)\b"
)
_WORD_END = re.compile(r"(?:ing|ed|es|s|e)$")


class SessionTurn(Value):
    """One answer of a session: what was asked, answered and signalled."""

    answer_id: str
    question: str
    answer: str
    outcome: Outcome | None = None
    asked_at: datetime | None = None
    earlier: tuple[str, ...] = ()  # the user's earlier turns as logged
    logged: tuple[SignalKind, ...] = ()  # signals that were not derived


def is_derived(rule: str | None) -> bool:
    """Return whether a signal's rule is one of these, in any release."""
    return rule is not None and rule.startswith(_PREFIX)


def derived_signals(
    turns: Sequence[SessionTurn], newest: datetime | None
) -> dict[str, tuple[Signal, ...]]:
    """Return the signals of each answer of one session; one that the log has is not derived.

    Args:
        turns: the answers of one session in any order.
        newest: when the newest answer of all sessions was asked.
    """
    ordered = sorted(turns, key=_order)
    found: dict[str, tuple[Signal, ...]] = {}
    for at, turn in enumerate(ordered):
        text, when = _next_question(turn, ordered[at + 1 : at + 1 + LOOK])
        signal = _abandoned(turn, newest) if text is None else _after(turn, text, when)
        known = signal is None or signal.kind in turn.logged
        found[turn.answer_id] = () if signal is None or known else (signal,)
    return found


def _order(turn: SessionTurn) -> tuple[bool, datetime, int, str]:
    undated = turn.asked_at is None
    return (undated, turn.asked_at or _NO_DATE, len(turn.earlier), turn.answer_id)


def _next_question(
    turn: SessionTurn, later: Sequence[SessionTurn]
) -> tuple[str | None, datetime | None]:
    """Return what the user said next and when; a turn that was not logged by itself counts too."""
    for other in later:
        if _far(turn, other):
            return None, None
        if turn.question in other.earlier:
            place = len(other.earlier) - 1 - other.earlier[::-1].index(turn.question)
            after = other.earlier[place + 1 :]
            return (after[0], None) if after else (other.question, other.asked_at)
        if _is_later(turn, other) and _same_thread(turn, other):
            return other.question, other.asked_at
    return None, None


def _is_later(turn: SessionTurn, other: SessionTurn) -> bool:
    return None not in (turn.asked_at, other.asked_at) and turn.asked_at != other.asked_at


def _same_thread(turn: SessionTurn, other: SessionTurn) -> bool:
    """Return whether an answer whose log lacks the question goes on with the same conversation.

    Some systems leave declined turns out of what they hand on; others hand on nothing.
    """
    return not other.earlier or bool(set(turn.earlier) & set(other.earlier))


def _far(turn: SessionTurn, other: SessionTurn) -> bool:
    if turn.asked_at is None or other.asked_at is None:
        return False
    return other.asked_at - turn.asked_at > SITTING


def _after(turn: SessionTurn, text: str, when: datetime | None) -> Signal | None:
    """Return what the next question says; after an answer that asked back it is the reply."""
    if _outcome(turn) is Outcome.CLARIFIED:
        return None
    rule = _reformulates(turn.question, text)
    if rule is not None:
        return _signal(SignalKind.REFORMULATION, rule, text, when)
    rule = _follows(turn.question, text)
    return None if rule is None else _signal(SignalKind.FOLLOW_UP, rule, text, when)


def _reformulates(question: str, text: str) -> str | None:
    """Return the rule by which the text asks the question again."""
    key, other = same_question_key(question), same_question_key(text)
    if not key or not other:
        return None
    if key == other:
        return "same_question"
    alike = ratio(sorted_words(key), sorted_words(other)) >= NEAR
    if alike and may_be_same(key, other):
        return "near_question"
    if _AGAIN.search(text.casefold().replace("\u2019", "'")):
        return "says_again"
    if _same_words(key, other):
        return "same_words"
    return "narrowed" if _narrowed(key, other) else None


def _narrowed(key: str, other: str) -> bool:
    """Return whether all the words about the subject come again, with more of them."""
    own, others = _stems(key), _stems(other)
    if len(own) < _NARROWED or not own < others or negated(key) != negated(other):
        return False
    if _DEFINITION.match(key) and _QUESTION.match(other):
        return False  # every question about a thing names it
    asked, then = asked_about(key), asked_about(other)
    return asked == then or (len(own) >= _OUTRIGHT and not (asked and then))


def _same_words(key: str, other: str) -> bool:
    """Return whether two questions are about the same words and ask for the same kind of thing."""
    if anchors(key) != anchors(other) or negated(key) != negated(other):
        return False
    if _kind_of(key) != _kind_of(other):
        return False
    own, others = _stems(key), _stems(other)
    fewer, more = sorted((own, others), key=len)
    return len(fewer) >= _SUBJECT and fewer <= more and len(more - fewer) <= 1


def _kind_of(key: str) -> tuple[str, frozenset[str]]:
    """Return what a question begins with, and the kind of thing that it asks for."""
    first = key.split(maxsplit=1)[0]
    return (first, asked_about(key))


def _stems(key: str) -> frozenset[str]:
    return frozenset(_WORD_END.sub("", word) for word in telling_words(key))


def _follows(question: str, text: str) -> str | None:
    """Return the rule by which the text goes on from the question's answer."""
    flat = text.casefold().strip()
    if not flat or _THANKS.match(flat):
        return None
    if _REFERS.search(flat) or len(telling_words(flat)) < _SUBJECT:
        return "refers_back"
    shared = _stems(flat) & _stems(question.casefold()) - _WEAK
    return "same_subject" if shared else None


def _abandoned(turn: SessionTurn, newest: datetime | None) -> Signal | None:
    """Return the signal of a user who left after an answer that did not help."""
    if _WENT_ON & set(turn.logged):
        return None  # the log lacks the next answer, and says that there was a next question
    if turn.asked_at is None or newest is None or newest - turn.asked_at < IDLE:
        return None  # without a date nobody knows whether the session ended
    rule = _did_not_help(turn)
    if rule is None:
        return None
    return _signal(SignalKind.ABANDONED, rule, turn.answer, None)


def _did_not_help(turn: SessionTurn) -> str | None:
    """Return the rule by which an answer did not help."""
    if not turn.answer.strip():
        return "empty_answer"
    if _NEGATIVE & set(turn.logged):
        return "disliked_answer"
    return "declined" if _outcome(turn) is Outcome.ABSTAINED else None


def _outcome(turn: SessionTurn) -> Outcome | None:
    return turn.outcome or outcome_of(turn.answer)


def _signal(kind: SignalKind, rule: str, text: str, when: datetime | None) -> Signal:
    return Signal(
        kind=kind,
        comment=text.strip() or None,
        at=when,
        confidence=_SURE[rule],
        rule=f"{_PREFIX}{RULES}:{rule}",
    )
