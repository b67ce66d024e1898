"""Every failure that the program names. Say what did not happen, why, and what to do."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pydantic import ValidationError


class CurationError(Exception):
    """The base of every error that a user may read.

    `exit_status` is what a command ends with: 1 for a finding or a refusal, 2 for usage or
    environment.
    """

    exit_status = 1


class PersonError(CurationError):
    """A person is not written as git needs it."""

    exit_status = 2

    def __init__(self, text: str) -> None:
        super().__init__(f'{text!r} does not name a person. Write it as "Name <email>".')


class ConfigError(CurationError):
    """The configuration of this home cannot be used."""

    exit_status = 2

    def __init__(self, where: str, problem: str, what_to_do: str) -> None:
        super().__init__(f"The configuration {where} cannot be used: {problem}. {what_to_do}")


class NotFoundError(CurationError):
    """Something was asked for by a name that nothing has."""

    exit_status = 2

    def __init__(self, what: str, name: str, what_to_do: str = "") -> None:
        super().__init__(f"There is no {what} {name!r}. {what_to_do}".rstrip())


class PolicyError(CurationError):
    """A golden.toml cannot be read as a policy."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where} is not a policy: {problem}. Correct it and try again.")


class CaseFormError(CurationError):
    """A case file does not have the form of a case."""

    exit_status = 2

    def __init__(self, where: str, problem: str) -> None:
        self.problem = problem
        super().__init__(f"{where} is not a case: {problem}. Correct it and try again.")


class RoleError(CurationError):
    """A person's role does not allow an act."""

    def __init__(self, act: str, needed: str, role: str) -> None:
        super().__init__(f"{act} needs the role {needed}. Yours is {role}.")


def first_problem(problem: "ValidationError", *, below: str = "") -> str:
    """Return the first thing that keeps a value from its type, as a clause that names the field.

    Args:
        problem: What pydantic found; none of its own words are passed on.
        below: Where the value itself stands: `gate` for the table of that name.
    """
    place, wrong = place_and_problem(problem)
    place = (
        f"{below}{'.' if place and not place.startswith('[') else ''}{place}" if below else place
    )
    if wrong in {_UNKNOWN, _MISSING}:
        return f"the field {place} {wrong}"
    return (
        f"{place or 'it'} {wrong}"
        if wrong.startswith(("is ", "has ", "holds "))
        else _at(place, wrong)
    )


def _at(place: str, wrong: str) -> str:
    """Return a sentence of our own with the place before it."""
    return f"{place}: {wrong}" if place else wrong


def place_and_problem(problem: "ValidationError") -> tuple[str, str]:
    """Return the field with the first problem, and the rest of the sentence: `is missing`."""
    found = problem.errors(include_url=False)[0]
    place, kind = found["loc"], found["type"]
    # Of a union of whole and other numbers the first branch alone is heard.
    kind = "float_type" if place[-1:] == ("int",) else kind
    return _place(place), _wrong(kind, found.get("ctx", {}))


_UNKNOWN = "is not known"
_MISSING = "is missing"
_SAID = {
    "missing": _MISSING,
    "extra_forbidden": _UNKNOWN,
    "string_type": "is not a text",
    "list_type": "is not a list",
    "tuple_type": "is not a list",
    "set_type": "is not a list",
    "frozen_set_type": "is not a list",
    "dict_type": "is not an object",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "dataclass_type": "is not an object",
    "int_type": "is not a number",
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "int_parsing_size": "is too large a number",
    "float_type": "is not a number",
    "float_parsing": "is not a number",
    "finite_number": "is not a finite number",
    "bool_type": "is not true or false",
    "bool_parsing": "is not true or false",
    "path_type": "is not a path",
    "string_unicode": "holds half of a surrogate pair",
    "none_required": "is not null",
}
_SIZES = {
    "greater_than": ("is not above {:.12g}", "gt"),
    "greater_than_equal": ("is below {:.12g}", "ge"),
    "less_than": ("is not below {:.12g}", "lt"),
    "less_than_equal": ("is above {:.12g}", "le"),
    "string_too_short": ("has fewer letters than {}", "min_length"),
    "string_too_long": ("has more letters than {}", "max_length"),
    "too_short": ("has fewer entries than {}", "min_length"),
    "too_long": ("has more entries than {}", "max_length"),
}
_MOMENT = "is not a moment such as 2026-05-04T12:00:00Z"


def _wrong(kind: str, context: "Mapping[str, Any]") -> str:
    """Return what is wrong in our words, whatever kind of problem it is."""
    if kind in _SAID:
        return _SAID[kind]
    if kind in {"enum", "literal_error"}:
        return f"is not {context['expected']}"
    if kind in _SIZES:
        words, name = _SIZES[kind]
        return words.format(context[name])
    if kind == "value_error":
        return str(context["error"])
    return _by_form(kind, str(context.get("error", "")))


def _by_form(kind: str, error: str) -> str:
    """Return what is wrong with how a text is written."""
    if kind == "json_invalid":
        half = "surrogate" in error or "hex escape" in error
        return "holds half of a surrogate pair" if half else "is not JSON"
    dated = kind.startswith(("datetime", "timezone", "date_"))
    return _MOMENT if dated else "is not of the right kind"


def _place(location: "tuple[int | str, ...]") -> str:
    """Return `facts.required[0].text`; the branches of a union are left out."""
    place = ""
    for part in location:
        if isinstance(part, int):
            place += f"[{part}]"
        elif part not in {"int", "float", "[key]"}:
            place += f".{part}" if place else part
    return place
