"""The JSON Schema of a case file, written from the model."""

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from curation.domain.case import Case
from curation.domain.case_id import CASE_ID

_NOISE = frozenset({"title", "default"})
_WEIGHT = {"type": "number", "exclusiveMinimum": 0, "maximum": 100}


class _FileSchema(GenerateJsonSchema):
    """A case file has every key, so every key is required."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - the signature of pydantic
    ) -> bool:
        """Return True: nulls and empty lists are written."""
        del field, total
        return True


def case_schema() -> bytes:
    """Return the JSON Schema of a case file."""
    body = _without_noise(Case.model_json_schema(schema_generator=_FileSchema))
    body["properties"]["id"]["pattern"] = CASE_ID.pattern
    body["properties"]["weight"] = _WEIGHT
    document = {"$schema": _FileSchema.schema_dialect, "title": "A golden case", **body}
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def _without_noise(node: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the schema without the titles and defaults that say nothing of a file."""
    if isinstance(node, dict):
        return {key: _without_noise(item) for key, item in node.items() if key not in _NOISE}
    if isinstance(node, list):
        return [_without_noise(item) for item in node]
    return node
