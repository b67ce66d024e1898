"""Facts looked up in a text: present, absent or unsure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.metrics.anchors import Likeness, compare
from curation.metrics.items import ItemKind
from curation.metrics.memory import remembered
from curation.metrics.normalise import fold
from curation.metrics.places import Place, TextIndex, index_text
from curation.metrics.presence import Match, Presence
from curation.metrics.relatedness import says_nothing_near
from curation.metrics.verbatim import verbatim
from curation.metrics.window import Finding, Outcome, findings_in
from curation.metrics.wording import Part, Role, Want, read_wording
from curation.metrics.words import STOPWORDS, related

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from curation.metrics.segments import Segment

__all__ = ["Verdict", "match_fact", "match_part", "match_wording"]

_MOST_SEGMENTS = 300
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on one statement, with everything in the text that bears on it."""

    match: Match
    findings: tuple[Finding, ...] = ()


def match_fact(
    text: str, fact: str, *, any_of: Sequence[str] = (), conclusion: bool = False
) -> Match:
    """Return whether the text says the fact, in its words or in one of the other wordings.

    Args:
        text: The text as given; the span counts its code points.
        fact: The fact in its own words.
        any_of: Other wordings that count as well.
        conclusion: The fact follows from others; a yes or no decides it as the leading word.
    """
    matches = [
        match_wording(text, wording, conclusion=conclusion).match for wording in (fact, *any_of)
    ]
    for verdict in (Presence.PRESENT, Presence.UNSURE, Presence.ABSENT):
        for match in matches:
            if match.verdict is verdict:
                return match
    return matches[0]


def match_wording(text: str, wording: str, *, conclusion: bool = False) -> Verdict:
    """Return whether the text says a fact in one wording, with what in it bears on that.

    There are findings only for a wording of one statement that was looked for in segments.
    """
    if not text.strip():
        return _plainly(Presence.ABSENT, None, "the text is empty")
    if _flat(text) == _flat(wording):
        return _plainly(Presence.PRESENT, (0, len(text)), "the same words")
    index = index_text(text)
    same = verbatim(index, wording)
    if same is not None:
        return _plainly(Presence.PRESENT, index.reading.span(*same), "the same words")
    parts = read_wording(wording)
    if not parts:
        return _plainly(Presence.UNSURE, None, "the fact has no words to look for")
    verdicts = [match_part(index, part, conclusion=conclusion) for part in parts]
    if len(verdicts) == 1:
        return verdicts[0]
    return Verdict(_combined([verdict.match for verdict in verdicts]))


def _plainly(verdict: Presence, span: tuple[int, int] | None, reason: str) -> Verdict:
    return Verdict(Match(verdict=verdict, span=span, reason=reason))


@remembered(512)
def _flat(text: str) -> str:
    return _SPACES.sub(" ", fold(text).text).strip(" .")


