"""A change as the approver sees it: fields, facts and words, beside the exact file diff."""

import difflib
from dataclasses import dataclass
from typing import Any

from curation.codec import loads
from curation.domain.case import Case
from curation.domain.change import Change, PatchSet
from curation.domain.diff import CaseDiff, diff_cases
from curation.golden import blob_text
from curation.services import changes
from curation.services.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class ChangeView:
    """What a patch set would change.

    `diff` is None for a policy and an import, whose file diff says it all.
    """

    change: Change
    patch_set: PatchSet
    old: Case | None
    new: Case | None
    diff: CaseDiff | None
    file_diff: str

    def document(self) -> dict[str, Any] | None:
        """Return the field-by-field diff as a document."""
        return self.diff.to_document() if self.diff is not None else None


def view_change(workspace: Workspace, change: Change, *, since: int | None = None) -> ChangeView:
    """Return what the newest patch set changes against its base, or since an earlier one."""
    patch_set = change.latest
    new = changes.case_of(patch_set)
    old_text = _numbered(change, since).files[0].text if since else _base_text(workspace, patch_set)
    old = loads(old_text.encode("utf-8"), "the base") if old_text and new is not None else None
    return ChangeView(
        change=change,
        patch_set=patch_set,
        old=old,
        new=new,
        diff=diff_cases(old, new) if new is not None else None,
        file_diff="".join(
            file_diff(file.path, old_text if index == 0 else "", file.text)
            for index, file in enumerate(patch_set.files)
        ),
    )


def _numbered(change: Change, number: int) -> PatchSet:
    """Return the patch set with that number."""
    return next(p for p in change.patch_sets if p.number == number)


def _base_text(workspace: Workspace, patch_set: PatchSet) -> str:
    """Return the text of the file that the patch set is based on; empty for an addition."""
    if patch_set.base_blob is None:
        return ""
    return blob_text(workspace.golden, patch_set.base_blob) or ""


def file_diff(path: str, old: str, new: str) -> str:
    """Return the unified diff of one file, as git shows it."""
    before = f"a/{path}" if old else "/dev/null"
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), before, f"b/{path}", lineterm="")
    return "".join(f"{line}\n" for line in lines)
