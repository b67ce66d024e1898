"""Text from outside as it is: invisible and bidirectional characters are made visible."""

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Return the text with each character that nobody could see written as its number."""
    plain = text.replace("\r\n", "\n")
    return _HIDDEN.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", plain)