def _combined(matches: Sequence[Match]) -> Match:
    """Return the verdict on all statements of a fact: the worst of them."""
    for verdict in (Presence.ABSENT, Presence.UNSURE):
        for match in matches:
            if match.verdict is verdict:
                return match
    spans = [match.span for match in matches if match.span is not None]
    hull = (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None
    return Match(verdict=Presence.PRESENT, span=hull, reason=matches[0].reason)


_YES_NO = {"yes": "no", "no": "yes"}


def match_part(index: TextIndex, part: Part, *, conclusion: bool = False) -> Verdict:
    """Return whether a text says one statement of a fact."""
    if part.answer is not None:
        decided = _by_answer(index, part, conclusion=conclusion)
        if decided is not None:
            return Verdict(decided)
    if not part.wants:
        return Verdict(_by_tokens(index, part))
    verdict = _by_findings(index, part)
    if conclusion and verdict.match.verdict is Presence.ABSENT:
        conflict = any(finding.outcome is Outcome.CONFLICT for finding in verdict.findings)
        if not conflict and not _abstains(index):
            unsure = Match(
                verdict=Presence.UNSURE, span=None, reason="it may follow from what is said"
            )
            return Verdict(unsure, verdict.findings)
    return verdict


def _by_answer(index: TextIndex, part: Part, *, conclusion: bool) -> Match | None:
    """Decide by the text's leading yes or no; None where the statement has to be read."""
    said, at = _leading(index)
    if said is None:
        if part.wants:
            return None
        return Match(verdict=Presence.UNSURE, span=None, reason="does not begin with yes or no")
    span = index.reading.span(at, at)
    if said == _YES_NO[part.answer or "yes"]:
        return Match(verdict=Presence.ABSENT, span=span, reason=f"begins with {said}")
    if conclusion or not part.wants:
        return Match(verdict=Presence.PRESENT, span=span, reason=f"begins with {said}")
    rest = _by_findings(index, part).match
    if rest.verdict is Presence.ABSENT and rest.span is None:
        return Match(
            verdict=Presence.UNSURE, span=span, reason=f"begins with {said}, the rest is missing"
        )
    return rest


def _leading(index: TextIndex) -> tuple[str | None, int]:
    """Return the yes or no that a text begins with, and its item."""
    items = index.reading.items
    for at, item in enumerate(items[:12]):
        if item.kind is ItemKind.BREAK or item.kind is ItemKind.PUNCT:
            continue
        if item.text in _YES_NO:
            alone = at + 1 >= len(items) or items[at + 1].kind in {ItemKind.PUNCT, ItemKind.BREAK}
            return (item.text, at) if alone else (None, at)
        return None, at
    return None, 0


def _by_tokens(index: TextIndex, part: Part) -> Match:
    """Look for a fact of nothing but function words as it stands."""
    items = [
        (at, item.text)
        for at, item in enumerate(index.reading.items)
        if item.kind is not ItemKind.PUNCT
    ]
    texts = [text for _, text in items]
    size = len(part.tokens)
    for at in range(len(texts) - size + 1):
        if tuple(texts[at : at + size]) == part.tokens:
            span = index.reading.span(items[at][0], items[at + size - 1][0])
            return Match(verdict=Presence.PRESENT, span=span, reason="the same words")
    return Match(verdict=Presence.UNSURE, span=None, reason="the fact has no words to look for")


def _by_findings(index: TextIndex, part: Part) -> Verdict:
    found = [index.places(want) for want in part.wants]
    findings: list[Finding] = []
    for segment in _segments(index, part, found):
        findings.extend(findings_in(index, segment, part, found))
    return Verdict(_decide(index, part, found, findings), tuple(findings))


def _segments(index: TextIndex, part: Part, found: Sequence[list[Place]]) -> Iterable[Segment]:
    """Return the segments that hold something of the statement, the richest of too many."""
    hits: Counter[int] = Counter()
    for want, places in zip(part.wants, found, strict=True):
        weight = 1 if want.role is Role.LIGHT else 4
        for number in {index.segment_of[place.at] for place in places}:
            hits[number] += weight
    segments = index.reading.segments
    chosen = [number for number, _ in hits.most_common(_MOST_SEGMENTS) if number >= 0]
    for number in index.blocks:
        block = segments[number]
        held = sum(bool(index.within(places, block.first, block.last)) for places in found)
        if held > 1:
            chosen.append(number)
    return [segments[number] for number in sorted(chosen)]


def _decide(
    index: TextIndex, part: Part, found: Sequence[list[Place]], findings: Sequence[Finding]
) -> Match:
    present = _best(findings, Outcome.PRESENT)
    if present is not None:
        return _told(index, Presence.PRESENT, present)
    conflict = _best(findings, Outcome.CONFLICT)
    doubt = _best(findings, Outcome.DOUBT)
    missing = _missing_value(part, found)
    if missing is not None:
        return _without(index, missing, conflict)
    if conflict is not None and (doubt is None or conflict.share >= doubt.share):
        return _told(index, Presence.ABSENT, conflict)
    if doubt is not None:
        return _doubted(index, part, found, doubt)
    if _abstains(index) or says_nothing_near(index, part):
        return Match(verdict=Presence.ABSENT, span=None, reason="says nothing of it")
    return Match(verdict=Presence.UNSURE, span=None, reason="may say it in other words")


_HALF_SAID = 0.7


def _doubted(index: TextIndex, part: Part, found: Sequence[list[Place]], doubt: Finding) -> Match:
    """Return unsure, or absent where what is missing can be said in no other way."""
    gone = _missing_literal(index, part, found, doubt)
    if gone is not None:
        reason = f"{gone} is not in the text"
        return _told(index, Presence.ABSENT, replace(doubt, reason=reason))
    unknown = not part.values and doubt.share <= _HALF_SAID and _abstains(index)
    if _is_near(part, found) and not unknown:
        return _told(index, Presence.UNSURE, doubt)
    return Match(verdict=Presence.ABSENT, span=None, reason="says nothing of it")


def _best(findings: Sequence[Finding], outcome: Outcome) -> Finding | None:
    fitting = [finding for finding in findings if finding.outcome is outcome]
    return max(fitting, key=lambda finding: finding.share, default=None)


def _told(index: TextIndex, verdict: Presence, finding: Finding) -> Match:
    span = index.reading.span(finding.first, finding.last)
    return Match(verdict=verdict, span=span, reason=finding.reason)


def _missing_value(part: Part, found: Sequence[list[Place]]) -> Want | None:
    """Return a value of the statement that stands nowhere in the text."""
    for want, places in zip(part.wants, found, strict=True):
        soft = want.quantity is not None and want.quantity.soft
        if want.role is Role.VALUE and not places and not soft:
            return want
    return None


def _missing_literal(
    index: TextIndex, part: Part, found: Sequence[list[Place]], doubt: Finding
) -> str | None:
    """Return a word that only stands for itself, a set value or a name, and stands nowhere."""
    missing = [
        want
        for want, places in zip(part.wants, found, strict=True)
        if not places and want.role is Role.CONTENT
    ]
    if part.values or not missing:
        return None
    literal = [want for want in missing if want.literal]
    if literal and not _has_kin(index, literal[0].stem):
        return literal[0].text
    known = {want.at for want in part.wants if want.proper and want not in missing}
    partly = any({want.at - 1, want.at + 1} & known for want in missing)
    if all(want.proper for want in missing) and not partly and _names_another(index, part, doubt):
        return " ".join(want.text for want in missing)
    return None


def _has_kin(index: TextIndex, word: str) -> bool:
    return any(related(word, stem) for stem in index.stems if stem not in STOPWORDS)


def _names_another(index: TextIndex, part: Part, doubt: Finding) -> bool:
    """Return whether the doubtful segment has another name where the fact has its own."""
    segment = index.reading.segments[index.segment_of[doubt.first]]
    known = {want.stem for want in part.wants}
    others = [
        item.text.lower()
        for at, item in enumerate(index.reading.items[segment.first : segment.last])
        if at and item.proper and item.stem not in known and item.text not in STOPWORDS
    ]
    missing = [want.text.lower() for want in part.wants if want.proper]
    short = _initials(missing) in others or any(len(word) == 1 for word in others)
    return bool(others) and not short and not any(word in _initials(others) for word in missing)


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)


