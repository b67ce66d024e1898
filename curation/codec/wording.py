"""What pydantic found, as one clause that a person can act on."""

from typing import Any

from pydantic import ValidationError

_SHOULD_BE = {
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "int_type": "a number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
}


def first_problem(problem: ValidationError) -> str:
    """Return the first problem as a clause that names the field."""
    found = problem.errors(include_url=False)[0]
    kind, place = found["type"], _place(found["loc"])
    if kind == "extra_forbidden":
        return f"the field {place} is not known"
    if kind == "missing":
        return f"the field {place} is missing"
    return f"{place or 'it'} {_wrong(kind, found.get('ctx', {}), found['msg'])}"


def _wrong(kind: str, context: dict[str, Any], message: str) -> str:
    if kind in _SHOULD_BE:
        return f"is not {_SHOULD_BE[kind]}"
    if kind in {"enum", "literal_error"}:
        return f"is not {context['expected']}"
    if kind == "greater_than":
        return f"is not above {context['gt']:g}"
    if kind == "less_than_equal":
        return f"is above {context['le']:g}"
    if kind in {"string_unicode", "json_invalid"}:
        return "holds half of a surrogate pair"
    return f"is wrong: {message[:1].lower()}{message[1:]}"


def _place(location: tuple[int | str, ...]) -> str:
    """Return `facts.required[0].text`; the branches of a union are left out."""
    place = ""
    for part in location:
        if isinstance(part, int):
            place += f"[{part}]"
        elif part not in {"int", "float"}:
            place += f".{part}" if place else part
    return place
