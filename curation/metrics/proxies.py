"""Grades without a model: what quantities, citations and shared words can tell of an answer.

They stand in for a judge where none is configured, and are named as what they are. Each is a share
turned into a grade of 0, 1 or 2, told in its reason; None where there is nothing to look at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curation.domain.judging import JudgeMetric, Material, Passage
from curation.domain.segments import sentences
from curation.metrics.support import faithfulness
from curation.metrics.versions import same_version, versions_in
from curation.metrics.words import STOPWORDS, stem

__all__ = ["ProxyGrade", "proxy_grades", "proxy_relevance"]

_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
_MUCH, _SOME = 0.6, 0.3
_SUPPORTED = 0.5


@dataclass(frozen=True, kw_only=True)
class ProxyGrade:
    """A grade and how it came about; with the chunk that it is about, if it is about one."""

    metric: JudgeMetric
    value: int
    reason: str
    chunk_id: str | None = None


def proxy_grades(material: Material) -> tuple[ProxyGrade, ...]:
    """Return every grade that can be told of an answer, chunks first."""
    asked = _words(material.question)
    chunks = [
        proxy_relevance(asked, material.question, passage) if passage.text else None
        for passage in material.passages
    ]
    found = [*chunks, _faithfulness(material), _relevancy(material, asked)]
    found += [_precision([None if chunk is None else chunk.value for chunk in chunks])]
    found += [_citations(material)]
    if material.golden:
        found += [_recall(material)]
    return tuple(grade for grade in found if grade is not None)


def proxy_relevance(asked: frozenset[str], question: str, passage: Passage) -> ProxyGrade | None:
    """Return the share of the question's words in a passage; another version is at most 1."""
    if not asked:
        return None
    share = _share(asked, _words(passage.text or ""))
    grade = _graded(share)
    reason = f"The chunk holds {share:.0%} of the question's words."
    named = [version.normalised for version in versions_in(question)]
    other = passage.doc_version is not None and named
    if other and not any(same_version(name, passage.doc_version) for name in named):
        grade = min(grade, 1)
        reason += f" It is of {passage.doc_version}, and the question names {', '.join(named)}."
    return ProxyGrade(
        metric=JudgeMetric.RELEVANCE, value=grade, reason=reason, chunk_id=passage.chunk_id
    )


def _faithfulness(material: Material) -> ProxyGrade | None:
    """Return how many of the answer's quantities stand in what its writer was shown."""
    if not material.answered:
        return None
    shown = [p.text for p in material.passages if p.used and p.text]
    turns = [turn.text for turn in material.conversation]
    found = faithfulness(material.answer, [*shown, material.question, *turns])
    if not found.n_checked:
        return None
    held = found.n_checked - len(found.unsupported)
    value = 2 if held == found.n_checked else 1 if found.value >= 0.5 else 0
    reason = f"{held} of {found.n_checked} quantities stand in the retrieved text"
    missing = ", ".join(dict.fromkeys(quantity.text for quantity in found.unsupported))
    reason += f"; not found: {missing}." if missing else "."
    return ProxyGrade(metric=JudgeMetric.FAITHFULNESS, value=value, reason=reason)


def _relevancy(material: Material, asked: frozenset[str]) -> ProxyGrade | None:
    """Return the share of the question's words in the answer and in what it cites."""
    if not asked or not material.answered:
        return None
    texts = [material.answer, *(passage.text or "" for passage in material.cited)]
    share = _share(asked, _words("\n".join(texts)))
    reason = f"The answer and what it cites hold {share:.0%} of the question's words."
    return ProxyGrade(metric=JudgeMetric.ANSWER_RELEVANCY, value=_graded(share), reason=reason)


def _precision(grades: Sequence[int | None]) -> ProxyGrade | None:
    """Return the average precision of the chunks by their own grades of 1 and above."""
    known = [grade for grade in grades if grade is not None]
    if not known:
        return None
    hits = [rank for rank, grade in enumerate(known, start=1) if grade >= 1]
    value = sum(number / rank for number, rank in enumerate(hits, start=1)) / max(len(hits), 1)
    grade = 2 if value >= 0.75 else 1 if hits else 0
    reason = f"Average precision {value:.2f}: {len(hits)} of {len(known)} chunks share its words."
    return ProxyGrade(metric=JudgeMetric.CONTEXT_PRECISION, value=grade, reason=reason)


def _citations(material: Material) -> ProxyGrade | None:
    """Return how many sentences share half of their words with what the answer cites."""
    cited = _words("\n".join(passage.text or "" for passage in material.cited))
    if not material.answered or not cited:
        return None
    said = [_words(span.of(material.answer)) for span in sentences(material.answer)]
    said = [words for words in said if len(words) > 1]
    if not said:
        return None
    held = sum(_share(words, cited) >= _SUPPORTED for words in said)
    value = 2 if held == len(said) else 1 if held * 2 >= len(said) else 0
    reason = f"{held} of {len(said)} sentences share half of their words with what is cited."
    return ProxyGrade(metric=JudgeMetric.CITATION_OVERLAP, value=value, reason=reason)


def _recall(material: Material) -> ProxyGrade | None:
    """Return the share of the reference's words and quantities in the retrieved texts."""
    texts = [passage.text for passage in material.passages if passage.text]
    wanted = _words(material.reference)
    if not wanted or not texts:
        return None
    share = _share(wanted, _words("\n".join(texts)))
    missing = faithfulness(material.reference, texts).unsupported
    value = min(_graded(share), 1) if missing else _graded(share)
    reason = f"The retrieved texts hold {share:.0%} of the reference's words"
    reason += f", and not {', '.join(q.text for q in missing)}." if missing else "."
    return ProxyGrade(metric=JudgeMetric.CONTEXT_RECALL, value=value, reason=reason)


def _words(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    found = (match.casefold() for match in _WORD.findall(text))
    return frozenset(stem(word) for word in found if word not in STOPWORDS)


def _share(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted)


def _graded(share: float) -> int:
    return 2 if share >= _MUCH else 1 if share >= _SOME else 0
