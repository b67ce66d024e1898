"""Where the pipeline failed, proposed from what the reviewer picked (measures.md section 8)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from curation.domain.answer import Outcome
from curation.domain.case import Answerable, Case, Evidence, Fact, FactKind, FactRole
from curation.domain.review import FailureCategory, FailureProposal
from curation.domain.verdict import CaseVerdict, FactPresence, Presence, State
from curation.domain.visible import shown
from curation.metrics import Quantity, quantities
from curation.metrics.hits import Hit, gold_passages, matches_id
from curation.metrics.lookup import holds
from curation.metrics.output import Output

__all__ = ["propose_failure"]

Match = tuple[FailureCategory, str]


@dataclass(frozen=True)
class _Picture:
    """A case, an output and its verdict, with what the rules ask of them."""

    case: Case
    output: Output
    verdict: CaseVerdict

    @property
    def hits(self) -> Sequence[Hit]:
        return self.output.hits or ()

    @property
    def gold(self) -> Sequence[Evidence]:
        return self.case.gold

    @cached_property
    def groups(self) -> dict[str, list[Hit]]:
        """The hits that hold each needed evidence group."""
        found: dict[str, list[Hit]] = {}
        for passage in gold_passages(self.gold):
            hits = [hit for hit in self.hits if matches_id(passage, hit)]
            found.setdefault(passage.group, []).extend(hits)
        return found

    @property
    def retrieved(self) -> bool:
        """Whether every needed evidence group is among the logged hits."""
        return bool(self.groups) and all(self.groups.values())

    @property
    def absent(self) -> list[FactPresence]:
        """The required facts that the answer lacks."""
        required = self.verdict.text.of(FactKind.REQUIRED)
        return [fact for fact in required if fact.presence is Presence.ABSENT]

    @property
    def stated(self) -> list[FactPresence]:
        """The forbidden facts that the answer states."""
        forbidden = self.verdict.text.of(FactKind.FORBIDDEN)
        return [fact for fact in forbidden if fact.presence is Presence.PRESENT]

    @property
    def conflicting(self) -> list[Quantity]:
        """The values that the answer states in place of a required one."""
        answer = self.output.answer
        spans = [fact.span for fact in self.absent if fact.span is not None]
        return [q for start, end in spans for q in quantities(answer[start:end])]

    @property
    def abstained(self) -> bool:
        return self.verdict.outcome in {Outcome.ABSTAINED, Outcome.CLARIFIED}

    def fact(self, presence: FactPresence) -> Fact:
        """Return the fact that was looked up."""
        return next(f for _, f in self.case.facts.each if f.id == presence.fact_id)

    def holders(self, fact: Fact) -> list[Hit]:
        """Return the hits whose text holds a fact."""
        return [hit for hit in self.hits if hit.text is not None and _in_chunk(hit.text, fact)]


def _in_chunk(text: str, fact: Fact) -> bool:
    """Return whether a chunk says a fact, or at least holds every number of it."""
    found = holds(text, fact)
    if found is Presence.UNSURE:
        return _has_quantities(text, quantities(fact.text))
    return found is Presence.PRESENT


def _has_quantities(text: str, wanted: Sequence[Quantity]) -> bool:
    known = _readings(text)
    return bool(wanted) and all(any(q.readings & readings for readings in known) for q in wanted)


@lru_cache(maxsize=256)
def _readings(text: str) -> tuple[frozenset[str], ...]:
    """Return what each number of a chunk can mean; a page asks for the same one at every key."""
    return tuple(quantity.readings for quantity in quantities(text))


def propose_failure(case: Case, output: Output, verdict: CaseVerdict) -> FailureProposal:
    """Return the first matching category with its reason; other matches are secondary.

    Args:
        case: the case as it is drafted.
        output: the logged output.
        verdict: how the output stands on the case.
    """
    picture = _Picture(case, output, verdict)
    matches = [match for rule in _RULES for match in rule(picture)]
    answerable = case.answerable is not Answerable.UNANSWERABLE
    if output.hits is None and answerable and _needs_hits(matches):
        return FailureProposal(
            category=None,
            because="because the retrieved chunks were not logged, so the stage cannot be told",
            secondary=tuple(category for category, _ in matches),
        )
    if not matches:
        return FailureProposal(category=None, because=_nothing(picture))
    return _proposal(matches)


def _proposal(matches: Sequence[Match]) -> FailureProposal:
    category, because = matches[0]
    others = dict.fromkeys(other for other, _ in matches[1:] if other is not category)
    return FailureProposal(category=category, because=because, secondary=tuple(others))


def _needs_hits(matches: Sequence[Match]) -> bool:
    """Return whether the first match would come after rules that need the hits."""
    return not matches or matches[0][0] is FailureCategory.ANSWER_RELEVANCY


def _nothing(picture: _Picture) -> str:
    """Return why there is no proposal."""
    if picture.verdict.outcome is None and picture.case.answerable is Answerable.UNANSWERABLE:
        return "because it cannot be told whether the answer declines"
    if not picture.gold and not picture.case.facts.each:
        return "because nothing is picked yet"
    return "because the picks do not show what failed"


def _false_answer(picture: _Picture) -> Iterator[Match]:
    """Rule 2: it answered where it must not, or as if all were known."""
    state = picture.case.answerable
    outcome = picture.verdict.outcome
    if state is Answerable.UNANSWERABLE and outcome is Outcome.ANSWERED:
        yield FailureCategory.FALSE_ANSWER, "because the corpus has no answer and one was given"
    elif state is Answerable.UNANSWERABLE and picture.abstained:
        yield FailureCategory.NONE, "because the corpus has no answer and none was given"
    elif outcome is not Outcome.ANSWERED:
        return
    elif state is Answerable.PARTIAL and _lacks_line(picture.verdict):
        yield FailureCategory.FALSE_ANSWER, "because it does not say what the corpus does not know"
    elif state is Answerable.UNDERSPECIFIED and picture.verdict.abstention.state is State.FAIL:
        yield FailureCategory.FALSE_ANSWER, "because it answered as if the question were clear"


def _lacks_line(verdict: CaseVerdict) -> bool:
    return any(line.presence is Presence.ABSENT for line in verdict.text.declines)


def _context_recall(picture: _Picture) -> Iterator[Match]:
    """Rule 3: needed evidence is not among the hits, or only another version of its document."""
    if picture.output.hits is None or not picture.groups or picture.retrieved:
        return
    missing = [item for item in picture.gold if not picture.groups.get(_group(picture, item))]
    other = _other_version(missing, picture.hits)
    if other is not None:
        yield (
            FailureCategory.CONTEXT_RECALL,
            f"because only version {shown(other)} of the document was retrieved",
        )
    elif any(picture.groups.values()):
        yield FailureCategory.CONTEXT_RECALL, "because a part of the evidence was not retrieved"
    else:
        yield FailureCategory.CONTEXT_RECALL, "because the evidence was not retrieved"


def _group(picture: _Picture, item: Evidence) -> str:
    """Return the group that stands for an item's group, where several have the same chunks."""
    passages = gold_passages(picture.gold)
    return next(p.group for p, e in zip(passages, picture.gold, strict=True) if e is item)


