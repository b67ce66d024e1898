"""Golden cases from a JSONL file: case files, built `golden.jsonl` lines, and sets of other tools.

Names that evaluation code uses (`required_facts`, `gold_pids`, ...) are understood; fields that a
case has no place for are kept as text in its notes, so that nothing is lost.
"""

import codecs
import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from curation.codec import case_from_document, content_problems, form_problems
from curation.codec.strict import read_document
from curation.domain.case import UNASSIGNED, Answerable, Case, Origin, ReferenceSource, is_case_id
from curation.domain.finding import Check, Finding, Level
from curation.domain.policy import Policy
from curation.errors import CaseFormError, CurationError

_FACT_LISTS = {
    "required_facts": "required",
    "optional_facts": "optional",
    "forbidden_facts": "forbidden",
}
_DERIVED = ("gold_docs",)
_NOTED = ("source", "license", "split", "origin")
WHERE = "The line"
IN_THE_FILE = " by an earlier line"


class ImportFileError(CurationError):
    """A file of cases cannot be read at all."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} was not imported: {problem}. Name a readable JSONL file.")


@dataclass(frozen=True, kw_only=True)
class Reject:
    """A line that did not become a case, with everything that is wrong with it."""

    line: int
    reasons: tuple[str, ...]
    raw: str

    @property
    def reason(self) -> str:
        """What is wrong with it, in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, kw_only=True)
class ReadCases:
    """The good cases of a file, the refused lines and what is worth knowing."""

    name: str
    sha256: str
    policy: Policy
    cases: tuple[Case, ...]
    rejects: tuple[Reject, ...]
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> int:
        """How many lines were refused."""
        return len(self.rejects)

    @property
    def reasons(self) -> tuple[tuple[str, int], ...]:
        """Why lines were refused, the most frequent reason first."""
        return tuple(Counter(why for r in self.rejects for why in r.reasons).most_common())

    def write_rejects(self, folder: Path, *, now: datetime) -> Path | None:
        """Write the refused lines to a file and return it; None when there are none."""
        if not self.rejects:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"cases-{now:%Y%m%dT%H%M%S%f}.jsonl"
        lines = (
            json.dumps({"line": r.line, "reason": r.reason, "raw": r.raw}) for r in self.rejects
        )
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path


def read_cases(
    file: Path, *, policy: Policy, taken: Collection[str], known: Mapping[str, str]
) -> ReadCases:
    """Return the cases of a JSONL file, plain or gzip.

    Args:
        file: one JSON object a line.
        policy: what the set allows.
        taken: ids that are in use or were ever used.
        known: further ids of cases, as those had where they were imported from, and where each is.

    Raises:
        ImportFileError: the file cannot be read, or no line of it is a JSON object.
    """
    data = _bytes_of(file)
    cases: list[Case] = []
    rejects: list[Reject] = []
    used = dict.fromkeys(taken, "") | dict(known)
    objects = 0
    for number, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip(b" \t\r\xef\xbb\xbf"):
            continue
        try:
            document = read_document(raw.removeprefix(codecs.BOM_UTF8), WHERE)
            objects += 1
            case = _case(document, used)
        except CaseFormError as problem:
            rejects.append(_reject(number, (problem.problem,), raw))
            continue
        problems = (*form_problems(case), *content_problems(case, policy))
        if problems:
            rejects.append(_reject(number, problems, raw))
            continue
        used[case.provenance.external_id or case.id] = IN_THE_FILE
        cases.append(case)
    if rejects and not objects:
        raise ImportFileError(file, f"no line of it is a JSON object ({rejects[0].reason})")
    return ReadCases(
        name=file.name,
        sha256=hashlib.sha256(data).hexdigest(),
        policy=policy,
        cases=tuple(cases),
        rejects=tuple(rejects),
        findings=tuple(_findings(cases, policy)),
    )


def _bytes_of(file: Path) -> bytes:
    """Return the bytes of a file, unpacked where it is gzip."""
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (EOFError, zlib.error) as problem:
        raise ImportFileError(file, "the gzip file is cut short or damaged") from problem
    except OSError as problem:
        raise ImportFileError(file, problem.strerror or str(problem)) from problem


