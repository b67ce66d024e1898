"""The canonical bytes of a case: one case has one spelling, so that git's diff is the change.

The keys of the model in their order, two spaces a level, UTF-8, bare newlines, empty lists and
nulls kept, whole numbers without a point, a final newline. The form is the one Python's own `json`
writes, so that it can be checked without this program.
"""

import json
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from curation.codec.strict import read_document
from curation.domain.case import Case
from curation.errors import CaseFormError, first_problem


def dumps(case: Case) -> bytes:
    """Return the canonical bytes of a case.

    Raises:
        CaseFormError: a text holds half of a surrogate pair and so cannot be written.
    """
    case = _whole_weight(case)
    try:
        if isinstance(case.weight, int):
            return case.model_dump_json(indent=2).encode() + b"\n"
        # The fast writer spells small fractions in its own way.
        document = case.model_dump(mode="json")
        return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"
    except (PydanticSerializationError, UnicodeEncodeError) as problem:
        raise CaseFormError(case.id, "a text holds half of a surrogate pair") from problem


class Read(NamedTuple):
    """A case and whether its bytes are the canonical ones."""

    case: Case
    canonical: bool


def read_case(data: bytes, where: str) -> Read:
    """Return the case that the bytes of its file say, and how they are spelled.

    Raises:
        CaseFormError: not a case in every field, with the place and the field.
    """
    found = _canonical(data)
    return Read(found, canonical=True) if found else Read(_slowly(data, where), canonical=False)


def loads(data: bytes, where: str) -> Case:
    """Return the case that the bytes of its file say, however they are spelled.

    Raises:
        CaseFormError: not a case in every field, with the place and the field.
    """
    return read_case(data, where).case


def _canonical(data: bytes) -> Case | None:
    """Return the case of canonical bytes; what they are not, the slow reader says in words."""
    try:
        case = Case.model_validate_json(data, strict=True)
        return case if dumps(case) == data else None
    except (ValidationError, CaseFormError):
        return None


def _slowly(data: bytes, where: str) -> Case:
    """Return the case of bytes that are not canonical, or say what is wrong with them."""
    document = read_document(data, where)
    try:
        return Case.model_validate_json(json.dumps(document).encode(), strict=True)
    except ValidationError as problem:
        raise CaseFormError(where, first_problem(problem)) from problem


def _whole_weight(case: Case) -> Case:
    if isinstance(case.weight, int) or not case.weight.is_integer():
        return case
    return case.model_copy(update={"weight": int(case.weight)})
