"""The rows of facts and evidence, with their states and menus."""

from collections.abc import Iterator

from curation.domain.case import (
    Evidence,
    EvidenceRole,
    Fact,
    FactKind,
    FactRole,
    ForbiddenFact,
    Mention,
)
from curation.domain.finding import Check, Finding, Level
from curation.domain.plural import plural
from curation.domain.verdict import Presence, TextFacts
from curation.domain.visible import shown
from curation.ui.review.board import Board
from curation.ui.review.fields import Document, field, was
from curation.ui.review.pane_answer import block
from curation.ui.review.sight import Sight
from curation.ui.review.texts import Texts

TITLES = {
    FactKind.REQUIRED: ("✓", "Must hold", "must"),
    FactKind.OPTIONAL: ("○", "May hold", "may"),
    FactKind.FORBIDDEN: ("✕", "Must not hold", "must not"),
}
_CUT = 40


def fact_rows(sight: Sight, board: Board) -> Document:
    """Return the facts by kind, each with its states."""
    facts = board.draft.facts
    unsure = _unsure_count(sight)
    parts = [f"{len(facts.of(kind))} {TITLES[kind][2]}" for kind in FactKind]
    summary = " · ".join(parts + ([f"◐ {unsure} unsure"] if unsure else []))
    groups = [
        {
            "kind": kind.value,
            "glyph": TITLES[kind][0],
            "title": TITLES[kind][1],
            "rows": [
                _fact_row(sight, board, kind, number, fact)
                for number, fact in enumerate(facts.of(kind), start=1)
            ],
        }
        for kind in FactKind
        if facts.of(kind)
    ]
    return {"summary": summary, "groups": groups, "note": _gone_facts(sight, board)}


def _unsure_count(sight: Sight) -> int:
    """Return how many facts the logged answer or the reference leaves open."""
    logged = sight.checked.logged
    said = [says for says in (logged.text if logged else None, sight.checked.reference) if says]
    return len({f.fact_id for says in said for f in says.facts if f.presence is Presence.UNSURE})


def _fact_row(sight: Sight, board: Board, kind: FactKind, number: int, fact: Fact) -> Document:
    """Return one fact: its words, other wordings, states, menu and what is wrong with it."""
    name = f"{kind.value.capitalize()} fact {number}"
    return {
        "id": fact.id,
        "name": name,
        "touched": board.touched == fact.id,
        "field": field(
            board,
            f"fact:{fact.id}",
            name,
            kind="line",
            quiet=True,
            old=_old_fact(sight, kind, fact),
        ),
        "wordings": _wordings(board, fact, name),
        "status": _status(sight, kind, fact, board),
        "menu": _fact_menu(board, kind, fact),
        "problem": _problem(sight, fact),
    }


def _wordings(board: Board, fact: Fact, name: str) -> list[Document]:
    """Return the other accepted wordings; an empty one where the menu asked for it."""
    count = len(fact.any_of) + (1 if board.wording_for == fact.id else 0)
    return [
        {
            "field": field(
                board,
                f"wording:{fact.id}:{place}",
                f"{name}, other wording {place + 1}",
                quiet=True,
            ),
            "remove": {"act": "wording_remove", "args": {"id": fact.id, "place": place}},
        }
        for place in range(count)
    ]


def _old_fact(sight: Sight, kind: FactKind, fact: Fact) -> str:
    """Return what an edited fact was: its words, or its kind."""
    if sight.base is None:
        return ""
    for before, old in sight.base.facts.each:
        if old.id == fact.id:
            moved = f'was "{TITLES[before][2]}"' if before is not kind else ""
            return " · ".join(part for part in (moved, was(old.text, fact.text)) if part)
    return "new"


def _gone_facts(sight: Sight, board: Board) -> str:
    """Return the facts that an edit removed."""
    if sight.base is None:
        return ""
    left = {fact.id for _, fact in board.draft.facts.each}
    gone = [shown(fact.text) for _, fact in sight.base.facts.each if fact.id not in left]
    return "Removed: " + " · ".join(gone) if gone else ""


def _status(sight: Sight, kind: FactKind, fact: Fact, board: Board) -> list[Document]:
    """Return what the answer and the reference say of a fact, and where it stands."""
    logged = sight.checked.logged
    return [
        _said("Answer", logged.text if logged else None, kind, fact.id),
        _said("Reference", sight.checked.reference, kind, fact.id),
        _grounds(sight, kind, fact, board),
    ]


def _said(who: str, says: TextFacts | None, kind: FactKind, fact_id: str) -> Document:
    """Return whether a text has a fact, good or bad for this kind of fact."""
    presence = says.presence(fact_id) if says else None
    forbidden = kind is FactKind.FORBIDDEN
    match presence:
        case None:
            return {"text": f"{who} –", "kind": "none"}
        case Presence.UNSURE:
            return {"text": f"{who} ◐ unsure", "kind": "unsure"}
        case Presence.ATTRIBUTED:
            return {"text": f"{who} ✓ names it as another version's", "kind": "good"}
        case Presence.PRESENT:
            glyph, state = ("✕", "bad") if forbidden else ("✓", "good")
            return {"text": f"{who} {glyph} has it", "kind": state}
        case _:
            if kind is FactKind.OPTIONAL:
                return {"text": f"{who} – lacks it", "kind": "none"}
            glyph, state = ("✓", "good") if forbidden else ("✕", "bad")
            return {"text": f"{who} {glyph} lacks it", "kind": state}


def _which(sight: Sight, item: Evidence) -> str:
    """Return the version of evidence, else its rank, else its name."""
    ranks = {hit.chunk_id: f"#{hit.rank}" for hit in sight.answer.retrieved}
    return shown(item.doc_version or ranks.get(item.chunk_id, item.chunk_id))


