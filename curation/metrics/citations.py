"""Citations of an answer: what they cite, whether it supports its sentence, what is uncited.

A citation is *right* when it cites gold evidence, or a chunk of the right version that holds every
fact and quantity of its sentence; *unsure* when only a paraphrase could tell; else *wrong*. One
of a chunk that was not retrieved is wrong, and fabricated. Citation precision and recall per
statement follow ALCE (Gao et al. 2023), with lookups of facts and quantities for its entailment
model (measures.md section 4).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from curation.domain.answer import Citation
from curation.domain.case import Case, Fact, FactRole
from curation.domain.segments import sentences
from curation.domain.verdict import FactPresence, Presence
from curation.metrics.facts import match_fact
from curation.metrics.hits import GoldPassage, Hit, HitRule, gold_passages, relevance
from curation.metrics.support import faithfulness
from curation.metrics.versions import same_version

__all__ = ["CitationScore", "CitationState", "CitedOutput", "score_citations"]


class CitationState(StrEnum):
    """Whether what is cited supports what is said."""

    RIGHT = "right"
    UNSURE = "unsure"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationScore:
    """The citations of one answer.

    `value` is right / (right + wrong): 0 without any citation, None where all are unsure.
    `coverage` is claims with a citation in their sentence / claims, None without claims; for the
    whole answer at once where no citation has a place (`by_sentence` false).
    """

    value: float | None
    states: tuple[CitationState, ...]
    fabricated: tuple[str, ...]
    coverage: float | None
    claims: int
    by_sentence: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedOutput:
    """An answer with its hits in rank order and what it says of the facts of the case."""

    answer: str
    citations: Sequence[Citation]
    hits: Sequence[Hit]
    facts: Sequence[FactPresence] = ()


@dataclass(frozen=True, slots=True)
class _Cited:
    """What a citation names, the hits it may mean, and the sentence it stands in."""

    name: str
    hits: tuple[Hit, ...]
    sentences: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class _Marker:
    """A place in the answer that names a chunk."""

    start: int
    end: int
    name: str
    hits: tuple[Hit, ...]


def score_citations(output: CitedOutput, case: Case, rule: HitRule = HitRule.ID) -> CitationScore:
    """Return how the citations of an answered case stand."""
    spans = sentences(output.answer)
    markers = tuple(_markers(output.answer, output.hits))
    plain = _blanked(output.answer, markers)
    cited = _resolved(output, markers, spans)
    claims = _claims(plain, spans, output.facts)
    gold = gold_passages(case.gold)
    judge = _Support(plain, spans, output.facts, case, gold, rule)
    states = tuple(judge.state(citation) for citation in cited)
    right, wrong = states.count(CitationState.RIGHT), states.count(CitationState.WRONG)
    placed = any(citation.sentences is not None for citation in cited)
    return CitationScore(
        value=0.0 if not cited else _share(right, right + wrong),
        states=states,
        fabricated=tuple(citation.name for citation in cited if not citation.hits),
        coverage=_coverage(claims, cited, placed=placed),
        claims=len(claims),
        by_sentence=placed,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _coverage(claims: frozenset[int], cited: Sequence[_Cited], *, placed: bool) -> float | None:
    if not claims:
        return None
    if not placed:
        return float(bool(cited))
    covered: frozenset[int] = frozenset().union(*(c.sentences or frozenset() for c in cited))
    return len(claims & covered) / len(claims)


def _claims(
    plain: str, spans: Sequence[tuple[int, int]], facts: Sequence[FactPresence]
) -> frozenset[int]:
    """Return the sentences with a quantity, a version or a matched fact."""
    return frozenset(
        at
        for at, (start, end) in enumerate(spans)
        if faithfulness(plain[start:end], ()).n_checked or _facts_in(facts, start, end)
    )


def _facts_in(facts: Sequence[FactPresence], start: int, end: int) -> list[str]:
    """Return the ids of the facts that were matched in a part of the answer."""
    return [
        fact.fact_id
        for fact in facts
        if fact.presence in {Presence.PRESENT, Presence.ATTRIBUTED}
        and fact.span is not None
        and fact.span[0] < end
        and start < fact.span[1]
    ]


@dataclass(frozen=True, slots=True)
class _Support:
    """Whether cited chunks support the sentences that cite them."""

    plain: str
    spans: Sequence[tuple[int, int]]
    facts: Sequence[FactPresence]
    case: Case
    gold: Sequence[GoldPassage]
    rule: HitRule

    def state(self, citation: _Cited) -> CitationState:
        """Return the best state that the chunks a citation may mean give it."""
        if not citation.hits:
            return CitationState.WRONG
        places = range(len(self.spans)) if citation.sentences is None else citation.sentences
        whole = citation.sentences is not None
        found = {self._of_hit(hit, sorted(places), whole=whole) for hit in citation.hits}
        return next(state for state in CitationState if state in found)

    def _of_hit(self, hit: Hit, places: Sequence[int], *, whole: bool) -> CitationState:
        on_gold = self._on_gold(hit)
        if on_gold:
            return CitationState.RIGHT
        if not self._right_version(hit):
            return CitationState.WRONG
        if on_gold is None or hit.text is None:
            return CitationState.UNSURE
        states = [self._of_sentence(hit.text, at) for at in places]
        checked = [state for state in states if state is not None]
        if not checked:
            return CitationState.UNSURE
        if whole:  # the worst of the sentences it stands in
            return next(s for s in reversed(CitationState) if s in checked)
        return next(s for s in CitationState if s in checked)

    def _on_gold(self, hit: Hit) -> bool | None:
        found = relevance(self.gold, (hit,), self.rule)
        return None if found is None else any(found.relevant)

    def _right_version(self, hit: Hit) -> bool:
        """Return whether the chunk is of a version that the case is about, as far as is known."""
        same_doc = {item.doc_version for item in self.case.gold if item.doc_id == hit.doc_id}
        expected = (same_doc or {self.case.doc_version}) - {None}
        if not expected or hit.doc_version is None:
            return True
        return any(same_version(version, hit.doc_version) for version in expected)

    def _of_sentence(self, chunk: str, at: int) -> CitationState | None:
        """Return whether the chunk holds one sentence; None where nothing can be looked up."""
        start, end = self.spans[at]
        quantities = faithfulness(self.plain[start:end], (chunk,))
        if quantities.unsupported:
            return CitationState.WRONG
        said = set(_facts_in(self.facts, start, end))
        found = {_presence(chunk, fact) for _, fact in self.case.facts.each if fact.id in said}
        found.discard(None)
        if Presence.ABSENT in found:
            return CitationState.WRONG
        if Presence.UNSURE in found:
            return CitationState.UNSURE
        return CitationState.RIGHT if found or quantities.n_checked else None


def _presence(chunk: str, fact: Fact) -> Presence | None:
    """Return whether a chunk says a fact; None for a conclusion, which stands in no passage."""
    if fact.role is FactRole.CONCLUSION:
        return None
    return Presence(match_fact(chunk, fact.text, any_of=fact.any_of).verdict.value)


_BRACKETS = re.compile(
    r"(?<![\w\]])\[([^\[\]\n]{1,200})\](?!\()|(?<=\])\[([^\[\]\n]{1,200})\](?!\()"
)
_PARENTHESES = re.compile(r"\(([^()\n]{1,200})\)")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def _markers(answer: str, hits: Sequence[Hit]) -> Iterator[_Marker]:
    """Yield the places that name a chunk: `[1]`, `[id]`, `[1, 2]`, `(doc, section)`."""
    shapes = {_shape(hit.chunk_id) for hit in hits}
    for match in _BRACKETS.finditer(answer):
        for name in re.split(r"\s*[,;]\s*", (match[1] or match[2]).strip()):
            found = _named(name, hits)
            if found is None and _shape(name) in shapes:
                found = ()
            if found is not None:
                yield _Marker(match.start(), match.end(), name, found)
    for match in _PARENTHESES.finditer(answer):
        document, _, section = (part.strip() for part in match[1].partition(","))
        if found := _of_document(document, section, hits):
            yield _Marker(match.start(), match.end(), document, found)


def _named(name: str, hits: Sequence[Hit]) -> tuple[Hit, ...] | None:
    """Return the hits that a name in brackets means; None where it names no chunk."""
    if name.isascii() and name.isdigit() and len(name) < 3 and name != "0":
        return tuple(hits[int(name) - 1 : int(name)])
    by_id = tuple(hit for hit in hits if hit.chunk_id == name)
    return by_id or _of_document(name, "", hits) or None


def _of_document(document: str, section: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits of a document, those that hold the section's name where some do."""
    own = tuple(
        hit
        for hit in hits
        if hit.doc_id is not None and hit.doc_id.casefold() == document.casefold()
    )
    named = tuple(hit for hit in own if section and section in f"{hit.chunk_id} {hit.text or ''}")
    return named or own


