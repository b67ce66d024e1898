"""How git names a person, and the signs that would make two people look like one.

Standard library only: the server-side hook of a golden repository carries this module.
"""

import re

PERSON = re.compile(
    r"\s*(?P<name>[^<>\x00-\x1f\x7f]+?)\s*<(?P<email>[^<>\s\x00-\x1f\x7f]+@[^<>\s\x00-\x1f\x7f]+)>\s*"
)
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # categories of Unicode
