"""What may name a case, and so a file on every system.

Standard library only: the server-side hook of a golden repository carries this module.
"""

import re

CASE_ID = re.compile(r"^[a-z0-9][a-z0-9-]{1,62}$")
DEVICE_NAMES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"com{n}" for n in range(10)} | {f"lpt{n}" for n in range(10)}
)


def is_case_id(text: str) -> bool:
    """Return whether the text may name a case."""
    return CASE_ID.fullmatch(text) is not None and text not in DEVICE_NAMES
