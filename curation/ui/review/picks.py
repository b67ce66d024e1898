"""Picks: words of the screen become facts, evidence, wordings and parts of the reference.

Pure: a pick on a draft gives another draft or a refusal. Quotes are kept exactly as they stand in
their chunk, so that `chunk[start:end]` is the quote, in code points, for any text.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from curation.domain.case import Evidence, Fact, FactKind, Facts, ForbiddenFact
from curation.domain.chunk import text_sha256
from curation.domain.item_id import next_id
from curation.domain.review import Draft
from curation.domain.segments import fact_text
from curation.metrics import same_version

LONG_FACT = 120
_MARKER = re.compile(
    r"\s+\[\^?\d{1,3}(?:\s*[,;-]\s*\^?\d{1,3})*\]|\s*\u3010[^\u3011\n]{1,40}\u3011"
)
_SAID = 60


class PickKind(StrEnum):
    """What picked words are used for."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    FORBIDDEN = "forbidden"
    REQUIRED_AND_FORBID = "required_and_forbid"
    EVIDENCE = "evidence"
    REFERENCE = "reference"
    WORDING = "wording"


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A text on the screen that words are picked from; without a chunk id it proves nothing."""

    key: str
    text: str
    chunk_id: str | None = None
    doc_id: str | None = None
    doc_version: str | None = None

    @property
    def proves(self) -> bool:
        """Whether words of it can be evidence."""
        return self.chunk_id is not None


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Code points `start` to `end` of a passage."""

    passage: Passage
    start: int
    end: int

    @property
    def words(self) -> str:
        """The words as they stand in the passage."""
        return self.passage.text[self.start : self.end]

    @property
    def said(self) -> str:
        """The words as a fact or a reference says them; markers of a logged answer are left out."""
        words = self.words if self.passage.proves else _MARKER.sub("", self.words)
        return fact_text(words)

    def trimmed(self) -> "Selection | None":
        """Return the selection without outer spaces, inside the text; None if nothing is left."""
        start, end = max(0, self.start), min(self.end, len(self.passage.text))
        words = self.passage.text[start:end]
        kept = words.strip()
        if not kept:
            return None
        start += len(words) - len(words.lstrip())
        return Selection(passage=self.passage, start=start, end=start + len(kept))


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a pick depends on besides the words.

    `touched` is the fact last touched, `used` every id that this draft or its case ever had,
    `counterpart` the same words in the retrieved version, `caret` the place in the reference.
    """

    asked_for: str | None = None
    touched: str | None = None
    used: frozenset[str] = frozenset()
    counterpart: Selection | None = None
    caret: int | None = None


@dataclass(frozen=True, kw_only=True)
class Done:
    """The draft after a pick, what is said of it, and the fact that it touched."""

    draft: Draft
    said: str
    touched: str | None = None


@dataclass(frozen=True, kw_only=True)
class Refused:
    """Why nothing was picked."""

    why: str


NOTHING_PICKED = Refused(why="Nothing was picked: there are no words there. Stand on a sentence.")
FACT_IS_THERE = Refused(why="That fact is already there.")
EVIDENCE_IS_THERE = Refused(why="That evidence is already there.")
NOT_A_CHUNK = Refused(
    why="This is not a chunk of the corpus, so it cannot be evidence. Pick from a chunk."
)
NO_FACT_TOUCHED = Refused(why="There is no fact to add a wording to. Pick a fact first.")
NO_COUNTERPART = Refused(
    why="Nothing was forbidden: the retrieved version of this passage is not on the screen. "
    "1 makes the words required."
)
SAME_COUNTERPART = Refused(
    why="Both versions say the same here, so there is nothing to forbid. 1 makes it required."
)


def apply_pick(
    draft: Draft, kind: PickKind, selection: Selection, context: Context
) -> Done | Refused:
    """Return the draft after a pick, or why it was refused."""
    picked = selection.trimmed()
    if picked is None or not picked.said:
        return NOTHING_PICKED
    match kind:
        case PickKind.REQUIRED | PickKind.OPTIONAL | PickKind.FORBIDDEN:
            return _as_fact(draft, FactKind(kind.value), picked, context)
        case PickKind.REQUIRED_AND_FORBID:
            return _with_counterpart(draft, picked, context)
        case PickKind.EVIDENCE:
            return _as_evidence(draft, picked, context)
        case PickKind.REFERENCE:
            return _into_reference(draft, picked, context.caret)
        case PickKind.WORDING:
            return _as_wording(draft, picked, context.touched)


def same_words(one: str, other: str) -> bool:
    """Return whether two facts are the same but for case and spaces."""
    return one.casefold().split() == other.casefold().split()


def has_fact(draft: Draft, text: str) -> bool:
    """Return whether the draft has a fact with these words, of any kind."""
    return any(same_words(fact.text, text) for _, fact in draft.facts.each)


def ids_of(draft: Draft) -> frozenset[str]:
    """Return the ids of the draft's facts, evidence and declines."""
    facts = {fact.id for _, fact in draft.facts.each}
    return frozenset(facts | {e.id for e in draft.evidence} | {d.id for d in draft.declines})


