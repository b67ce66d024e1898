"""The JSON documents of the evaluation commands."""

import json
from collections.abc import Mapping
from typing import Any

from curation.domain.gate import GateResult
from curation.evaluation.compare import Comparison
from curation.evaluation.report import Report, report_document

__all__ = ["comparison_document", "gate_document", "render_json", "report_document"]


def gate_document(result: GateResult) -> dict[str, Any]:
    """Return the document of `curation eval gate`."""
    body = result.model_dump(mode="json")
    head = {name: body[name] for name in ("result", "profile")}
    return head | {"text": result.text} | body


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return the document of `curation eval compare`."""
    return comparison.model_dump(mode="json")


def render_json(what: Report | Comparison | GateResult | Mapping[str, Any]) -> str:
    """Return a document as JSON text, without NaN."""
    document: Mapping[str, Any]
    if isinstance(what, Report):
        document = report_document(what)
    elif isinstance(what, Comparison):
        document = comparison_document(what)
    elif isinstance(what, GateResult):
        document = gate_document(what)
    else:
        document = what
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
