"""A report of nothing but means, as other tools and the method's own example write it."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from curation.errors import first_problem
from curation.evaluation.errors import ReportError
from curation.evaluation.report import Group, Pins, Report, parse_report
from curation.metrics.aggregate import Mean
from curation.metrics.metric import Metric, parse_metric

__all__ = ["read_report"]

_KEPT = frozenset({"version", "commit", "cases_tree", "pipeline", "k"})
_IGNORED = frozenset({"n", "slices", "name", "date", "note", "notes", "id"})


def read_report(document: Mapping[str, Any]) -> Report:
    """Return the report of a document: a whole one, or `{recall, faithfulness, slices}`.

    A slice is a number (its recall) or an object of metrics. Intervals are then not known.

    Raises:
        ReportError: it is neither.
    """
    if "pins" in document or "cases" in document:
        return parse_report(document)
    slices = document.get("slices", {})
    if not isinstance(slices, Mapping):
        raise ReportError("slices is not an object")
    metrics = _means({k: v for k, v in document.items() if k not in _KEPT | _IGNORED}, "")
    if not metrics and not slices:
        raise ReportError("it has no metric")
    pins = {name: document[name] for name in _KEPT if document.get(name) is not None}
    return Report(
        pins=_pins(pins),
        n=_count(document.get("n", 0)),
        metrics=metrics,
        slices={str(name): _slice(str(name), value) for name, value in slices.items()},
        aggregates_only=True,
    )


def _pins(known: Mapping[str, Any]) -> Pins:
    try:
        return Pins.model_validate(known)
    except ValidationError as problem:
        raise ReportError(first_problem(problem)) from problem


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReportError(f"n is {value!r}, not a whole number")
    return value


def _slice(name: str, value: object) -> Group:
    table = value if isinstance(value, Mapping) else {Metric.RECALL.value: value}
    count = _count(table.get("n", 0))
    known = {key: number for key, number in table.items() if key != "n"}
    return Group(n=count, metrics=_means(known, f"slices.{name}."))


def _means(table: Mapping[str, Any], where: str) -> dict[Metric, Mean]:
    found = {}
    for name, value in table.items():
        metric = parse_metric(str(name))
        if metric is None:
            raise ReportError(f"{where}{name} is no metric")
        found[metric] = _mean(f"{where}{name}", value)
    return found


def _mean(where: str, value: object) -> Mean:
    if isinstance(value, Mapping):
        try:
            return Mean.model_validate({"n": 0, **value})
        except ValidationError as problem:
            raise ReportError(first_problem(problem, below=where)) from problem
    if value is None:
        return Mean(value=None, n=0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ReportError(f"{where} is {value!r}, not a number")
    return Mean(value=float(value), n=0)
