"""One-key repairs of texts: private data redacted, characters that nobody sees stripped."""

from collections.abc import Callable

from curation.checks import find_private
from curation.domain.review import Draft
from curation.domain.visible import visible
from curation.ui.review.edits import find_fact, read_field, write_field
from curation.ui.review.picks import Refused

REDACTED = "[redacted]"


def redacted(text: str) -> str:
    """Return the text with everything private in it replaced."""
    for found in sorted(find_private(text), key=lambda item: -item.start):
        text = f"{text[: found.start]}{REDACTED}{text[found.end :]}"
    return text


def stripped(text: str) -> str:
    """Return the text without the characters that nobody sees."""
    return "".join(piece.text for piece in visible(text) if not piece.hidden)


def cleaned(draft: Draft, field: str, item: str, clean: Callable[[str], str]) -> Draft:
    """Return the draft with the texts of one field cleaned.

    Args:
        draft: the draft.
        field: the field of the case that a finding names.
        item: the fact or line in it, where the finding names one.
        clean: what is done to a text.
    """
    for name in _names(draft, field, item):
        written = write_field(draft, name, clean(read_field(draft, name)))
        if not isinstance(written, Refused):
            draft = written
    return draft


def _names(draft: Draft, field: str, item: str) -> list[str]:
    """Return the fields of the screen that hold the texts."""
    if field == "facts":
        found = find_fact(draft, item)
        wordings = range(len(found[1].any_of)) if found else range(0)
        return [f"fact:{item}", *(f"wording:{item}:{place}" for place in wordings)]
    if field == "other_references":
        return [f"other:{place}" for place in range(len(draft.other_references))]
    return [field]
