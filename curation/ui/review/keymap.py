"""The keys of the review page: one key, one meaning, in every state (review-experience.md 9)."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["named", "letter", "digit", "printed", "mod"]


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key: what it does, how a press is recognised, how people read it.

    Digits are recognised by their place on the keyboard, letters and signs by what they print.
    `repeats` says whether holding it down acts again, `always` whether it also acts on the page
    that has nothing to review, `line` is its text in the key line (none: only in the list).
    """

    act: str
    press: str
    kind: Kind
    shown: str
    about: str
    line: str = ""
    repeats: bool = False
    always: bool = False

    def document(self) -> dict[str, object]:
        """Return what the browser is told of the key."""
        return {
            "act": self.act,
            "press": self.press,
            "kind": self.kind,
            "shown": self.shown,
            "about": self.about,
            "repeats": self.repeats,
            "always": self.always,
        }


def _named(act: str, press: str, shown: str, about: str, **more: object) -> Key:
    repeats = bool(more.get("repeats", True))
    return Key(
        act=act,
        press=press,
        kind="named",
        shown=shown,
        about=about,
        line=str(more.get("line", "")),
        repeats=repeats,
    )


def _letter(act: str, letter: str, about: str, *, line: str = "", always: bool = False) -> Key:
    return Key(
        act=act,
        press=letter.lower(),
        kind="letter",
        shown=letter.upper(),
        about=about,
        line=line,
        always=always,
    )


def _digit(act: str, press: str, about: str, *, line: str = "") -> Key:
    return Key(act=act, press=press, kind="digit", shown=press, about=about, line=line)


KEYS: tuple[Key, ...] = (
    _named("up", "ArrowUp", "↑", "the sentence before", line="sentence"),
    _named("down", "ArrowDown", "↓", "the next sentence"),
    _named("page_up", "PageUp", "PageUp", "the chunk before"),
    _named("page_down", "PageDown", "PageDown", "the next chunk"),
    _named("word_left", "ArrowLeft", "←", "the word before", line="words"),
    _named("word_right", "ArrowRight", "→", "narrow to a word, the next word"),
    _named("extend_left", "Shift+ArrowLeft", "Shift+←", "one word less, or more to the left"),
    _named("extend_right", "Shift+ArrowRight", "Shift+→", "one word more"),
    _digit("required", "1", "required: a right answer must hold it", line="✓ required"),
    _digit("optional", "2", "optional: a right answer may hold it", line="○ optional"),
    _digit("forbidden", "3", "forbidden: a right answer must not hold it", line="✕ forbidden"),
    _digit(
        "required_and_forbid",
        "Shift+1",
        "required, and forbid its counterpart",
        line="✓ and ✕ other version",
    ),
    _letter("evidence", "e", "use the words as evidence", line="❝ evidence"),
    _letter("reference", "i", "put the words into the reference", line="into reference"),
    _letter("wording", "o", "another accepted wording of the last fact"),
    _letter("versions", "v", "other versions of this chunk", line="versions"),
    _letter("show_all", "l", "show all of this chunk"),
    Key(
        act="search", press="/", kind="printed", shown="/", about="search the corpus", line="search"
    ),
    _letter("search", "k", "search the corpus"),
    _digit("answer_yes", "5", "the corpus can answer it"),
    _digit("answer_no", "6", "it cannot"),
    _digit("answer_part", "7", "it can in part"),
    _digit("answer_unclear", "8", "the question is unclear"),
    _letter("write", "w", "write the reference answer", line="write"),
    _letter("add_fact", "a", "type a fact"),
    _letter("to_may", "m", "move the marked fact to may"),
    _letter("repair", "b", "apply the repair of the first check"),
    _letter("explain", "y", "say why the first thing to explain is right"),
    _letter("failure", "f", "where it failed"),
    _letter("details", "t", "the details of the case"),
    _letter("judge", "j", "show the judge"),
    _letter("turns", "p", "the earlier turns"),
    Key(
        act="propose",
        press="Mod+Enter",
        kind="mod",
        shown="Ctrl+Enter",
        about="propose the case; it also acts inside a field and saves it first",
    ),
    _letter("right", "g", "the answer is right"),
    _letter("duplicate", "d", "a duplicate, or edit that case"),
    _letter("not_actionable", "n", "not actionable"),
    _letter("skip", "s", "skip"),
    _letter("undo", "z", "undo the last pick or verdict", always=True),
    _letter("queue", "q", "go to the queue", always=True),
    _letter("help", "h", "these keys"),
    Key(act="help", press="?", kind="printed", shown="?", about=""),
    _named(
        "escape", "Escape", "Esc", "leave the field, close a block, widen the words", repeats=False
    ),
)

_LINE_JOINED = {"up": "↑↓", "word_left": "←→"}


def shown_key(act: str) -> str:
    """Return the first key of an act as people read it; empty where it has none."""
    return next((key.shown for key in KEYS if key.act == act), "")


def key_line() -> list[dict[str, str]]:
    """Return the keys that are always in sight."""
    return [
        {"key": _LINE_JOINED.get(key.act, key.shown), "text": key.line} for key in KEYS if key.line
    ]
