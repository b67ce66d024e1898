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
from curation.domain.verdict import FactPresence, Presence, TextFacts
from curation.metrics.facts import match_fact
from curation.metrics.hits import GoldPassage, Hit, HitRule, gold_passages, relevance
from curation.metrics.output import Output
from curation.metrics.support import unsupported_quantities
from curation.metrics.versions import same_version

__all__ = [
    "CheckedCitation",
    "CitationCheck",
    "CitationScore",
    "Citations",
    "citations_of",
    "cited_hits",
]


class CitationCheck(StrEnum):
    """Whether what is cited supports what is said; the best first."""

    RIGHT = "right"
    UNSURE = "unsure"
    WRONG = "wrong"
    FABRICATED = "fabricated"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """One citation, how it stands, and the sentences it stands in (None: the whole answer)."""

    name: str
    check: CitationCheck
    sentences: frozenset[int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationScore:
    """The citations of one answer.

    `value` is right / (right + wrong): 0 without any citation, None where all are unsure.
    `coverage` is claims with a citation in their sentence / claims, None without claims; for the
    whole answer at once where no citation has a place.
    """

    value: float | None
    fabricated: int
    coverage: float | None
    claims: int


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


def cited_hits(output: Output) -> tuple[Hit, ...]:
    """Return the hits that an answer cites, each once: the logged citations, else its markers."""
    found = (hit for cited in _resolved(_Answer.of(output, ())) for hit in cited.hits)
    return tuple(dict.fromkeys(found))


def citations_of(
    case: Case, output: Output, text: TextFacts, rule: HitRule = HitRule.ID
) -> "Citations":
    """Return the citations of an answer, looked up once for the criterion and the numbers."""
    answer = _Answer.of(output, text.facts + text.declines)
    return Citations(answer, answer.checked(case, rule))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _coverage(claims: frozenset[int], cited: Sequence[CheckedCitation]) -> float | None:
    if not claims:
        return None
    places = [citation.sentences for citation in cited if citation.sentences is not None]
    if not places:
        return float(bool(cited))
    return len(claims.intersection(frozenset().union(*places))) / len(claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """An answer cut into sentences, with its markers and the places of its quantities."""

    output: Output
    hits: tuple[Hit, ...]
    facts: Sequence[FactPresence]
    spans: Sequence[tuple[int, int]]
    markers: Sequence[_Marker]
    quantities: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, output: Output, facts: Sequence[FactPresence]) -> "_Answer":
        """Return an output as citations are checked in it."""
        hits = _citable(output)
        markers = tuple(_markers(output.answer, hits))
        found = (quantity.span for quantity in unsupported_quantities(output.answer, ()))
        return cls(
            output=output,
            hits=hits,
            facts=facts,
            spans=sentences(output.answer),
            markers=markers,
            quantities=tuple(span for span in found if not _inside(span, markers)),
        )

    def said_in(self, at: int) -> frozenset[str]:
        """Return the ids of the facts that were matched in a sentence."""
        start, end = self.spans[at]
        return frozenset(
            fact.fact_id
            for fact in self.facts
            if fact.presence in {Presence.PRESENT, Presence.ATTRIBUTED}
            and fact.span is not None
            and fact.span[0] < end
            and start < fact.span[1]
        )

    def quantities_in(self, at: int) -> frozenset[tuple[int, int]]:
        """Return the places of the quantities of a sentence."""
        start, end = self.spans[at]
        return frozenset(span for span in self.quantities if start <= span[0] < end)

    @property
    def claims(self) -> frozenset[int]:
        """The sentences with a quantity, a version or a matched fact."""
        return frozenset(
            at for at in range(len(self.spans)) if self.quantities_in(at) or self.said_in(at)
        )

    def checked(self, case: Case, rule: HitRule) -> tuple[CheckedCitation, ...]:
        """Return how each citation stands."""
        support = _Support(self, case, gold_passages(case.gold), rule)
        return tuple(
            CheckedCitation(name=cited.name, check=support.check(cited), sentences=cited.sentences)
            for cited in _resolved(self)
        )


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations of one answer and how each stands."""

    answer: _Answer
    checked: tuple[CheckedCitation, ...]

    @property
    def score(self) -> CitationScore:
        """The numbers, where the case is answered."""
        checks = [citation.check for citation in self.checked]
        right, fabricated = map(checks.count, (CitationCheck.RIGHT, CitationCheck.FABRICATED))
        wrong = checks.count(CitationCheck.WRONG) + fabricated
        claims = self.answer.claims
        return CitationScore(
            value=0.0 if not self.checked else _share(right, right + wrong),
            fabricated=fabricated,
            coverage=_coverage(claims, self.checked),
            claims=len(claims),
        )


def _citable(output: Output) -> tuple[Hit, ...]:
    """Return the hits; where none were logged, what is cited stands for itself."""
    if output.hits is not None:
        return output.hits
    return tuple(
        Hit(rank=rank, chunk_id=citation.chunk_id, doc_version=citation.doc_version)
        for rank, citation in enumerate(output.citations or (), start=1)
    )


@dataclass(frozen=True, slots=True)
class _Support:
    """Whether cited chunks support the sentences that cite them."""

    answer: _Answer
    case: Case
    gold: Sequence[GoldPassage]
    rule: HitRule

    def check(self, citation: _Cited) -> CitationCheck:
        """Return the best that the chunks a citation may mean give it."""
        if not citation.hits:
            return CitationCheck.FABRICATED
        places = citation.sentences
        at = range(len(self.answer.spans)) if places is None else sorted(places)
        found = {self._of_hit(hit, at, whole=places is not None) for hit in citation.hits}
        return next(check for check in CitationCheck if check in found)

    def _of_hit(self, hit: Hit, places: Sequence[int], *, whole: bool) -> CitationCheck:
        on_gold = self._on_gold(hit)
        if on_gold:
            return CitationCheck.RIGHT
        if not self._right_version(hit):
            return CitationCheck.WRONG
        if on_gold is None or hit.text is None:
            return CitationCheck.UNSURE
        found = [self._of_sentence(hit.text, at) for at in places]
        checked = [check for check in found if check is not None]
        if not checked:
            return CitationCheck.UNSURE
        if whole:  # the worst of the sentences it stands in
            return next(c for c in reversed(CitationCheck) if c in checked)
        return next(c for c in CitationCheck if c in checked)

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

    def _of_sentence(self, chunk: str, at: int) -> CitationCheck | None:
        """Return whether the chunk holds one sentence; None where nothing can be looked up."""
        quantities = self.answer.quantities_in(at)
        missing = unsupported_quantities(self.answer.output.answer, (chunk,))
        if quantities.intersection(quantity.span for quantity in missing):
            return CitationCheck.WRONG
        said = self.answer.said_in(at)
        found = {_presence(chunk, fact) for _, fact in self.case.facts.each if fact.id in said}
        found.discard(None)
        if Presence.ABSENT in found:
            return CitationCheck.WRONG
        if Presence.UNSURE in found:
            return CitationCheck.UNSURE
        return CitationCheck.RIGHT if found or quantities else None


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
    for match in _BRACKETS.finditer(answer):
        for name in re.split(r"\s*[,;]\s*", (match[1] or match[2]).strip()):
            found = _named(name, hits)
            if found is None and _looks_like_id(name, hits):
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
        return tuple(hit for hit in hits if hit.rank == int(name))
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


def _looks_like_id(name: str, hits: Sequence[Hit]) -> bool:
    """Return whether a name is written as the chunk ids are, so that a made-up one is still one."""
    shape = _shape(name)
    return any(_shape(hit.chunk_id) == shape for hit in hits)


def _shape(name: str) -> str:
    """Return the pattern of an id: its runs of letters and of digits."""
    return _DIGITS.sub("0", _LETTERS.sub("a", name))


def _inside(span: tuple[int, int], markers: Sequence[_Marker]) -> bool:
    return any(marker.start <= span[0] and span[1] <= marker.end for marker in markers)


def _resolved(answer: _Answer) -> list[_Cited]:
    """Return the logged citations, or where none were logged those that the text marks."""
    text, spans = answer.output.answer, answer.spans
    if not answer.output.citations:
        placed = ((m, _sentence_at(text, m.start, spans)) for m in answer.markers)
        return [_Cited(m.name, m.hits, at) for m, at in placed if at is not None]
    return [_logged(citation, answer) for citation in answer.output.citations]


def _logged(citation: Citation, answer: _Answer) -> _Cited:
    text, spans = answer.output.answer, answer.spans
    hits = tuple(hit for hit in answer.hits if _is_cited(citation, hit))
    if citation.start is not None:
        end = citation.start + 1 if citation.end is None else citation.end
        at = _sentences_over(text, (citation.start, end), spans)
        return _Cited(citation.chunk_id, hits, at)
    found = [_sentence_at(text, at, spans) for at in _starts(citation, text, hits, answer.markers)]
    places = [at for at in found if at is not None]
    return _Cited(citation.chunk_id, hits, frozenset().union(*places) if places else None)


def _is_cited(citation: Citation, hit: Hit) -> bool:
    if hit.chunk_id != citation.chunk_id:
        return False
    versions = (citation.doc_version, hit.doc_version)
    return None in versions or same_version(*versions)


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
