"""The tags under `golden/`, as they really are: annotated or not, and what they say inside."""

from typing import NamedTuple

from curation.golden.location import TAGS, OpenGolden

_FIELDS = ("refname", "objecttype", "objectname", "*objectname", "tag", "taggername", "taggeremail")


class VersionTag(NamedTuple):
    """One tag. `version` is the name of the reference, `inner_name` what the object says."""

    version: str
    annotated: bool
    commit: str
    inner_name: str
    tagger: str


def read_tags(golden: OpenGolden) -> list[VersionTag]:
    """Return the tags under `golden/`."""
    form = "--format=" + "%00".join(f"%({name})" for name in _FIELDS)
    out = golden.git.text("for-each-ref", form, TAGS, doing="list the tags")
    return [_tag(line.split("\0")) for line in out.split("\n") if line]


def _tag(fields: list[str]) -> VersionTag:
    name, kind, direct, peeled, inner, tagger, email = fields
    return VersionTag(
        version=name.removeprefix("refs/tags/"),
        annotated=kind == "tag",
        commit=peeled or direct,
        inner_name=inner,
        tagger=f"{tagger} {email}".strip(),
    )
