"""New evidence in the form that edits a case: search, take a chunk, say what it proves."""

from collections.abc import Mapping, Sequence
from typing import Any

from curation.domain.base import Value
from curation.domain.case import Case
from curation.domain.chunk import Chunk
from curation.domain.item_id import next_id
from curation.services.corpus import FoundChunk
from curation.ui.case_view import evidence_words
from curation.ui.form_fields import PREFIX, REMOVED, choice, line_field, text_field
from curation.ui.tree import Child, Node, button, node

SEARCH_FIELD = f"{PREFIX}search"
SEARCH, TAKE, DROP = "evidence_search", "evidence_take", "evidence_drop"
ACTS = frozenset({SEARCH, TAKE, DROP})
HITS = 8
NEW_FACTS = 2  # rows for facts that the case has not yet
AROUND = 240  # characters of a hit that are shown before and after the first word found
ALONE = ""  # a new group: needed besides the others


class Picking(Value):
    """What a form's search found, and the chunks taken from it, each under a number of its own."""

    words: str = ""
    hits: tuple[FoundChunk, ...] = ()
    taken: tuple[tuple[int, Chunk], ...] = ()

    def with_taken(self, at: str) -> "Picking":
        """Return this with the hit of that number taken; once taken it stays one."""
        chosen = self.hits[int(at)].chunk if at.isdigit() and int(at) < len(self.hits) else None
        if chosen is None or any(chunk.key == chosen.key for _, chunk in self.taken):
            return self
        number = 1 + max((number for number, _ in self.taken), default=-1)
        return self.model_copy(update={"taken": (*self.taken, (number, chosen))})

    def without(self, number: str) -> "Picking":
        """Return this without the chunk of that number."""
        left = tuple(one for one in self.taken if str(one[0]) != number)
        return self.model_copy(update={"taken": left})


def draw_evidence(form: str, case: Case, picking: Picking) -> list[Child]:
    """Return what stays as evidence, what was taken besides, and the search for more.

    Each part has a box of its own, so that what is chosen in the others stays when one grows.
    """
    old = [part for item in case.evidence for part in _old(form, item.id, evidence_words(item))]
    taken = [_taken(form, case, number, chunk) for number, chunk in picking.taken]
    search = [
        *line_field(
            form, SEARCH_FIELD, "Words to search the corpus for", picking.words, enter=SEARCH
        ),
        button("Search the corpus", SEARCH),
    ]
    return [
        node(
            "fieldset",
            node("legend", "Evidence"),
            node("div", *old),
            node("div", *taken),
            node("div", *search, cls="cur-search-form"),
            node("div", *_hits(picking), aria_live="polite"),
            cls="cur-fieldset",
        )
    ]


def _old(form: str, item_id: str, words: str) -> list[Child]:
    """Return one piece that the case has, and whether it stays."""
    keep = [("keep", f"keep {item_id}"), (REMOVED, f"take {item_id} out")]
    name = f"{PREFIX}evidence.{item_id}"
    return [
        node("p", words, cls="cur-literal"),
        *choice(form, name, f"Evidence {item_id}", keep, "keep"),
    ]


def _taken(form: str, case: Case, number: int, chunk: Chunk) -> Node:
    """Return the fields of a chunk that was taken: its words, and what they prove."""
    name = f"{PREFIX}evidence.new{number}"
    facts = [("", "the answer as a whole")]
    facts += [(fact.id, f"{fact.id}: {fact.text}") for _, fact in case.facts.each]
    facts += [(f"new{at}", f"new fact {at + 1}") for at in range(NEW_FACTS)]
    groups = [(ALONE, "needed besides the others")]
    groups += [(item.group, f"another place for {item.id}") for item in case.evidence]
    head = chunk_words(chunk)
    return node(
        "div",
        node("p", node("strong", "New: "), head, cls="cur-literal"),
        node(
            "p",
            chunk.text,
            cls="cur-literal cur-scroll cur-passage",
            tabindex=0,
            role="group",
            aria_label=f"Text of {head}",
        ),
        *text_field(form, f"{name}.quote", "The words in it that prove", "", 2),
        *choice(form, f"{name}.fact", "They prove", facts, ""),
        *choice(form, f"{name}.group", "It is", list(dict.fromkeys(groups)), ALONE),
        button("Take it out again", DROP, arg=str(number)),
        cls="cur-place",
    )


def chunk_words(chunk: Chunk) -> str:
    """Return which chunk it is, in words."""
    version = f" · version {chunk.doc_version}" if chunk.doc_version else ""
    return f"{chunk.chunk_id}{version}"


def _hits(picking: Picking) -> list[Child]:
    """Return what the search found."""
    if picking.words and not picking.hits:
        return [node("p", f"Nothing in the corpus holds the words: {picking.words}")]
    taken = {chunk.key for _, chunk in picking.taken}
    return [
        node(
            "div",
            node("p", node("strong", chunk_words(found.chunk)), cls="cur-literal"),
            node("p", *_excerpt(found), cls="cur-literal"),
            node("p", "✓ Taken")
            if found.chunk.key in taken
            else button(
                "Use as evidence",
                TAKE,
                arg=str(at),
                aria_label=f"Use as evidence: {chunk_words(found.chunk)}",
            ),
            cls="cur-place",
        )
        for at, found in enumerate(picking.hits)
    ]


def _excerpt(found: FoundChunk) -> list[Child]:
    """Return the text around the first word that was found, the found words marked."""
    whole = found.chunk.text
    first = found.spans[0][0] if found.spans else 0
    start, end = max(0, first - AROUND), min(len(whole), first + AROUND)
    parts: list[Child] = ["… " if start else ""]
    at = start
    for left, right in found.spans:
        if left < at or right > end:
            continue
        parts += [whole[at:left], node("mark", whole[left:right])]
        at = right
    return [*parts, whole[at:end], " …" if end < len(whole) else ""]


def taken_evidence(
    case: Case, given: Mapping[str, str], picking: Picking
) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Return the new pieces of evidence, and for each fact's row the pieces that prove it.

    Args:
        case: what the form showed.
        given: what its fields say, without their prefix.
        picking: the chunks that were taken.
    """
    used = {item.id for item in case.evidence} | {item.group for item in case.evidence}
    made: list[dict[str, Any]] = []
    proves: dict[str, list[str]] = {}
    for number, chunk in picking.taken:
        name = f"evidence.new{number}"
        item_id = next_id("e", used)
        used.add(item_id)
        made.append(
            {
                "id": item_id,
                "group": given.get(f"{name}.group") or item_id,
                "chunk_id": chunk.chunk_id,
                "doc_id": chunk.doc_id,
                "doc_version": chunk.doc_version,
                "quote": given.get(f"{name}.quote", "").strip(),
            }
        )
        if fact := given.get(f"{name}.fact"):
            proves.setdefault(fact, []).append(item_id)
    return made, proves


def without_removed(items: Sequence[dict[str, Any]], given: Mapping[str, str]) -> list[Any]:
    """Return the pieces of evidence that the form keeps."""
    return [item for item in items if given.get(f"evidence.{item['id']}") != REMOVED]
