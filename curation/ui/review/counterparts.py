"""The passages on the screen compared: where to start reading, what stands where in a version."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from curation.domain import passages
from curation.domain.segments import Span, sentences, words
from curation.ui.review.picks import Passage, Selection

_MOST_COMPARED = 60_000  # longer texts are not compared word by word
_NEAR = 8  # lines around the best one that may tell more
_HEADING = re.compile(r"\s*#")
_ASKS = ("?", "\uff1f", "\u061f")


class Start(NamedTuple):
    """A block and the number of the sentence in it."""

    block: str
    sentence: int


@lru_cache(maxsize=512)
def word_spans(text: str) -> tuple[Span, ...]:
    """Return the words of a whole text."""
    return words(text, (0, len(text)))


@lru_cache(maxsize=512)
def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return the sentences of a text."""
    return sentences(text)


@lru_cache(maxsize=256)
def differing_words(text: str, other: str) -> tuple[Span, ...]:
    """Return the words of a text that stand otherwise in the other version."""
    if text == other or max(len(text), len(other)) > _MOST_COMPARED:
        return ()
    return passages.differing_words(text, other)


def counterpart_of(selection: Selection, other: Passage) -> Selection | None:
    """Return the words of the other version that stand where the selected ones do."""
    text = selection.passage.text
    line = _line_of(text, selection.start)
    if line is None:
        return None
    there = passages.counterpart(
        line.of(text), other.text, before=text[: line.start], after=text[line.end :]
    )
    if there is None:
        return None
    if selection.start <= line.start and selection.end >= line.end:
        return Selection(passage=other, start=there.start, end=there.end)
    picked = Span(selection.start - line.start, min(selection.end, line.end) - line.start)
    found = passages.counterpart_words(picked, line.of(text), there.of(other.text))
    if found is None:
        return None
    return Selection(passage=other, start=there.start + found.start, end=there.start + found.end)


def _line_of(text: str, offset: int) -> Span | None:
    """Return the sentence that holds an offset, else the first after it."""
    return next((span for span in sentence_spans(text) if span.end > offset), None)


def start_of(
    question: str,
    correction: str,
    shown: Sequence[Passage],
    *,
    asked_for: str | None,
    pairs: Mapping[str, str],
) -> Start | None:
    """Return where the cursor starts: the most telling sentence of the passages shown.

    From a line that both versions say alike it goes to the nearest one that differs, and from a
    heading to the line below it.
    """
    found = passages.start_sentence(
        question,
        correction,
        [passages.Passage(p.text, p.doc_version) for p in shown],
        asked_for,
    )
    if found is None:
        return None
    passage = shown[found.chunk]
    other = next((p for p in shown if p.key == pairs.get(passage.key)), None)
    return Start(passage.key, _telling(passage.text, found.sentence, other.text if other else None))


@lru_cache(maxsize=512)
def best_sentence(text: str, wanted: tuple[str, ...]) -> int | None:
    """Return the sentence of a text that shares most with the question and the corrections."""
    question, *rest = (*wanted, "")
    found = passages.start_sentence(question, " ".join(rest), [passages.Passage(text)])
    return found.sentence if found else None


def telling_sentence(text: str, wanted: tuple[str, ...], other: str | None) -> int:
    """Return where the cursor stands in another version of a passage: where it differs from it."""
    return _telling(text, best_sentence(text, wanted) or 0, other)


def _telling(text: str, number: int, other: str | None) -> int:
    """Return the sentence itself, or the one near it that tells more."""
    spans = sentence_spans(text)
    differing = differing_words(text, other) if other is not None else ()
    near = sorted(range(len(spans)), key=lambda at: (abs(at - number), at))[: 2 * _NEAR]
    for at in near:
        if any(word.start < spans[at].end and word.end > spans[at].start for word in differing):
            return at
    below = range(number, min(len(spans), number + _NEAR))
    return next((at for at in below if _tells(spans[at].of(text))), number)


def _tells(sentence: str) -> bool:
    """Return whether a sentence can be an answer: a heading or a question is none."""
    return not _HEADING.match(sentence) and not sentence.rstrip().endswith(_ASKS)
