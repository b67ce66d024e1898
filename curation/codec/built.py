"""The files that are built at each version, and what is derived from a case for scoring.

`golden.jsonl` carries what scoring needs under the names evaluation code uses (measures.md
section 1); `MANIFEST.json` counts it and pins it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self, TypeVar

from curation.domain.case import Case, CaseStatus, Fact

# Written escaped, so that a reader that splits lines at them still finds one case a line.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_Key = TypeVar("_Key", str, float)
_SCORED = (
    "question",
    "conversation",
    "answerable",
    "reference",
    "other_references",
    "required_facts",
    "optional_facts",
    "forbidden_facts",
    "declines",
    "gold",
    "slice",
    "weight",
)


def golden_document(case: Case) -> dict[str, Any]:
    """Return the object that `golden.jsonl` has for a case, keys in their order."""
    return {
        "id": case.id,
        "question": case.question,
        "reference": case.reference,
        "gold_pids": list(dict.fromkeys(item.chunk_id for item in case.gold)),
        "slice": case.slice,
        "weight": int(case.weight) if float(case.weight).is_integer() else case.weight,
        "gold_docs": sorted({item.doc_id for item in case.gold}),
        "gold": [
            {
                "pid": item.chunk_id,
                "doc_id": item.doc_id,
                "doc_version": item.doc_version,
                "group": item.group,
                "quote": item.quote,
            }
            for item in case.gold
        ],
        "answerable": case.answerable.value,
        "question_type": case.question_type,
        "doc_version": case.doc_version,
        "conversation": [{"role": turn.role, "text": turn.text} for turn in case.conversation],
        "standalone_question": case.standalone_question,
        "other_references": list(case.other_references),
        "required_facts": [_fact_document(fact) for fact in case.facts.required],
        "optional_facts": [_fact_document(fact) for fact in case.facts.optional],
        "forbidden_facts": [
            _fact_document(fact) | {"value_of": fact.value_of, "mention": fact.mention.value}
            for fact in case.facts.forbidden
        ],
        "declines": [
            {"id": line.id, "text": line.text, "any_of": list(line.any_of)}
            for line in case.declines
        ],
        "readings": list(case.readings),
        "category": case.category,
    }


def _fact_document(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "text": fact.text,
        "any_of": list(fact.any_of),
        "role": fact.role.value,
        "from": list(fact.from_),
    }


def golden_line(case: Case) -> bytes:
    """Return the line that `golden.jsonl` has for a case, with its newline."""
    text = json.dumps(golden_document(case), ensure_ascii=False)
    return text.translate(_LINE_ENDS).encode() + b"\n"


def golden_jsonl(cases: Iterable[Case]) -> bytes:
    """Return `golden.jsonl`: the active cases, one a line, sorted by id."""
    active = sorted((case for case in cases if counts(case)), key=lambda case: case.id)
    return b"".join(map(golden_line, active))


def counts(case: Case) -> bool:
    """Return whether a case is active, and so counts."""
    return case.status is CaseStatus.ACTIVE


class Tally:
    """How many cases there are of each sort, kept along while cases come and go."""

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        self._active = self._retired = 0
        self._slices: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._answerable: Counter[str] = Counter()
        self._weights: Counter[float] = Counter()
        for case in cases:
            self.add(case)

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the counts that a `MANIFEST.json` has.

        Raises:
            KeyError, TypeError, ValueError: it lacks one, or one is no count.
        """
        tally = cls()
        tally._active, tally._retired = int(document["cases"]), int(document["retired"])
        tally._slices = Counter(document["slices"])
        tally._types = Counter(document["question_types"])
        tally._answerable = Counter(document["answerable"])
        tally._weights = Counter({float(key): n for key, n in document["weights"].items()})
        return tally

    def add(self, case: Case, *, times: int = 1) -> None:
        """Count a case; -1 times takes it back."""
        if not counts(case):
            self._retired += times
            return
        self._active += times
        self._slices[case.slice] += times
        self._types[case.question_type] += times
        self._answerable[case.answerable.value] += times
        self._weights[float(case.weight)] += times

    def document(self) -> dict[str, Any]:
        """Return the counts as `MANIFEST.json` has them; `retired` alone is not of active ones."""
        return {
            "cases": self._active,
            "retired": self._retired,
            "slices": _sorted(self._slices),
            "question_types": _sorted(self._types),
            "answerable": _sorted(self._answerable),
            "weights": {f"{weight:.15g}": n for weight, n in _sorted(self._weights).items()},
        }


def _sorted(counter: Counter[_Key]) -> dict[_Key, int]:
    return {key: number for key, number in sorted(counter.items()) if number}


def manifest(*, version: str, cases: Iterable[Case], golden_sha256: str, cases_tree: str) -> bytes:
    """Return `MANIFEST.json` of a version.

    Args:
        version: the name of its tag.
        cases: all cases; the counts are those of the active ones.
        golden_sha256: the sha256 (hex) of `golden.jsonl`.
        cases_tree: git's id of the tree `cases/`.
    """
    tally = Tally(cases)
    return listing(tally, version=version, golden_sha256=golden_sha256, cases_tree=cases_tree)


def listing(tally: Tally, *, version: str, golden_sha256: str, cases_tree: str) -> bytes:
    """Return `MANIFEST.json` of a version whose cases are counted already."""
    document = {
        "schema": 1,
        "version": version,
        **tally.document(),
        "golden_jsonl_sha256": golden_sha256,
        "cases_tree": cases_tree,
    }
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def scoring_digest(case: Case) -> str:
    """Return the sha256 (hex) of what scoring depends on.

    Two versions of a set are compared on the cases whose digest is equal (measures.md section
    5), so a corrected note drops nothing. Only what `golden.jsonl` carries enters, so that a
    set read from that file has the same digests.
    """
    document = golden_document(case)
    scored = {name: document[name] for name in _SCORED}
    text = json.dumps(scored, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