def _without(index: TextIndex, missing: Want, conflict: Finding | None) -> Match:
    """Return absent for a value that stands nowhere, with what stands instead if that is clear."""
    if conflict is not None:
        return _told(index, Presence.ABSENT, conflict)
    if _has_foreign_numerals(index):
        reason = f"{missing.shown} may be written in other signs"
        return Match(verdict=Presence.UNSURE, span=None, reason=reason)
    rivals = [at for at in index.quantities if _is_rival(missing, index, at)]
    if len(rivals) == 1:
        span = index.reading.span(rivals[0], rivals[0])
        reason = f"{index.reading.text[slice(*span)]} instead of {missing.shown}"
        return Match(verdict=Presence.ABSENT, span=span, reason=reason)
    reason = f"{missing.shown} is not in the text"
    return Match(verdict=Presence.ABSENT, span=None, reason=reason)


def _is_rival(missing: Want, index: TextIndex, at: int) -> bool:
    quantity = index.reading.items[at].quantity
    if missing.quantity is None or quantity is None:
        return False
    return compare(missing.quantity, quantity) is Likeness.RIVAL


_NUMERAL_SIGNS = frozenset(
    "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07\u842c\u4e24\u534a"
)


def _has_foreign_numerals(index: TextIndex) -> bool:
    return not index.reading.text.isascii() and any(
        item.kind is ItemKind.SCRIPT and not _NUMERAL_SIGNS.isdisjoint(item.text)
        for item in index.reading.items
    )


_LONG = 6
_NEAR_SHARE = 0.25


def _is_near(part: Part, found: Sequence[list[Place]]) -> bool:
    """Return whether the text holds enough of the statement to hold back an absent."""
    if part.values or len(part.content) < _LONG:
        return True
    held = sum(
        bool(places)
        for want, places in zip(part.wants, found, strict=True)
        if want.role is Role.CONTENT
    )
    return held / len(part.content) > _NEAR_SHARE


_ABSTENTION = re.compile(
    r"""\b(?:
      (?:do|does|did|could|can|was|were|am|is|are)(?:n't|\ not|not)\s+(?:\w+\s+){0,3}?
      (?:know|find|answer|sure|contain|provide|mention|say|specif\w+|include\ any
        |have\ (?:enough|any|the|that)?\s*(?:information|details|data)
        |able\ to\ (?:find|answer))
    | no\ (?:information|mention|details|answer)
    | not\ (?:mentioned|specified|stated|available\ in|documented)
    | unable\ to\ (?:find|answer|help)
    | not\ enough\ information
    | insufficient\ information
    )\b""",
    re.VERBOSE,
)
_SHORT_TEXT = 400


def _abstains(index: TextIndex) -> bool:
    """Return whether a short text only says that it does not know."""
    flat = index.reading.folded.text
    return len(flat) < _SHORT_TEXT and _ABSTENTION.search(flat) is not None