def _shape(name: str) -> str:
    """Return the pattern of an id, so that one that was made up is still seen as an id."""
    return _DIGITS.sub("0", _LETTERS.sub("a", name))


def _blanked(answer: str, markers: Sequence[_Marker]) -> str:
    """Return the answer, as long as before, without its markers."""
    for marker in markers:
        blank = " " * (marker.end - marker.start)
        answer = f"{answer[: marker.start]}{blank}{answer[marker.end :]}"
    return answer


def _resolved(
    output: CitedOutput, markers: Sequence[_Marker], spans: Sequence[tuple[int, int]]
) -> list[_Cited]:
    """Return the logged citations, or where none were logged those that the text marks."""
    if not output.citations:
        placed = ((m, _sentence_at(output.answer, m.start, spans)) for m in markers)
        return [_Cited(m.name, m.hits, at) for m, at in placed if at is not None]
    return [_logged(citation, output, markers, spans) for citation in output.citations]


def _logged(
    citation: Citation,
    output: CitedOutput,
    markers: Sequence[_Marker],
    spans: Sequence[tuple[int, int]],
) -> _Cited:
    hits = tuple(
        hit
        for hit in output.hits
        if hit.chunk_id == citation.chunk_id
        and (
            citation.doc_version is None
            or hit.doc_version is None
            or same_version(citation.doc_version, hit.doc_version)
        )
    )
    if citation.start is not None:
        end = citation.start + 1 if citation.end is None else citation.end
        at = _sentences_over(output.answer, (citation.start, end), spans)
        return _Cited(citation.chunk_id, hits, at)
    starts = _starts(citation, output.answer, hits, markers)
    found = [_sentence_at(output.answer, start, spans) for start in starts]
    places = [at for at in found if at is not None]
    return _Cited(citation.chunk_id, hits, frozenset().union(*places) if places else None)