def with_fact(draft: Draft, kind: FactKind, fact: Fact) -> Draft:
    """Return the draft with one more fact of a kind."""
    listed = (*draft.facts.of(kind), fact)
    return draft.model_copy(update={"facts": draft.facts.model_copy(update={kind.value: listed})})


def with_each_fact(draft: Draft, facts: dict[str, Fact]) -> Draft:
    """Return the draft with the facts of these ids replaced."""
    lists = {
        kind.value: tuple(facts.get(fact.id, fact) for fact in draft.facts.of(kind))
        for kind in FactKind
    }
    return draft.model_copy(update={"facts": Facts.model_validate(lists)})


def _as_fact(draft: Draft, kind: FactKind, picked: Selection, context: Context) -> Done | Refused:
    """Return the draft with the picked words as a fact, and their chunk as its evidence."""
    text = picked.said
    if has_fact(draft, text):
        return FACT_IS_THERE
    used = context.used | ids_of(draft)
    fact_id = next_id("f", used)
    if kind is FactKind.FORBIDDEN:
        value_of = _value_of(picked.passage, context.asked_for)
        forbidden = ForbiddenFact(id=fact_id, text=text, value_of=value_of)
        owner = f" (value of {value_of})" if value_of else ""
        said = f"✕ Must not hold: {_cut(text)}{owner}"
        return Done(draft=with_fact(draft, kind, forbidden), said=said, touched=fact_id)
    evidence: tuple[str, ...] = ()
    if picked.passage.proves:
        draft, evidence_id = _proved(draft, picked, used)
        evidence = (evidence_id,)
    draft = with_fact(draft, kind, Fact(id=fact_id, text=text, evidence=evidence))
    word = "✓ Must hold" if kind is FactKind.REQUIRED else "○ May hold"
    return Done(draft=draft, said=f"{word}: {_cut(text)}{_long_hint(text)}", touched=fact_id)


def _cut(words: str) -> str:
    """Return the beginning of the words, enough to recognise them."""
    return words if len(words) <= _SAID else words[: _SAID - 1].rstrip() + "…"


def _long_hint(text: str) -> str:
    """Return the offer of fewer words for a long fact: a whole sentence rarely matches twice."""
    if len(text) <= LONG_FACT:
        return ""
    return f" · {len(text)} characters rarely match twice: Z, then → takes fewer words"


def _value_of(passage: Passage, asked_for: str | None) -> str | None:
    """Return whose value the words are, when it is not the version asked for."""
    version = passage.doc_version if passage.proves else None
    if version is None or asked_for is None or same_version(version, asked_for):
        return None
    return version


def _proved(draft: Draft, picked: Selection, used: frozenset[str]) -> tuple[Draft, str]:
    """Return the draft with the words as evidence, and the id of that evidence."""
    there = find_evidence(draft, picked)
    if there is not None:
        return draft, there.id
    passage = picked.passage
    bare = next((e for e in draft.evidence if _same_chunk(e, passage) and not e.quote), None)
    if bare is not None:
        quoted = bare.model_copy(update={"quote": picked.words})
        listed = tuple(quoted if e.id == bare.id else e for e in draft.evidence)
        return draft.model_copy(update={"evidence": listed}), bare.id
    evidence_id = next_id("e", used | ids_of(draft))
    item = Evidence(
        id=evidence_id,
        group=evidence_id,
        chunk_id=passage.chunk_id or "",
        doc_id=passage.doc_id or passage.chunk_id or "",
        doc_version=passage.doc_version,
        quote=picked.words,
        chunk_sha256=text_sha256(passage.text),
    )
    return draft.model_copy(update={"evidence": (*draft.evidence, item)}), evidence_id


