"""Commits of a golden set that are in no repository: what the rules say of them is pure."""

from collections.abc import Mapping
from typing import Any

from curation.codec import case_path
from curation.golden.chain import Blobs
from curation.golden.record import Commit, Touched

FILE = "100644"
NOTHING = "0" * 40
CASE = case_path("q-0001")
OTHER = case_path("q-0002")
ANA = "Ana Ruiz <ana@example.org>"
ROB = "Rob Oduya <rob@example.org>"


def touch(path: str, status: str = "M", *, mode: str | None = None, new: str = "b") -> Touched:
    """A file that was changed from the blob a…a to the blob of that letter."""
    added, gone = status == "A", status == "D"
    return Touched(
        status=status,
        old_mode="000000" if added else FILE,
        new_mode=mode or ("000000" if gone else FILE),
        old=NOTHING if added else "a" * 40,
        new=NOTHING if gone else new * 40,
        path=path,
    )


def commit(
    *touched: Touched,
    body: str = "\n\n Because.",
    parents: int = 1,
    reviewed: tuple[str, ...] = (),
    also_by: tuple[str, ...] = (),
    **trailers: Any,
) -> Commit:
    """A commit by Mia with the trailers given; `Change_Id` is written `Change-Id`."""
    said = [(key.replace("_", "-"), value) for key, value in trailers.items() if value is not None]
    said += [("Reviewed-by", who) for who in reviewed]
    said += [("Co-authored-by", who) for who in also_by]
    lines = "\n".join(f"{key}: {value}" for key, value in said)
    return Commit(
        oid="c" * 40,
        parents=tuple("p" * 40 for _ in range(parents)),
        author_name="Mia Kim",
        author_email="mia@example.org",
        author_date="2026-11-02T09:00:00+00:00",
        committer_name="Rob Oduya",
        committer_email="rob@example.org",
        committer_date="2026-11-02T09:00:00+00:00",
        message=f"By hand{body}" + (f"\n\n{lines}\n" if lines else "\n"),
        trailers=tuple(said),
        touched=touched,
    )


def change(*touched: Touched, **trailers: Any) -> Commit:
    """An edit of q-0001 that keeps every rule of its kind, but for what is said otherwise."""
    kept = {"Case": "q-0001", "Change": "edit", "Change_Id": "one", "Base_Blob": "a" * 40}
    return commit(*(touched or (touch(CASE),)), **{**kept, **trailers})


def blobs_of(contents: Mapping[str, str | bytes]) -> Blobs:
    """What reads the blobs of those letters: `b` is what the blob b…b holds."""
    held = {
        letter * 40: data if isinstance(data, bytes) else data.encode()
        for letter, data in contents.items()
    }
    return held.get
