"""Extractive answers: the best sentences of the chunks that reached the prompt, with citations."""

import re
from collections.abc import Sequence
from enum import StrEnum

from curation.domain.base import Value
from curation.sample.retrieval import Asked
from curation.sample.search import Found, Index
from curation.sample.text import sentences

_NO_ANSWER = "I could not find this in the documentation."
_SEATS = re.compile(r"\b(?P<seats>\d+)\s+(?:\w+\s+)?(?:seats|users|people)\b", re.IGNORECASE)
_PER_SEAT = re.compile(r"(?:seat and month: |seat costs )\$(?P<price>\d+)")
_LONG_SECONDS = re.compile(r"(?<![\d.,])(?P<seconds>\d{2,}) s\b")
_DIGITS = re.compile(r"\d+")
_TITLE_SHARE = 0.4
_RANK_SHARE = 0.25
_NUMBER_BONUS = 0.3
_SECOND_BEST = 0.7


class Citing(StrEnum):
    """Which chunk a sentence cites."""

    FIRST = "first"  # the first chunk of the prompt, for every sentence
    OWN = "own"  # the chunk that the sentence was taken from


class Generator(Value):
    """How answers are made: every part that a release of the pipeline may change."""

    used: int  # chunks that reach the prompt
    abstain_below: float  # share of the question's weight that the best chunk must hold
    citing: Citing
    minutes: bool  # long durations are told in whole minutes
    clarifies: bool  # a question of one word is answered by a question


class Reply(Value):
    """An answer with the numbers of the chunks it cites."""

    text: str
    outcome: str
    cited: tuple[int, ...] = ()


class _Candidate(Value):
    sentence: str
    rank: int
    score: float


def reply(generator: Generator, asked: Asked, found: Sequence[Found], index: Index) -> Reply:
    """Return the answer of the generator to a question from what was retrieved."""
    used = found[: generator.used]
    if generator.clarifies and used and len(asked.words) == 1:
        return _question_back(used)
    confident = _confidence(asked, used, index) >= generator.abstain_below
    candidates = _candidates(asked, used, index) if confident else []
    if not candidates:
        return Reply(text=_NO_ANSWER, outcome="abstained")
    return _composed(generator, asked, _chosen(candidates))


def _question_back(used: Sequence[Found]) -> Reply:
    """Return a question that offers the sections found."""
    *others, last = dict.fromkeys((found.chunk.title or "").split(": ")[-1] for found in used)
    choices = " or ".join([", ".join(others), last] if others else [last])
    return Reply(text=f"Which one do you mean: {choices}?", outcome="clarified")


def _confidence(asked: Asked, used: Sequence[Found], index: Index) -> float:
    """Return the share of the question that the best chunk of the prompt holds."""
    texts = (f"{found.chunk.title} {found.chunk.text}" for found in used)
    return max((index.share(asked.words, text) for text in texts), default=0.0)


def _candidates(asked: Asked, used: Sequence[Found], index: Index) -> list[_Candidate]:
    candidates = []
    for rank, found in enumerate(used, start=1):
        prior = _RANK_SHARE / rank + _TITLE_SHARE * index.share(
            asked.words, found.chunk.title or ""
        )
        for sentence in sentences(found.chunk.text):
            held = index.share(asked.words, sentence)
            bonus = _NUMBER_BONUS if held and _DIGITS.search(sentence) else 0.0
            score = held + prior + bonus
            candidates.append(_Candidate(sentence=sentence, rank=rank, score=score))
    return candidates


def _chosen(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the best sentence, and a second one that is nearly as good and says something else."""
    ordered = sorted(candidates, key=lambda c: -c.score)
    best = ordered[0]
    wording = _DIGITS.sub("#", best.sentence)
    second = (
        c
        for c in ordered[1:]
        if c.score >= _SECOND_BEST * best.score and _DIGITS.sub("#", c.sentence) != wording
    )
    return [best, *([found] if (found := next(second, None)) else [])]


def _composed(generator: Generator, asked: Asked, chosen: Sequence[_Candidate]) -> Reply:
    ranks = [1 if generator.citing is Citing.FIRST else c.rank for c in chosen]
    parts = [
        _marked(_in_minutes(c.sentence) if generator.minutes else c.sentence, rank)
        for c, rank in zip(chosen, ranks, strict=True)
    ]
    total = _total(asked.question, " ".join(c.sentence for c in chosen))
    text = " ".join([*parts, *([total] if total else [])])
    return Reply(text=text, outcome="answered", cited=tuple(dict.fromkeys(ranks)))


def _marked(sentence: str, rank: int) -> str:
    """Return the sentence with its citation marker before the full stop."""
    body, end = (sentence[:-1], sentence[-1]) if sentence[-1] in ".!?" else (sentence, "")
    return f"{body} [{rank}]{end}"


def _total(question: str, text: str) -> str | None:
    """Return the sum for the number of seats that the question names, from the first price."""
    seats, price = _SEATS.search(question), _PER_SEAT.search(text)
    if seats is None or price is None:
        return None
    count, each = int(seats["seats"]), int(price["price"])
    return f"For {count} seats that is ${count * each} per month."


def _in_minutes(sentence: str) -> str:
    """Return the sentence with durations from 90 s on in whole minutes, as this release tells them.

    Rounding loses the half minutes: this is a flaw, and a real one.
    """

    def told(found: re.Match[str]) -> str:
        seconds = int(found["seconds"])
        if seconds < 90:
            return found[0]
        return f"{(seconds + 30) // 60} minutes"

    return _LONG_SECONDS.sub(told, sentence)