def _reject(number: int, reasons: tuple[str, ...], raw: bytes) -> Reject:
    """Return a refused line with its reasons."""
    return Reject(line=number, reasons=reasons, raw=raw.decode("utf-8", "backslashreplace"))


def _case(document: Mapping[str, Any], used: Mapping[str, str]) -> Case:
    """Return the case of one line.

    Args:
        document: what the line holds.
        used: the ids that cannot come again, each with where it is if that is known.

    Raises:
        CaseFormError: the line is no case.
    """
    old_id = _text(document.get("id"))
    kept = isinstance(document.get("id"), str) and is_case_id(old_id or "")
    if old_id is not None and old_id in used:
        raise CaseFormError(WHERE, f"the id {old_id} is taken{used[old_id]}")
    fitted = _fitted(document, WHERE)
    fitted["id"] = old_id if kept else UNASSIGNED
    case = case_from_document(fitted, where=WHERE, defaults={})
    provenance = case.provenance.model_copy(
        update={"origin": Origin.IMPORTED, "external_id": None if kept else old_id}
    )
    return case.model_copy(
        update={"provenance": provenance, "reference_source": ReferenceSource.IMPORTED}
    )


def _text(value: Any) -> str | None:  # noqa: ANN401 - whatever the file holds
    """Return an external id as text."""
    return None if value is None else str(value)


def _fitted(document: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the document under the names of a case file."""
    fitted = {
        key: value
        for key, value in document.items()
        if key not in _FACT_LISTS and key not in _DERIVED and key not in _NOTED
    }
    facts = {name: document[key] for key, name in _FACT_LISTS.items() if document.get(key)}
    if facts:
        fitted["facts"] = facts
    gold = fitted.pop("gold", None)
    pids = fitted.pop("gold_pids", None)
    if "evidence" not in fitted:
        fitted["evidence"] = _evidence(gold, pids, document, where)
    noted = [f"{key}: {document[key]}" for key in _NOTED if document.get(key) is not None]
    if noted:
        fitted["notes"] = "\n".join([*filter(None, [document.get("notes")]), "; ".join(noted)])
    return fitted


def _evidence(gold: Any, pids: Any, document: Mapping[str, Any], where: str) -> list[Any]:  # noqa: ANN401
    """Return evidence from the `gold` list of a built file, else from bare chunk ids."""
    docs = document.get("gold_docs") or []
    for name, value in (("gold", gold or []), ("gold_pids", pids or []), ("gold_docs", docs)):
        if not isinstance(value, list):
            raise CaseFormError(where, f"{name} is not a list")
    if gold:
        return [
            {("chunk_id" if k == "pid" else k): v for k, v in item.items()}
            if isinstance(item, dict)
            else item
            for item in gold
        ]
    only = docs[0] if len(docs) == 1 else None
    version = document.get("doc_version")
    ids = [str(pid) if type(pid) is int else pid for pid in pids or []]
    return [
        {"chunk_id": pid, "doc_id": only or pid, "doc_version": version, "quote": ""} for pid in ids
    ]


def _findings(cases: list[Case], policy: Policy) -> list[Finding]:
    """Return what is worth knowing of an import: counts, one line each."""
    bare = [c.id for c in cases if _lacks_facts(c)]
    strange = sorted({c.slice for c in cases} - policy.slices.keys())
    found = []
    if bare:
        found.append(
            Finding(
                check=Check.FACTS_MISSING,
                level=Level.WARNING,
                message=f"{len(bare)} of {len(cases)} cases have no required or forbidden fact.",
                field="facts",
            )
        )
    if strange:
        found.append(
            Finding(
                check=Check.UNKNOWN_SLICE,
                level=Level.WARNING,
                message=f"golden.toml does not list these slices: {', '.join(strange)}.",
                field="slice",
            )
        )
    return found


def _lacks_facts(case: Case) -> bool:
    """Return whether a case that should have facts has none that can fail."""
    wants = case.answerable is not Answerable.UNANSWERABLE
    return wants and not case.facts.required and not case.facts.forbidden
