"""The form of a case file as far as the standard library can judge it: bytes, keys, id, place.

Standard library only: the server-side hook carries this module. Whether a case is right in what
it says is what `curation golden audit` looks at.
"""

import json
from typing import Any

from curation.codec.paths import case_id_of

# What stands under a key: a value, a list of values, an object (or null), a list of objects.
VALUE = "value"
VALUES = "values"
Keys = dict[str, Any]

TURN: Keys = {"role": VALUE, "text": VALUE}
FACT: Keys = {
    "id": VALUE,
    "text": VALUE,
    "any_of": VALUES,
    "evidence": VALUES,
    "role": VALUE,
    "from": VALUES,
}
FORBIDDEN: Keys = {**FACT, "value_of": VALUE, "mention": VALUE}
FACTS: Keys = {"required": [FACT], "optional": [FACT], "forbidden": [FORBIDDEN]}
DECLINE: Keys = {"id": VALUE, "text": VALUE, "any_of": VALUES}
EVIDENCE: Keys = {
    "id": VALUE,
    "group": VALUE,
    "role": VALUE,
    "chunk_id": VALUE,
    "doc_id": VALUE,
    "doc_version": VALUE,
    "quote": VALUE,
    "chunk_sha256": VALUE,
}
PROVENANCE: Keys = {
    "origin": VALUE,
    "answer_id": VALUE,
    "external_id": VALUE,
    "pipeline_version": VALUE,
    "failure": VALUE,
    "signals": VALUES,
    "reported_at": VALUE,
}
RETIRED: Keys = {"reason": VALUE, "superseded_by": VALUE}
CASE: Keys = {
    "schema": VALUE,
    "id": VALUE,
    "status": VALUE,
    "question": VALUE,
    "conversation": [TURN],
    "standalone_question": VALUE,
    "answerable": VALUE,
    "question_type": VALUE,
    "slice": VALUE,
    "category": VALUE,
    "weight": VALUE,
    "reference": VALUE,
    "other_references": VALUES,
    "reference_source": VALUE,
    "facts": FACTS,
    "declines": [DECLINE],
    "readings": VALUES,
    "evidence": [EVIDENCE],
    "doc_version": VALUE,
    "provenance": PROVENANCE,
    "retired": RETIRED,
    "notes": VALUE,
}
_MAY_BE_NULL = frozenset({"retired"})


def form_problem(path: str, data: bytes) -> str | None:
    """Return what is wrong with the form of a case file, as a clause; None if nothing is.

    Args:
        path: relative to the golden path.
        data: the bytes of the file.
    """
    try:
        case = json.loads(data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refused)
        canonical = json.dumps(case, indent=2, ensure_ascii=False).encode("utf-8") + b"\n"
    except (ValueError, RecursionError) as wrong:
        return f"it cannot be read ({wrong})"
    if not isinstance(case, dict):
        return "it is not a JSON object"
    problem = _key_problem(case, CASE, "")
    if problem is not None:
        return problem
    if canonical != data:
        return "it is not in canonical form"
    if case["id"] != case_id_of(path):
        return f"it says that it is {case['id']!r}"
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key comes twice")
    return table


def _refused(name: str) -> float:
    raise ValueError(f"it holds {name}")


def _key_problem(found: dict[str, Any], keys: Keys, place: str) -> str | None:
    """Return where an object has other keys, or another order of them, than it must have."""
    if list(found) != list(keys):
        missing = [name for name in keys if name not in found]
        strange = [name for name in found if name not in keys]
        if missing or strange:
            parts = [f"{place}{name} is missing" for name in missing[:1]]
            parts += [f"{place}{name!s} is no key of a case" for name in strange[:1]]
            return "; ".join(parts)
        return f"the keys of {place.rstrip('.') or 'the case'} are in another order"
    for name, kind in keys.items():
        problem = _value_problem(found[name], kind, f"{place}{name}")
        if problem is not None:
            return problem
    return None


def _value_problem(value: object, kind: object, place: str) -> str | None:
    if isinstance(kind, list):
        return _list_problem(value, kind[0], place)
    if isinstance(kind, dict):
        if value is None and place in _MAY_BE_NULL:
            return None
        return (
            _key_problem(value, kind, f"{place}.")
            if isinstance(value, dict)
            else f"{place} is not an object"
        )
    if kind == VALUES:
        plain = isinstance(value, list) and not any(isinstance(x, dict | list) for x in value)
        return None if plain else f"{place} is not a list of values"
    return f"{place} is not a value" if isinstance(value, dict | list) else None


def _list_problem(value: object, keys: Keys, place: str) -> str | None:
    if not isinstance(value, list):
        return f"{place} is not a list"
    for index, item in enumerate(value):
        where = f"{place}[{index}]"
        if not isinstance(item, dict):
            return f"{where} is not an object"
        problem = _key_problem(item, keys, f"{where}.")
        if problem is not None:
            return problem
    return None