def _other_version(missing: Sequence[Evidence], hits: Sequence[Hit]) -> str | None:
    """Return the version in which a missing item's document was retrieved."""
    for item in missing:
        for hit in hits:
            same = hit.chunk_id == item.chunk_id or (
                hit.doc_id is not None and _stem(hit.doc_id, hit) == _stem(item.doc_id, item)
            )
            if same and hit.doc_version and hit.doc_version != item.doc_version:
                return hit.doc_version
    return None


def _stem(doc_id: str, of: Hit | Evidence) -> str:
    """Return a document's id without its version, where the id names it."""
    version = of.doc_version
    return doc_id.replace(version, "").casefold() if version else doc_id.casefold()


def _over_abstention(picture: _Picture) -> Iterator[Match]:
    """Rule 4: it declined although the evidence was there."""
    answerable = picture.case.answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}
    if answerable and picture.abstained and picture.groups and picture.output.hits is not None:
        # Rule 3 comes first where evidence is missing, so that the reason is said of retrieved one.
        because = "because it declined although the evidence was retrieved"
        yield FailureCategory.OVER_ABSTENTION, because


def _context_precision(picture: _Picture) -> Iterator[Match]:
    """Rule 5: the evidence was cut off, or a chunk with the wrong value stood above it."""
    if not picture.retrieved:
        return
    if any(all(not hit.used for hit in hits) for hits in picture.groups.values()):
        yield (
            FailureCategory.CONTEXT_PRECISION,
            "because the evidence was retrieved but did not reach the prompt",
        )
        return
    rank = _wrong_above(picture)
    if rank is not None:
        yield (
            FailureCategory.CONTEXT_PRECISION,
            f"because the wrong value stands in chunk #{rank}, above the evidence",
        )


