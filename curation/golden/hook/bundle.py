"""The hook as one file: the modules it stands on, as they are here, and a call of its main.

The file is what the audit runs, to the letter, so that the two cannot drift apart.
"""

from importlib.util import find_spec
from pathlib import Path

# Each needs only the standard library and those before it.
MODULES = (
    "curation.domain.case_id",
    "curation.domain.person_form",
    "curation.codec.paths",
    "curation.golden.approvals",
    "curation.golden.look_alike",
    "curation.golden.mailmap",
    "curation.golden.record",
    "curation.golden.experiment_record",
    "curation.golden.kinds",
    "curation.golden.chain",
    "curation.golden.hook.case_form",
    "curation.golden.hook.server",
    "curation.golden.hook.receive",
)
MARK = "# The server-side hook of a golden repository, written by `curation golden install-hook`."

_HEAD = '''\
#!/usr/bin/env python3
{mark}
#
# It refuses pushes that change the set while an experiment is open, commits that fit no kind or
# lack approvers, cases of a wrong form, moved versions, and anything but a fast forward. It needs
# git and Python 3.11 or newer, nothing else. Write it again after an update of curation.
"""Judge a push before git takes it."""

import sys
import types

if sys.version_info < (3, 11):
    sys.exit("The push was refused: the hook of the golden set needs Python 3.11 or newer.")

BRANCH = {branch!r}
PREFIX = {prefix!r}
MODULES = {{}}
'''
_TAIL = '''
def load(name, source):
    """Make a module of its source; the packages above it are empty."""
    parts = name.split(".")
    for depth in range(1, len(parts)):
        above = ".".join(parts[:depth])
        if above not in sys.modules:
            package = types.ModuleType(above)
            package.__path__ = []
            sys.modules[above] = package
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"<hook {name}>", "exec"), module.__dict__)


for each, text in MODULES.items():
    load(each, text)

if __name__ == "__main__":
    sys.exit(sys.modules["curation.golden.hook.receive"].main(branch=BRANCH, prefix=PREFIX))
'''


def hook_text(*, branch: str = "main", prefix: str = "") -> str:
    """Return the file of the hook.

    Args:
        branch: the branch that holds the set.
        prefix: the golden path inside the repository, with its slash; empty for the root.
    """
    head = _HEAD.format(mark=MARK, branch=branch, prefix=prefix)
    parts = [f"\nMODULES[{name!r}] = {_literal(_source(name))}\n" for name in MODULES]
    return head + "".join(parts) + _TAIL


def _source(name: str) -> str:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).read_text("utf-8")


def _literal(source: str) -> str:
    """Return a text as a literal that people can read where that is possible."""
    plain = "'''" not in source and not source.endswith("\\")
    return f"r'''{source}'''" if plain else repr(source)
