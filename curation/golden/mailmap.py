"""Who is who, by a set's `.mailmap`: one person with two addresses is one person.

Standard library only: the server-side hook carries this module.
"""

import re
import unicodedata
from collections.abc import Sequence

from curation.domain.person_form import PERSON, UNSEEN

_LINE = re.compile(r"^(?P<name>[^<#]*)<(?P<email>[^>]*)>(?:(?P<old_name>[^<#]*)<(?P<old>[^>]*)>)?")

Mailmap = dict[tuple[str, str | None], tuple[str | None, str | None]]


def parse_mailmap(text: str) -> Mailmap:
    """Return (old address, old name or None) to (name, address), by git's four forms."""
    entries: Mailmap = {}
    for line in text.split("\n"):
        found = _LINE.match(line.strip())
        if found is None:
            continue
        name = found["name"].strip() or None
        if found["old"] is None:
            entries[found["email"].casefold(), None] = (name, None)
            continue
        old_name = found["old_name"].strip().casefold() or None
        entries[found["old"].casefold(), old_name] = (name, found["email"])
    return entries


def mapped(entries: Mailmap, name: str, email: str) -> tuple[str, str]:
    """Return the name and address that somebody is known by."""
    key = email.casefold()
    hit = entries.get((key, name.casefold())) or entries.get((key, None))
    return (hit[0] or name, hit[1] or email) if hit else (name, email)


def person_key(entries: Mailmap, name: str, email: str) -> str:
    """Return what people are compared by: the lower-cased address after the mailmap."""
    return mapped(entries, name, email)[1].casefold()


def is_somebody(name: str, email: str) -> bool:
    """Return whether a name and an address are those of a person whom others can tell apart.

    An address with a space or a sign that nobody sees looks like another's and is not equal to it.
    """
    unseen = any(unicodedata.category(sign) in UNSEEN for sign in email)
    return not unseen and PERSON.fullmatch(f"{name} <{email}>") is not None


class People:
    """The people that commits name, by the keys they are compared by; each is looked up once."""

    def __init__(self, mailmap: Mailmap) -> None:
        self._mailmap = mailmap
        self._known: dict[tuple[str, str], str] = {}
        self._named: dict[str, str | None] = {}

    def key(self, name: str, email: str) -> str:
        """Return the key of a person."""
        found = self._known.get((name, email))
        if found is None:
            found = self._known[name, email] = person_key(self._mailmap, name, email)
        return found

    def keys(self, texts: Sequence[str]) -> list[str]:
        """Return the keys of those whom texts name as `Name <email>`; who is nobody is left out."""
        found: list[str] = []
        for text in texts:
            if text not in self._named:
                hit = PERSON.fullmatch(text)
                known = hit is not None and is_somebody(hit[1], hit[2])
                self._named[text] = self.key(hit[1], hit[2]) if hit and known else None
            key = self._named[text]
            if key is not None:
                found.append(key)
        return found
