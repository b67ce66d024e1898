"""People and what they may do."""

from enum import StrEnum
from typing import Self
from unicodedata import category

from curation.domain.base import Value
from curation.domain.person_form import PERSON, UNSEEN
from curation.errors import PersonError

_JOINERS = "\u200c\u200d"  # written inside Persian and Indic names
_LONGEST = 254


class Role(StrEnum):
    """What a person may do, lowest first."""

    READER = "reader"
    REVIEWER = "reviewer"
    APPROVER = "approver"
    ADMIN = "admin"

    def covers(self, needed: "Role") -> bool:
        """Return whether this role includes what `needed` may do."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Person(Value):
    """Somebody who writes, approves or publishes, as git names them."""

    name: str
    email: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the person written as `Name <email>`.

        Raises:
            PersonError: the text is not of that form, or holds control characters.
        """
        found = PERSON.fullmatch(text)
        if found is None:
            raise PersonError(text)
        return cls(name=found["name"], email=found["email"])

    @classmethod
    def entered(cls, text: str) -> Self:
        """Return the person that somebody typed: only a name that reads as what it is.

        Stricter than `parse`, which reads what git already holds: a sign that nobody sees would
        let one person stand beside another under the same name.

        Raises:
            PersonError: as `parse`; or no letter, an invisible sign, half a surrogate, too long.
        """
        person = cls.parse(text)
        unseen = any(category(sign) in UNSEEN for sign in text if sign not in _JOINERS)
        joined = any(sign in _JOINERS for sign in person.email)
        if unseen or joined or not any(sign.isalnum() for sign in person.name):
            raise PersonError(text)
        if len(person.name) > _LONGEST or len(person.email) > _LONGEST:
            raise PersonError(text[:40] + "…")
        return person

    @property
    def key(self) -> str:
        """The lower-cased e-mail: two people are the same when their keys are equal."""
        return self.email.casefold()

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"