def _wrong_above(picture: _Picture) -> int | None:
    """Return the rank of a chunk above the evidence that holds the wrong value stated."""
    gold = [hit for hits in picture.groups.values() for hit in hits]
    above = [h for h in picture.hits if h.rank < min(hit.rank for hit in gold) and h not in gold]
    wrong = [hit for f in picture.stated for hit in picture.holders(picture.fact(f))]
    for value in picture.conflicting:
        held_by_gold = any(_has_quantities(hit.text or "", (value,)) for hit in gold)
        if not held_by_gold:
            wrong += [hit for hit in above if _has_quantities(hit.text or "", (value,))]
    return next((hit.rank for hit in above if hit in wrong), None)


def _faithfulness(picture: _Picture) -> Iterator[Match]:
    """Rule 6: it states, or lacks, what no retrieved chunk holds."""
    if picture.output.hits is None or picture.abstained:
        return
    stated = [f for f in picture.stated if not picture.holders(picture.fact(f))]
    if stated:
        yield FailureCategory.FAITHFULNESS, f"because no retrieved chunk holds {stated[0].name}"
    elif picture.verdict.unsupported:
        start, end = picture.verdict.unsupported[0]
        number = picture.output.answer[start:end]
        yield FailureCategory.FAITHFULNESS, f"because {shown(number)} is in no retrieved chunk"
    elif unheld := [f for f in picture.absent if _is_unheld(picture, picture.fact(f))]:
        name = unheld[0].name
        yield (
            FailureCategory.FAITHFULNESS,
            f"because the answer lacks {name} and no retrieved chunk holds it",
        )


def _is_unheld(picture: _Picture, fact: Fact) -> bool:
    """Return whether no retrieved chunk holds a statement; a conclusion needs no passage."""
    if fact.role is FactRole.CONCLUSION or any(hit.text is None for hit in picture.hits):
        return False
    if any(holds(hit.text or "", fact) is not Presence.ABSENT for hit in picture.hits):
        return False
    return not any(item.id in fact.evidence for item in picture.gold)


def _citation(picture: _Picture) -> Iterator[Match]:
    """Rule 7: the facts are right, what is cited is not."""
    right = picture.verdict.answer.state is State.PASS
    if right and picture.verdict.citation.state is State.FAIL:
        yield FailureCategory.CITATION, f"because {picture.verdict.citation.reason}"


def _answer_relevancy(picture: _Picture) -> Iterator[Match]:
    """Rule 8: required facts are absent."""
    if picture.absent and picture.case.answerable is not Answerable.UNANSWERABLE:
        name = picture.absent[0].name
        yield (
            FailureCategory.ANSWER_RELEVANCY,
            f"because the answer lacks {name}, which was retrieved"
            if picture.retrieved
            else f"because the answer lacks {name}",
        )


_RULES: tuple[Callable[[_Picture], Iterator[Match]], ...] = (
    _false_answer,
    _context_recall,
    _over_abstention,
    _context_precision,
    _faithfulness,
    _citation,
    _answer_relevancy,
)
