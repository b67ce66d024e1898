"""Cases and gate rules as JUnit XML, so that a CI shows them as tests."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from curation.domain.gate import GateOutcome, GateReason, GateResult
from curation.domain.visible import shown
from curation.evaluation.items import ItemState

__all__ = ["render_junit"]

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render_junit(items: Sequence[ItemState], result: GateResult | None = None) -> str:
    """Return the cases, and the rules of a gate, as JUnit XML."""
    suites = [_suite("cases", [_case(item) for item in items])]
    if result is not None:
        rules = (*result.reasons, *result.passed)
        suites.append(_suite(f"gate {result.profile.value}", [_rule(rule) for rule in rules]))
    body = "\n".join(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n{body}\n</testsuites>\n'


@dataclass(frozen=True, slots=True)
class _Element:
    """A test case as XML, with what it counts as."""

    xml: str
    failure: bool = False
    error: bool = False
    skipped: bool = False


def _suite(name: str, elements: Sequence[_Element]) -> str:
    counts = _attributes(
        name=name,
        tests=str(len(elements)),
        failures=str(sum(e.failure for e in elements)),
        errors=str(sum(e.error for e in elements)),
        skipped=str(sum(e.skipped for e in elements)),
    )
    inner = "\n".join(element.xml for element in elements)
    return f"<testsuite{counts}>\n{inner}\n</testsuite>"


def _case(item: ItemState) -> _Element:
    attributes = {"classname": f"golden.{item.slice}", "name": item.id}
    words = ", ".join(criterion.value for criterion in item.failing)
    if item.failed:
        return _Element(_element(attributes, "failure", f"fails on {words}"), failure=True)
    if item.expected:
        text = f"expected: it already fails on the baseline ({words})"
        return _Element(_element(attributes, "skipped", text), skipped=True)
    notes = [f"unsure on {criterion.value}" for criterion in item.unsure]
    notes += ["fixed: it failed on the baseline"] if item.fixed else []
    return _Element(_element(attributes, "system-out", "; ".join(notes)))


def _rule(reason: GateReason) -> _Element:
    place = "" if reason.slice is None else f" in {reason.slice}"
    attributes = {"classname": "gate", "name": f"{reason.rule} {reason.metric or ''}{place}"}
    if reason.outcome is GateOutcome.FAIL:
        return _Element(_element(attributes, "failure", reason.message), failure=True)
    if reason.outcome is GateOutcome.UNDECIDED:
        return _Element(_element(attributes, "error", reason.message), error=True)
    return _Element(_element(attributes, "system-out", reason.message))


def _element(attributes: dict[str, str], kind: str, text: str) -> str:
    head = f"<testcase{_attributes(**attributes)}"
    if not text:
        return f"{head}/>"
    if kind == "system-out":
        return f"{head}><system-out>{_text(text)}</system-out></testcase>"
    return f"{head}><{kind}{_attributes(message=text)}/></testcase>"


def _attributes(**values: str) -> str:
    return "".join(f' {name}="{_text(value)}"' for name, value in values.items())


def _text(text: str) -> str:
    return html.escape(_NOT_XML.sub("\ufffd", shown(text)), quote=True)
