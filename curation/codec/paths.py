"""Where a case lives: `cases/<hh>/<id>.json`, sharded by the hash of its immutable id.

Needs nothing but the standard library and `domain.case_id`: the server-side hook carries both.
"""

import hashlib
import re
from functools import lru_cache

from curation.domain.case_id import is_case_id

CASES = "cases"
_CASE_PATH = re.compile(r"cases/([0-9a-f]{2})/([^/]+)\.json")


@lru_cache(maxsize=50_000)
def case_path(case_id: str) -> str:
    """Return the path of a case's file, relative to the golden path."""
    shard = hashlib.sha256(case_id.encode("utf-8")).hexdigest()[:2]
    return f"{CASES}/{shard}/{case_id}.json"


@lru_cache(maxsize=50_000)
def case_id_of(path: str) -> str | None:
    """Return the id of the case that the path belongs to; None when it is no case's path."""
    found = _CASE_PATH.fullmatch(path)
    if found is None or not is_case_id(found[2]) or case_path(found[2]) != path:
        return None
    return found[2]