def _starts(
    citation: Citation, answer: str, hits: Sequence[Hit], markers: Sequence[_Marker]
) -> list[int]:
    """Return where a citation without offsets stands: at its marker, or where one means it."""
    if citation.marker:
        return [match.start() for match in re.finditer(re.escape(citation.marker), answer)]
    return [m.start for m in markers if m.name == citation.chunk_id or set(m.hits) & set(hits)]


def _sentences_over(
    answer: str, part: tuple[int, int], spans: Sequence[tuple[int, int]]
) -> frozenset[int] | None:
    """Return the sentences that a cited part of the answer touches."""
    start, end = part
    over = frozenset(at for at, (a, b) in enumerate(spans) if a < end and start < b)
    opens = any(spans[at][0] == start for at in over)
    if len(over) == 1 and opens and answer[start : start + 1] in "[(":
        return _sentence_at(answer, start, spans)
    return over or None


def _sentence_at(
    answer: str, start: int, spans: Sequence[tuple[int, int]]
) -> frozenset[int] | None:
    """Return the sentence that a marker belongs to: one that opens a sentence ends the last.

    None for a marker that opens a line: it is an entry of a list of sources.
    """
    for at, (begin, end) in enumerate(spans):
        if begin <= start < end:
            opens = not re.sub(r"\[[^\[\]]*\]|\s", "", answer[begin:start])
            if not opens:
                return frozenset({at})
            line = answer[:begin].rpartition("\n")[2]
            return frozenset({at - 1}) if line.strip() and at > 0 else None
    return None
