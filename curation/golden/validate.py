"""Validating a golden set from its files alone: a folder or a plain `golden.jsonl`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from curation.codec import (
    case_path,
    form_problems,
    named_content_problems,
    read_case,
    read_document,
)
from curation.codec.built import counts
from curation.domain.case import Answerable, Case, Origin, Provenance
from curation.domain.finding import Check
from curation.domain.plural import plural
from curation.domain.policy import Policy, parse_policy
from curation.errors import CaseFormError, NotFoundError, PolicyError
from curation.evaluation.cases import parse_golden
from curation.evaluation.errors import GoldenFileError
from curation.golden.built_set import GOLDEN_FILE
from curation.golden.kinds import POLICY_FILE
from curation.golden.state import names_of


class Fault(NamedTuple):
    """What is wrong with a case: where, by which rule, and how in words."""

    where: str
    rule: str
    message: str


class _Found(NamedTuple):
    """A case that could be read; ids in a plain `golden.jsonl` may be anyone's."""

    case: Case
    own_form: bool


@dataclass(frozen=True, kw_only=True)
class ValidationReport:
    """What was loaded, what is wrong with it, and what is worth knowing."""

    cases: int
    retired: int
    slices: Mapping[str, int]
    weights: Mapping[str, int]
    problems: tuple[Fault, ...]
    warnings: tuple[str, ...]

    @property
    def summary(self) -> str:
        """One line: `loaded 126 cases | slices: billing 34, policy 41 | weight 3 on 18`."""
        parts = [f"loaded {plural(self.cases, 'case')}"]
        if self.slices:
            parts.append("slices: " + ", ".join(f"{k} {n}" for k, n in self.slices.items()))
        heavy = [f"weight {k} on {n}" for k, n in self.weights.items() if k != "1"]
        return " | ".join([*parts, *([", ".join(heavy)] if heavy else [])])

    @property
    def lines(self) -> list[str]:
        """The report for people; the summary is the last line."""
        wrong = [f"{fault.where}: {fault.message} ({fault.rule})" for fault in self.problems]
        return [*wrong, *(f"warning: {text}" for text in self.warnings), self.summary]

    def to_document(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {
            "cases": self.cases,
            "retired": self.retired,
            "slices": dict(self.slices),
            "weights": dict(self.weights),
            "problems": [fault._asdict() for fault in self.problems],
            "warnings": list(self.warnings),
            "summary": self.summary,
        }


def validate(source: Path) -> ValidationReport:
    """Return what is wrong with a golden set: its folder, a folder of cases, a `golden.jsonl`.

    Raises:
        NotFoundError: there is no such file or folder, or nothing in it.
    """
    faults: list[Fault] = []
    policy: Policy | None = None
    if source.is_dir():
        policy = _policy(source, faults)
        found = list(_folder(source, faults))
    elif source.is_file():
        found = list(_plain(source.read_bytes(), faults))
    else:
        raise NotFoundError("golden set", str(source), "Name a folder or a golden.jsonl.")
    kept = list(_unique(found, faults))
    for case, own_form in kept:
        texts = form_problems(case) if own_form else ()
        faults += [Fault(case.id, "case_form", text) for text in texts]
        named = named_content_problems(case, policy)
        faults += [Fault(case.id, str(problem.rule), problem.message) for problem in named]
    return _report([item.case for item in kept], faults, policy)


def _policy(folder: Path, faults: list[Fault]) -> Policy | None:
    file = folder / POLICY_FILE
    if not file.is_file():
        return None
    try:
        return parse_policy(file.read_text(encoding="utf-8"), POLICY_FILE)
    except (PolicyError, UnicodeDecodeError) as problem:
        faults.append(Fault(POLICY_FILE, "policy", str(problem)))
        return None


def _folder(folder: Path, faults: list[Fault]) -> Iterator[_Found]:
    """Yield the cases of a folder: `cases/`, else its `golden.jsonl`, else its JSON files."""
    if (folder / "cases").is_dir():
        for file in sorted((folder / "cases").rglob("*")):
            if file.is_file():
                yield from _case_file(file, file.relative_to(folder).as_posix(), faults)
    elif (folder / GOLDEN_FILE).is_file():
        yield from _plain((folder / GOLDEN_FILE).read_bytes(), faults)
    else:
        files = sorted(folder.glob("*.json"))
        if not files and not (folder / POLICY_FILE).is_file():
            raise NotFoundError("golden set", str(folder), "The folder holds no case.")
        for file in files:
            yield from _case_file(file, file.name, faults)


def _case_file(file: Path, where: str, faults: list[Fault]) -> Iterator[_Found]:
    try:
        case, canonical = read_case(file.read_bytes(), where)
    except CaseFormError as problem:
        faults.append(Fault(where, "case_form", str(problem)))
        return
    if not canonical:
        faults.append(Fault(where, "not_canonical", "its bytes are not the canonical form"))
    if "/" in where and where != case_path(case.id):
        faults.append(Fault(where, "wrong_place", f"{case.id} belongs in {case_path(case.id)}"))
    yield _Found(case, own_form=True)


def _plain(data: bytes, faults: list[Fault]) -> Iterator[_Found]:
    """Yield the cases of a `golden.jsonl`; lines end at a newline only."""
    for number, row in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not row.strip():
            continue
        where = f"line {number}"
        try:
            read_document(row, where)
            case = _golden_case(row.decode("utf-8"), number)
        except (CaseFormError, GoldenFileError) as problem:
            faults.append(Fault(where, "case_form", str(problem)))
            continue
        # The file does not say where its cases come from, so it asks no facts of them.
        origin = Provenance(origin=Origin.IMPORTED)
        yield _Found(case.model_copy(update={"provenance": origin}), own_form=False)


def _golden_case(row: str, number: int) -> Case:
    try:
        return parse_golden(row)[0]
    except GoldenFileError:
        # Once more with the lines before it, so that the refusal names the line.
        return parse_golden("\n" * (number - 1) + row)[0]


def _unique(found: Iterable[_Found], faults: list[Fault]) -> Iterator[_Found]:
    seen: set[str] = set()
    for item in found:
        if item.case.id in seen:
            message = "the id is used more than once"
            faults.append(Fault(item.case.id, "duplicate_id", message))
            continue
        seen.add(item.case.id)
        yield item


def _report(
    cases: Sequence[Case], faults: Sequence[Fault], policy: Policy | None
) -> ValidationReport:
    active = [case for case in cases if counts(case)]
    slices = Counter(case.slice for case in active)
    weights = Counter(float(case.weight) for case in active)
    return ValidationReport(
        cases=len(active),
        retired=len(cases) - len(active),
        slices=dict(sorted(slices.items())),
        weights={f"{weight:.15g}": number for weight, number in sorted(weights.items())},
        problems=tuple(faults),
        warnings=tuple(_warnings(active, slices, policy)),
    )


def _warnings(
    active: Sequence[Case], slices: Mapping[str, int], policy: Policy | None
) -> Iterator[str]:
    groups = {
        "evidence without a quote cannot be found again after a re-chunk": [
            case.id for case in active if any(not item.quote for item in case.gold)
        ],
        f"no required and no forbidden fact ({Check.FACTS_MISSING})": [
            case.id for case in active if _lacks_facts(case)
        ],
        f"no reference ({Check.NO_REFERENCE})": [
            case.id for case in active if not case.reference.strip() and _unanswerable(case)
        ],
    }
    for text, ids in groups.items():
        if ids:
            yield f"{text}: {names_of(ids)}"
    small = [f"{k} {n}" for k, n in slices.items() if policy and n < policy.min_cases]
    if small:
        yield f"slices with fewer cases than min_cases: {', '.join(small)}"


def _unanswerable(case: Case) -> bool:
    return case.answerable is Answerable.UNANSWERABLE


def _lacks_facts(case: Case) -> bool:
    return not _unanswerable(case) and not case.facts.required and not case.facts.forbidden
