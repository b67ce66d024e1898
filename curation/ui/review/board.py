"""The review as a person is in the middle of it, and what each event does to it.

Pure: `reduce(board, event)` gives the next board and the effects that services carry out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from curation.domain.review import Draft, Verdict
from curation.ui.review.picks import Passage
from curation.ui.review.undo import Step


class Effect(StrEnum):
    """What a service does after an event."""

    PROPOSE = "propose"
    DISMISS = "dismiss"
    SKIP = "skip"
    UNDO_VERDICT = "undo_verdict"
    SHOW_JUDGE = "show_judge"
    SEARCH = "search"
    VERSIONS = "versions"
    DUPLICATES = "duplicates"
    EDIT_CASE = "edit_case"
    RENEW = "renew"
    LOOK = "look"
    GO_QUEUE = "go_queue"
    GO = "go"
    NEXT = "next"
    SAVE_AGAIN = "save_again"
    TAKE_OTHER = "take_other"
    KEEP_MINE = "keep_mine"
    DISCARD = "discard"
    HAND_OVER = "hand_over"


@dataclass(frozen=True, kw_only=True)
class Order:
    """An effect with what it needs: a text (query, reason, page), a case, a verdict, a block."""

    effect: Effect
    text: str = ""
    case_id: str = ""
    verdict: Verdict | None = None
    block: str = ""


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A question in place: a chunk of another version was about to be used."""

    block: str
    press: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the screen says after an act; `urgent` ones are spoken at once."""

    n: int = 0
    text: str = ""
    kind: str = "done"  # done | refused
    urgent: bool = False


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What the draft is written about: the passages on the screen and the version asked for.

    `pairs` leads from a passage to the same passage in a version that was retrieved.
    """

    passages: Mapping[str, Passage] = field(default_factory=dict)
    asked_for: str | None = None
    pairs: Mapping[str, str] = field(default_factory=dict)
    wanted: tuple[str, ...] = ()  # the question and the corrections
    locked: str = ""  # why nothing can be changed; empty where it can


@dataclass(frozen=True, kw_only=True)
class Board:
    """The draft with everything that the next event may depend on."""

    draft: Draft = field(default_factory=Draft)
    desk: Desk = field(default_factory=Desk)
    touched: str | None = None
    used: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    guard: Guard | None = None
    said: Said = field(default_factory=Said)
    panel: str = ""
    wording_for: str = ""
    revs: Mapping[str, int] = field(default_factory=dict)
    seen: Mapping[str, int] = field(default_factory=dict)
    bad: Mapping[str, str] = field(default_factory=dict)

    def says(self, text: str, *, refused: bool = False, urgent: bool = False) -> "Board":
        """Return the board with a new message."""
        kind = "refused" if refused else "done"
        said = Said(n=self.said.n + 1, text=text, kind=kind, urgent=urgent)
        return replace(self, said=said)

    def changed_fields(self, other: Draft) -> frozenset[str]:
        """Return the draft fields that differ from another draft."""
        return frozenset(
            name for name in Draft.model_fields if getattr(self.draft, name) != getattr(other, name)
        )
