"""The tags under `golden/`, as they really are: annotated or not, and what they say inside."""

from typing import NamedTuple

from curation.golden.kinds import version_number
from curation.golden.location import TAGS, OpenGolden

_FIELDS = (
    "refname",
    "objecttype",
    "objectname",
    "*objectname",
    "tag",
    "type",
    "taggername",
    "taggeremail",
)
_BRANCHES = ("refs/heads/golden/", "refs/remotes/*/golden/*")


class VersionTag(NamedTuple):
    """One tag. `version` is the name of the reference.

    `inner_name` is what the object says that it is, `of` what it says that it is a tag of.
    """

    version: str
    annotated: bool
    commit: str
    inner_name: str
    of: str
    tagger: str


def read_tags(golden: OpenGolden) -> list[VersionTag]:
    """Return the tags under `golden/`."""
    form = "--format=" + "%00".join(f"%({name})" for name in _FIELDS)
    out = golden.git.text("for-each-ref", form, TAGS, doing="list the tags")
    return [_tag(line.split("\0")) for line in out.split("\n") if line]


def _tag(fields: list[str]) -> VersionTag:
    name, kind, direct, peeled, inner, of, tagger, email = fields
    return VersionTag(
        version=name.removeprefix("refs/tags/"),
        annotated=kind == "tag",
        commit=peeled or direct,
        inner_name=inner,
        of=of,
        tagger=f"{tagger} {email}".strip(),
    )


class VersionBranch(NamedTuple):
    """A branch that is named as only a version may be, here or as a remote had it."""

    version: str
    ref: str
    commit: str


def read_version_branches(golden: OpenGolden) -> list[VersionBranch]:
    """Return the branches that git may take for a version: it looks for branches first."""
    form = "--format=%(refname)%00%(objectname)"
    out = golden.git.text("for-each-ref", form, *_BRANCHES, doing="list the branches")
    rows = [line.split("\0") for line in out.split("\n") if line]
    found = [VersionBranch(f"golden/{ref.rpartition('/')[2]}", ref, oid) for ref, oid in rows]
    return [branch for branch in found if version_number(branch.version) is not None]