def _same_chunk(item: Evidence, passage: Passage) -> bool:
    """Return whether the evidence is of this chunk at this version."""
    return item.chunk_id == passage.chunk_id and item.doc_version == passage.doc_version


def find_evidence(draft: Draft, picked: Selection) -> Evidence | None:
    """Return the evidence that quotes exactly these words of this chunk."""
    return next(
        (e for e in draft.evidence if _same_chunk(e, picked.passage) and e.quote == picked.words),
        None,
    )


def evidence_of(draft: Draft, passage: Passage) -> tuple[Evidence, ...]:
    """Return the evidence that the draft takes from a chunk."""
    if not passage.proves:
        return ()
    return tuple(e for e in draft.evidence if _same_chunk(e, passage))


def _as_evidence(draft: Draft, picked: Selection, context: Context) -> Done | Refused:
    """Return the draft with the words as evidence, also of the last fact if it has none."""
    if not picked.passage.proves:
        return NOT_A_CHUNK
    lacking = _unproved(draft, context.touched)
    if find_evidence(draft, picked) is not None and lacking is None:
        return EVIDENCE_IS_THERE
    draft, evidence_id = _proved(draft, picked, context.used)
    said = f"❝ Evidence: {_cut(fact_text(picked.words))}"
    if lacking is not None:
        fact = lacking.model_copy(update={"evidence": (evidence_id,)})
        draft = with_each_fact(draft, {fact.id: fact})
        said = f"❝ Evidence of “{_cut(lacking.text)}”: {_cut(fact_text(picked.words))}"
    return Done(draft=draft, said=said, touched=context.touched)


def _unproved(draft: Draft, fact_id: str | None) -> Fact | None:
    """Return the fact last touched when it needs evidence and has none."""
    for kind, fact in draft.facts.each:
        if fact.id == fact_id and kind is not FactKind.FORBIDDEN and not fact.evidence:
            return fact
    return None


def _into_reference(draft: Draft, picked: Selection, caret: int | None) -> Done:
    """Return the draft with the words inserted into the reference at the caret."""
    text, words = draft.reference, picked.said
    at = len(text) if caret is None else max(0, min(caret, len(text)))
    before, after = text[:at], text[at:]
    left = " " if before and not before[-1].isspace() else ""
    right = " " if after and not (after[0].isspace() or after[0] in ".,;:!?)") else ""
    reference = f"{before}{left}{words}{right}{after}"
    draft = draft.model_copy(update={"reference": reference})
    return Done(draft=draft, said=f"Into the reference: {_cut(words)}")


def _as_wording(draft: Draft, picked: Selection, touched: str | None) -> Done | Refused:
    """Return the draft with the words as another accepted wording of the last fact."""
    fact = next((f for _, f in draft.facts.each if f.id == touched), None)
    if fact is None:
        return NO_FACT_TOUCHED
    wording = picked.said
    if any(same_words(wording, known) for known in (fact.text, *fact.any_of)):
        return Refused(why="That wording is already there.")
    fact = fact.model_copy(update={"any_of": (*fact.any_of, wording)})
    draft = with_each_fact(draft, {fact.id: fact})
    return Done(
        draft=draft, said=f"Also accepted for “{fact.text}”: {_cut(wording)}", touched=fact.id
    )


def _with_counterpart(draft: Draft, picked: Selection, context: Context) -> Done | Refused:
    """Return the draft with the words required and those of the retrieved version forbidden."""
    counterpart = context.counterpart.trimmed() if context.counterpart else None
    if counterpart is None:
        return NO_COUNTERPART
    if same_words(picked.said, counterpart.said):
        return SAME_COUNTERPART
    required = _as_fact(draft, FactKind.REQUIRED, picked, context)
    if isinstance(required, Refused):
        return required
    asked = context.asked_for or picked.passage.doc_version  # a question may name no version
    theirs = replace(context, asked_for=asked)
    forbidden = _as_fact(required.draft, FactKind.FORBIDDEN, counterpart, theirs)
    if isinstance(forbidden, Refused):
        return forbidden
    said = f"{required.said} · {forbidden.said}"
    return Done(draft=forbidden.draft, said=said, touched=required.touched)
