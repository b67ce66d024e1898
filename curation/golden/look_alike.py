"""Two people who may be one: the same name, or addresses that a reader takes for the same.

Standard library only: the server-side hook carries this module. It is a hint for people, never a
rule: who is who is for the `.mailmap` to say.
"""

import unicodedata
from collections.abc import Iterator, Sequence

# Letters of other scripts that look like Latin ones, lower case.
_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d"
    "\u03bf\u03b1\u03bd\u03c1\u03b9\u0131\u0261",
    "aeopcyxijshdqwoavpiig",
)


def look_alikes(writers: Sequence[str], approvers: Sequence[str]) -> Iterator[str]:
    """Yield a clause for each approver who looks like a writer and has another address.

    Args:
        writers: those who wrote a change, as `Name <email>`.
        approvers: those who approved it.
    """
    for approver in approvers:
        for writer in writers:
            if _resemble(_parts(writer), _parts(approver)):
                yield f"{approver} approved what {writer} wrote, and both look like one person"


def _parts(person: str) -> tuple[str, str]:
    name, _, rest = person.partition("<")
    return name, rest.rstrip("> ").casefold()


def _resemble(one: tuple[str, str], other: tuple[str, str]) -> bool:
    if one[1] == other[1]:
        return False
    names = {_looks(name) for name, _ in (one, other)}
    addresses = {_address(email) for _, email in (one, other)}
    return (len(names) == 1 and "" not in names) or len(addresses) == 1


def _address(email: str) -> tuple[str, str]:
    """Return how an address looks, without what most servers ignore: `+tag` and dots."""
    local, _, domain = email.rpartition("@")
    return _looks(local.partition("+")[0]), _looks(domain)


def _looks(text: str) -> str:
    """Return the letters and digits of a text as a reader sees them."""
    folded = unicodedata.normalize("NFKD", text).casefold().translate(_LIKE_LATIN)
    return "".join(sign for sign in folded if sign.isalnum())
