"""Whether a text comes near the subject of a fact at all, in whatever words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.metrics.items import ItemKind
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
    if any(want.kind is WantKind.SCRIPT for want in part.wants) or _is_foreign(index):
        return False
    wanted = [want.stem for want in part.wants if want.kind is WantKind.WORD]
    stems = [stem for stem in index.stems if stem not in STOPWORDS][:_MOST_WORDS]
    return not any(related(one, two) for one in wanted for two in stems)


def _is_foreign(index: TextIndex) -> bool:
    words = [item for item in index.reading.items if item.kind is ItemKind.WORD]
    if any(item.kind is ItemKind.SCRIPT for item in index.reading.items):
        return True
    return len(words) >= _FEW_WORDS and not any(item.text in STOPWORDS for item in words)