def _grounds(sight: Sight, kind: FactKind, fact: Fact, board: Board) -> Document:
    """Return the version of a fact's evidence, whose value it is, or what it follows from."""
    if isinstance(fact, ForbiddenFact):
        parts = [f"value of {shown(fact.value_of)}"] if fact.value_of else ["of no other version"]
        parts += ["never even attributed"] if fact.mention is Mention.NEVER else []
        return {"text": " · ".join(parts), "kind": "none"}
    if fact.role is FactRole.CONCLUSION:
        return {"text": "follows from " + ", ".join(fact.from_), "kind": "none"}
    versions = [_which(sight, e) for e in board.draft.evidence if e.id in fact.evidence]
    if not versions:
        needed = kind is FactKind.REQUIRED
        return {"text": "△ no evidence", "kind": "warning" if needed else "none"}
    return {"text": "Evidence " + ", ".join(dict.fromkeys(versions)), "kind": "none"}


def _fact_menu(board: Board, kind: FactKind, fact: Fact) -> list[Document]:
    """Return what can be done with a fact besides editing its words."""
    items: list[Document] = [
        _item(f"Move to {TITLES[other][2]}", "fact_move", id=fact.id, kind=other.value)
        for other in FactKind
        if other is not kind
    ]
    wording = _item("Add another wording", "wording_open", id=fact.id)
    wording["then"] = f'[data-field="wording:{fact.id}:{len(fact.any_of)}"]'
    items.append(wording)
    if isinstance(fact, ForbiddenFact):
        never = _item("Never even attributed", "fact_mention", id=fact.id)
        items.append({**never, "on": fact.mention is Mention.NEVER})
    else:
        items += _conclusion_items(board, fact)
    return [*items, _item("Remove", "fact_remove", id=fact.id)]


def _conclusion_items(board: Board, fact: Fact) -> Iterator[Document]:
    """Yield `follows from …` for each other fact that is no forbidden one."""
    for kind in (FactKind.REQUIRED, FactKind.OPTIONAL):
        for other in board.draft.facts.of(kind):
            if other.id != fact.id:
                item = _item(f"Follows from: {_cut(other.text)}", "fact_from", id=fact.id)
                item["args"] = {"id": fact.id, "from": other.id}
                yield {**item, "on": other.id in fact.from_}


def _item(label: str, act: str, **args: str) -> Document:
    return {"label": label, "act": act, "args": args}


def _cut(text: str) -> str:
    plain = shown(text)
    return plain if len(plain) <= _CUT else plain[: _CUT - 1] + "…"


def _problem(sight: Sight, fact: Fact) -> Document | None:
    """Return what is to fix in a fact, with its one-key repair."""
    finding = next(
        (f for f in sight.checked.findings if f.item == fact.id and f.level is Level.ERROR), None
    )
    if finding is None:
        return None
    return {"glyph": "✕ Fix:", "text": shown(finding.message), **_fact_repair(finding, fact)}


def _fact_repair(finding: Finding, fact: Fact) -> Document:
    if finding.check is not Check.REQUIRED_ON_UNANSWERABLE:
        return {}
    return {"label": "Move to may", "key": "M", "act": "to_may", "args": {"id": fact.id}}


def evidence_rows(sight: Sight, board: Board, texts: Texts) -> Document:
    """Return the evidence, one row a chunk, each quote with its menu."""
    evidence = board.draft.evidence
    keys = dict.fromkeys((item.chunk_id, item.doc_version) for item in evidence)
    return {
        "summary": plural(len(keys), "chunk"),
        "rows": [
            _evidence_row(sight, board, texts, key, number)
            for number, key in enumerate(keys, start=1)
        ],
        "note": _gone_evidence(sight, board),
    }


def _evidence_row(
    sight: Sight, board: Board, texts: Texts, key: tuple[str, str | None], number: int
) -> Document:
    items = [e for e in board.draft.evidence if (e.chunk_id, e.doc_version) == key]
    rank = next(
        (hit.rank for hit in sight.answer.retrieved if (hit.chunk_id, hit.doc_version) == key), None
    )
    where = ["not retrieved" if rank is None else f"#{rank}"]
    where += [f"version {shown(key[1])}"] if key[1] else []
    roles = ["near miss"] if any(e.role is EvidenceRole.DISTRACTOR for e in items) else []
    return {
        "key": f"evidence{number}",
        "where": [*where, shown(key[0])],
        "tags": [*roles, *_alternatives(items)],
        "quotes": [
            {
                "id": item.id,
                "block": block(texts, f"quote-{item.id}", item.quote) if item.quote else None,
                "menu": _evidence_menu(board, item),
            }
            for item in items
        ],
    }


def _alternatives(items: list[Evidence]) -> list[str]:
    return [f"alternative to {e.group}" for e in items if e.group != e.id]


def _evidence_menu(board: Board, item: Evidence) -> list[Document]:
    """Return what can be done with a piece of evidence."""
    near = _item("Near miss, no proof", "evidence_near", id=item.id)
    items: list[Document] = [{**near, "on": item.role is EvidenceRole.DISTRACTOR}]
    for other in board.draft.evidence:
        if other.id != item.id:
            label = f"Alternative to {other.id}: {_cut(other.quote or other.chunk_id)}"
            entry = _item(label, "evidence_group", id=item.id, other=other.id)
            items.append({**entry, "on": other.group == item.group})
    return items


def _gone_evidence(sight: Sight, board: Board) -> str:
    """Return the evidence that an edit removed."""
    if sight.base is None:
        return ""
    left = {item.id for item in board.draft.evidence}
    gone = [shown(e.chunk_id) for e in sight.base.evidence if e.id not in left]
    return "Removed: " + " · ".join(gone) if gone else ""
