"""Whether a text comes near the subject of a fact at all, in whatever words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.items import ItemKind
from curation.metrics.lexicon import word_set
from curation.metrics.wording import Part, WantKind
from curation.metrics.words import STOPWORDS, related

if TYPE_CHECKING:
    from curation.metrics.places import TextIndex

__all__ = ["says_nothing_near"]

_MOST_WORDS = 400
_FEW_WORDS = 5


def says_nothing_near(index: TextIndex, part: Part) -> bool:
    """Return whether no word of the text is kin to a word of the statement.

    Where the language cannot be told to be the same, the answer is no: an absent must be sure.
    """
    if any(want.kind is WantKind.SCRIPT for want in part.wants) or _is_foreign(index, part):
        return False
    if _has_initials(index, part) or _is_soon_reworded(index, part):
        return False
    wanted = [want.stem for want in part.wants if want.kind is WantKind.WORD]
    stems = [stem for stem in index.stems if stem not in STOPWORDS][:_MOST_WORDS]
    return not any(related(one, two) for one in wanted for two in stems)


_VERBS = word_set("is are was were be has have can may must do does should will")


_RULES = word_set("nobody everybody everyone anyone someone you your we our must can may need free")


def _is_soon_reworded(index: TextIndex, part: Part) -> bool:
    """Return whether two words of a statement may be a rule that the text states for people.

    `Membership is voluntary` shares no word with `Nobody has to join`.
    """
    distinct = part.scopes or any(want.literal for want in part.wants)
    if len(part.content) != 2 or distinct or _VERBS.isdisjoint(part.tokens):
        return False
    return not _RULES.isdisjoint(index.stems)


_ENGLISH = word_set("the of and to is are that for with you it this be can by from your not has")


def _is_foreign(index: TextIndex, part: Part) -> bool:
    """Return whether the text or the fact may be in a language other than English."""
    if any(item.kind is ItemKind.SCRIPT for item in index.reading.items):
        return True
    words = [item.text for item in index.reading.items if item.kind is ItemKind.WORD]
    return any(
        len(texts) >= _FEW_WORDS and _ENGLISH.isdisjoint(texts) for texts in (words, part.tokens)
    )


def _has_initials(index: TextIndex, part: Part) -> bool:
    """Return whether one side has the initials of the other's words: USA, United States."""
    words = [want.text for want in part.wants if want.kind is WantKind.WORD]
    names = [item for item in index.reading.items if item.proper]
    initials = "".join(word[0] for word in words)
    if len(words) > 1 and any(item.text.startswith(initials) for item in names):
        return True
    spelled = "".join(item.text[0] for item in names)
    return any(
        2 <= len(want.text) <= 5 and want.text in spelled
        for want in part.wants
        if want.proper or len(words) == 1
    )
