"""What users do with an answer: it follows from whether the answer was right."""

import random
from collections.abc import Iterator

from curation.domain.base import Value
from curation.sample.questions import Question
from curation.sample.truth import Failure, Output, holds_truth, stated_forbidden

# How often a user notices, by failure: a wrong citation is rarely followed.
_NOTICED = {
    Failure.WRONG_VERSION: 0.72,
    Failure.MISSING_RETRIEVAL: 0.85,
    Failure.CONTEXT_PRECISION: 0.8,
    Failure.FAITHFULNESS: 0.6,
    Failure.ANSWER_RELEVANCY: 0.8,
    Failure.CITATION: 0.45,
    Failure.FALSE_ANSWER: 0.7,
    Failure.OVER_ABSTENTION: 0.85,
}
_THUMBS_UP = 0.3
_THUMBS_DOWN = 0.5
_CORRECTION = 0.4
_ESCALATION = 0.12
_REFORMULATION = 0.42
_WRONG_LINK = (
    "The value is fine but the link leads to another page.",
    "Cites the wrong section.",
)
_WRONG_NAMED = (
    "That is the value of {wrong_version}. For {v} it is {value}.",
    "{wrong}? No: {value} for {v}.",
    "you mixed up the versions, {said} is {value}",
)
_WRONG_CURRENT = (
    "That is the value of {wrong_version}. It is {value} now.",
    "{wrong} is outdated, {value} is right",
    "{said}: {value}, not {wrong}",
)
_RIGHT_NAMED = ("should be {value} ({v})", "In {v} it is {value}.")
_RIGHT = ("It is {value}.", "The docs say {value} for {said}.")


class Reaction(Value):
    """What a user does about one answer; `again` asks the same in other words."""

    signals: tuple[tuple[str, str | None], ...] = ()  # kind and comment
    again: bool = False

    @property
    def leaves(self) -> bool:
        """Whether the user gives up without a word."""
        return ("abandoned", None) in self.signals


def react(
    question: Question, output: Output, failure: Failure, rng: random.Random, *, may_ask: bool
) -> Reaction:
    """Return what the user does; nothing negative follows a right answer."""
    pleased = failure is Failure.NONE or _sees_nothing_wrong(question, output, failure)
    if pleased:
        liked = output["outcome"] == "answered" and rng.random() < _THUMBS_UP
        return Reaction(signals=(("thumbs_up", None),) if liked else ())
    if rng.random() >= _NOTICED[failure]:
        return Reaction()
    return _complaint(question, output, failure, rng, may_ask=may_ask)


def _sees_nothing_wrong(question: Question, output: Output, failure: Failure) -> bool:
    """Return whether the value is right, so that only its support is missing."""
    return failure is Failure.FAITHFULNESS and holds_truth(question.truth, output["answer"])


def _complaint(
    question: Question, output: Output, failure: Failure, rng: random.Random, *, may_ask: bool
) -> Reaction:
    signals: list[tuple[str, str | None]] = []
    if rng.random() < _THUMBS_DOWN:
        signals.append(("thumbs_down", None))
    if rng.random() < _CORRECTION and (words := _correction(question, output, failure, rng)):
        signals.append(("correction", words))
    if rng.random() < _ESCALATION:
        signals.append(("escalation", "Sent to a person."))
    if failure is Failure.CITATION:
        return Reaction(signals=tuple(signals))
    again = may_ask and rng.random() < _REFORMULATION
    if not again and not signals:
        signals.append(("abandoned", None))
    return Reaction(signals=tuple(signals), again=again)


def _correction(
    question: Question, output: Output, failure: Failure, rng: random.Random
) -> str | None:
    """Return the user's own words on what is right; None where nothing could be said."""
    if failure is Failure.CITATION:
        return rng.choice(_WRONG_LINK)
    words = list(_sayings(question, output))
    return rng.choice(words) if words else None


def _sayings(question: Question, output: Output) -> Iterator[str]:
    """Yield what a user may say; a sentence about the wrong value needs one in the answer."""
    known = {"v": question.version, "said": question.said}
    if question.value is not None:
        known["value"] = question.value
    stated = stated_forbidden(question.truth, output["answer"])
    if stated is not None:
        known["wrong_version"], known["wrong"] = stated
    for saying in (*question.corrections, *_templates(question, wrong_stated=stated is not None)):
        try:
            yield saying.format(**known)
        except KeyError:
            continue


def _templates(question: Question, *, wrong_stated: bool) -> tuple[str, ...]:
    """Return what anyone may say about a wrong value."""
    if question.value is None:
        return ()
    wrong = _WRONG_CURRENT if question.current else _WRONG_NAMED
    right = _RIGHT if question.current else (*_RIGHT, *_RIGHT_NAMED)
    return (*(wrong if wrong_stated else ()), *right)


def in_other_words(question: Question, wording: str, rng: random.Random) -> str:
    """Return the question asked again: another wording, or the same one insisted on."""
    others = [other for other in question.wordings if other != wording]
    if others:
        return rng.choice(others)
    return rng.choice((f"Again: {wording}", f"Sorry, I meant: {wording}", f"{wording} Precisely?"))
