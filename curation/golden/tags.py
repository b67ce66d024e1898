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


class Impostor(NamedTuple):
    """A reference whose name git may take for a version, or for the branch of the set."""

    ref: str
    commit: str
    taken_for: str

    @property
    def message(self) -> str:
        """What is wrong with it, as a clause."""
        kind = "tag" if self.ref.startswith("refs/tags/") else "branch"
        return f"{self.ref} is a {kind}, and git may take it for {self.taken_for}"


def read_impostors(golden: OpenGolden) -> list[Impostor]:
    """Return the branches named like versions and the tag named like the branch, if there are.

    A checkout looks for a branch of a name first, most other commands look for a tag.
    """
    branch = golden.location.branch
    form, tag = "--format=%(refname)%00%(objectname)", f"refs/tags/{branch}"
    out = golden.git.text("for-each-ref", form, tag, *_BRANCHES, doing="list the branches")
    rows = [line.split("\0") for line in out.split("\n") if line]
    found = [Impostor(ref, oid, f"golden/{ref.rpartition('/')[2]}") for ref, oid in rows]
    return [
        one._replace(taken_for=f"the branch {branch}") if one.ref == tag else one
        for one in found
        if one.ref == tag or version_number(one.taken_for) is not None
    ]
