"""The message of a commit: built as bytes by us, so that free text can forge no trailer.

The trailers are the last paragraph, one line each. Every line that a person wrote is indented
by a space, so none can begin a trailer, a divider (`---`) or a heading of ours.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from curation.domain.case import Case
from curation.domain.change import Change, ChangeKind
from curation.domain.person import Person
from curation.domain.plural import plural
from curation.domain.review import Acknowledgement

_SUBJECT_LIMIT = 72
_EXPLAINED = "Explained:"
_VERBS = {
    ChangeKind.ADD: "Add",
    ChangeKind.EDIT: "Edit",
    ChangeKind.RETIRE: "Retire",
    ChangeKind.RESTORE: "Restore",
}
_UNSAFE = frozenset({"Cc", "Cs", "Zl", "Zp"})

Trailers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Message:
    """What a commit says."""

    subject: str
    body: tuple[str, ...]
    trailers: Trailers

    def encode(self) -> bytes:
        """Return the bytes of the message."""
        paragraphs = [self.subject, "\n".join(self.body).strip("\n")]
        paragraphs.append("\n".join(f"{key}: {value}" for key, value in self.trailers))
        return ("\n\n".join(part for part in paragraphs if part) + "\n").encode()


def one_line(text: str) -> str:
    """Return the text as one line without control characters."""
    safe = (" " if unicodedata.category(char) in _UNSAFE else char for char in text)
    return " ".join("".join(safe).split())


def cut(text: str, limit: int) -> str:
    """Return the text in one line of at most `limit` characters."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def indented(text: str) -> tuple[str, ...]:
    """Return the lines of a free text, each indented by a space; empty lines stay empty."""
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(f" {_visible(line)}" if line.strip() else "" for line in lines)


def _visible(line: str) -> str:
    """Return the line with what a commit message cannot hold replaced."""
    bad = ("Cc", "Cs")
    return "".join(
        "\ufffd" if unicodedata.category(char) in bad and char != "\t" else char for char in line
    ).rstrip()


def reason_of(body: str) -> str:
    """Return the reason that a person gave, from the body of a message."""
    lines = body.split("\n")
    end = lines.index(_EXPLAINED) if _EXPLAINED in lines else len(lines)
    return "\n".join(line.removeprefix(" ") for line in lines[:end]).strip()


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What the trailers of a change say besides what the change itself knows.

    `approvers` are those who are not its authors; `self_approved` says that an author's own
    approval was needed, `reworded` that the question of an existing case is spelled differently,
    `baseline_fails` that the current baseline fails the case.
    """

    approvers: tuple[Person, ...]
    self_approved: bool = False
    reworded: bool = False
    baseline_fails: bool = False


def change_message(change: Change, cases: Sequence[Case], marks: Marks) -> Message:
    """Return the message of the commit that a change becomes.

    Args:
        change: the change; its newest patch set is what is committed.
        cases: the cases that it writes; none for a policy.
        marks: what else its trailers say.
    """
    latest = change.latest
    body = indented(latest.reason)
    if latest.acks:
        body += ("", _EXPLAINED, *(line for ack in latest.acks for line in _explained(ack)))
    return Message(subject=_subject(change, cases), body=body, trailers=_trailers(change, marks))


def _explained(ack: Acknowledgement) -> tuple[str, ...]:
    about = f" ({one_line(ack.item)})" if ack.item else ""
    return indented(f"{one_line(ack.check)}{about}: {one_line(ack.why)}")


def _subject(change: Change, cases: Sequence[Case]) -> str:
    if change.kind is ChangeKind.IMPORT:
        source = (change.import_source or "").split(" sha256:")[0]
        return cut(f"Import {plural(len(cases), 'case')} from {source}", _SUBJECT_LIMIT)
    if change.kind is ChangeKind.POLICY:
        names = ", ".join(file.path for file in change.latest.files)
        return cut(f"Change the policy: {names}", _SUBJECT_LIMIT)
    if change.kind is ChangeKind.BASELINE:
        return "Set the baseline"
    return cut(f"{_VERBS[change.kind]} case {cases[0].id}: {cases[0].question}", _SUBJECT_LIMIT)


def _trailers(change: Change, marks: Marks) -> Trailers:
    single = change.kind in _VERBS
    pairs = [
        ("Case", change.case_id if single else None),
        ("Change", change.kind.value),
        ("Import", change.import_source if change.kind is ChangeKind.IMPORT else None),
        ("Change-Id", change.id),
        ("Base-Blob", (change.latest.base_blob or "none") if single else None),
        ("Question-Reworded", "yes" if marks.reworded else None),
        ("Baseline-Fails", "yes" if marks.baseline_fails else None),
        ("Source-Answer", change.answer_id),
        ("Failure", change.failure.value if change.failure else None),
        *(("Co-authored-by", str(person)) for person in co_authors(change)),
        *(("Reviewed-by", str(person)) for person in marks.approvers),
        ("Self-approved", "yes" if marks.self_approved else None),
    ]
    lines = ((key, one_line(value)) for key, value in pairs if value is not None)
    return tuple((key, value) for key, value in lines if value)


def co_authors(change: Change) -> tuple[Person, ...]:
    """Return the authors of a change but the one of its newest patch set, who is the commit's."""
    return tuple(p for p in change.authors if p.key != change.latest.author.key)


def release_message(version: str, counts: Sequence[str]) -> Message:
    """Return the message of the commit that makes a version."""
    return Message(
        subject=f"Release {version}",
        body=indented(", ".join(counts)),
        trailers=(("Release", version),),
    )
