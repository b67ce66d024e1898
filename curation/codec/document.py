"""A case as a person or another program writes it: what has a default may be left out.

The form of `--case FILE` and of imports. Nothing is guessed: an unknown field is an error.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from curation.domain.case import Case, FactKind
from curation.errors import CaseFormError, first_problem

_NESTED = ("provenance",)


def case_from_document(
    document: Mapping[str, Any],
    *,
    where: str,
    defaults: Mapping[str, Any] | None = None,
    taken: Collection[str] = (),
) -> Case:
    """Return the case that a document says, completed.

    A fact or decline may be a plain text. Ids of facts, evidence and declines that are missing
    are given (`f1`, `e1`, `d1`, ... none of them twice); an evidence group is the item's own id
    unless given.

    Args:
        document: the parsed JSON object.
        where: what to call it in a refusal.
        defaults: fields that the document may leave out, such as a placeholder `id`.
        taken: ids of facts, evidence and declines that were once used in this case.

    Raises:
        CaseFormError: with the field that is wrong.
    """
    whole = _completed(document, defaults or {})
    _give_ids(whole, where, taken)
    try:
        # As JSON, because there a number is no text and `true` no number.
        return Case.model_validate_json(json.dumps(whole), strict=True)
    except ValidationError as problem:
        raise CaseFormError(where, first_problem(problem)) from problem
    except TypeError as problem:
        raise CaseFormError(where, f"it holds what JSON cannot say ({problem})") from problem


def _completed(document: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document over the defaults; null stands for a default, as in the file form."""
    whole = {**defaults, **{key: item for key, item in document.items() if item is not None}}
    for name in _NESTED:
        below, above = defaults.get(name), document.get(name)
        if isinstance(below, Mapping) and isinstance(above, Mapping):
            whole[name] = {**below, **above}
    return whole


def _give_ids(whole: dict[str, Any], where: str, taken: Collection[str]) -> None:
    """Complete facts, declines and evidence in place."""
    facts = whole.get("facts", {})
    if not isinstance(facts, Mapping):
        raise CaseFormError(where, "facts is not an object")
    whole["facts"] = {**facts}
    lists = [(whole["facts"], kind.value, "f", f"facts.{kind}") for kind in FactKind]
    lists += [(whole, "declines", "d", "declines"), (whole, "evidence", "e", "evidence")]
    for table, name, _, place in lists:
        table[name] = _items(table.get(name), where, place)
    items = [item for table, name, _, _ in lists for item in table[name]]
    used = {*taken, *(item["id"] for item in items if isinstance(item.get("id"), str))}
    for table, name, letter, _ in lists:
        for item in table[name]:
            if item.get("id") is None:
                item["id"] = _fresh(letter, used)
                used.add(item["id"])
    for item in whole["evidence"]:
        if item.get("group") is None:
            item["group"] = item["id"]


def _items(value: object, where: str, place: str) -> list[dict[str, Any]]:
    """Return a list of objects; a plain text becomes one."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise CaseFormError(where, f"{place} is not a list")
    return [_item(item, where, f"{place}[{index}]") for index, item in enumerate(value)]


def _item(item: object, where: str, place: str) -> dict[str, Any]:
    if isinstance(item, str) and not place.startswith("evidence"):
        return {"text": item}
    if isinstance(item, Mapping):
        return {**item}
    kind = "an object" if place.startswith("evidence") else "an object or a text"
    raise CaseFormError(where, f"{place} is not {kind}")


def _fresh(letter: str, used: Collection[object]) -> str:
    """Return the first of `f1`, `f2`, ... that is not in use."""
    number = 1
    while f"{letter}{number}" in used:
        number += 1
    return f"{letter}{number}"
