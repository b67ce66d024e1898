"""The golden set as files: validate, audit, import and export."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curation.codec import golden_jsonl
from curation.config import Settings
from curation.domain.case import UNASSIGNED, Answerable, Case
from curation.domain.change import Change, ChangeKind
from curation.domain.finding import Check, Finding, Level
from curation.domain.person import Person, Role
from curation.golden import (
    AuditReport,
    GoldenSet,
    Location,
    ValidationReport,
    read_version,
    used_ids,
)
from curation.golden import audit as audit_history
from curation.golden import maintain as maintain_history
from curation.golden import validate as validate_set
from curation.importers.cases import ReadCases, read_cases
from curation.services import changes
from curation.services.asked_once import asked_again
from curation.services.cases import CaseSource, completed
from curation.services.errors import ReasonMissingError, UnknownFormatError
from curation.services.waiting import ids_that_wait
from curation.services.whole_file import write_whole
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store import chunks as stored_chunks
from curation.store.changes import reserve_case_id

MOST_NAMED = 10


@dataclass(frozen=True, kw_only=True)
class ImportOutcome:
    """What an import proposed; `change` is None when no case was good."""

    change: Change | None
    cases: int
    refused: int
    findings: tuple[Finding, ...]
    rejects_file: Path | None
    reasons: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A file that was written, and how many cases are in it and were left out."""

    path: Path
    version: str | None
    cases: int
    left_out: int

    def to_document(self) -> dict[str, Any]:
        """Return the document of `golden export`."""
        return {
            "path": str(self.path),
            "version": self.version,
            "cases": self.cases,
            "left_out": self.left_out,
        }


def validate(source: Path) -> ValidationReport:
    """Return what is wrong with a golden set's folder or a plain golden.jsonl."""
    return validate_set(source)


def audit(source: Path, settings: Settings, *, since: str | None = None) -> AuditReport:
    """Return what git alone proves, and does not, of a clone."""
    return audit_history(
        Location.at(source, branch=settings.golden.branch, clone=True), since=since
    )


def maintain(settings: Settings) -> None:
    """Keep a set with a long history quick; takes seconds on tens of thousands of commits."""
    maintain_history(Location.at(settings.golden_path, branch=settings.golden.branch))


def propose_import(
    workspace: Workspace, file: Path, *, person: Person, reason: str, now: datetime
) -> ImportOutcome:
    """Propose every good case of a file as one change of kind import.

    Bad lines go to a rejects file with line, field and reason; ids that fit and are free are
    kept, others are given and the old one is kept as `external_id`.

    Raises:
        ReasonMissingError: there is no reason.
        ImportFileError: the file cannot be read.
    """
    workspace.require(person, Role.REVIEWER, "Importing")
    if not reason.strip():
        raise ReasonMissingError("An import")
    golden = read_version(workspace.golden)
    known = ids_that_wait(workspace, person) | _former_ids(golden)
    taken = used_ids(workspace.golden)
    read = read_cases(file, policy=golden.policy, taken=taken, known=known)
    outcome = ImportOutcome(
        change=None,
        cases=0,
        refused=read.refused,
        findings=read.findings,
        rejects_file=read.write_rejects(workspace.settings.rejects_path, now=now),
        reasons=read.reasons,
    )
    if not read.cases:
        return outcome
    with workspace.store.writing() as session:
        cases = [_imported(session, case, golden.highest_number, read) for case in read.cases]
        findings = (*read.findings, *_asked_twice(cases, golden.active))
        proposal = changes.Proposal(
            kind=ChangeKind.IMPORT,
            case_id=None,
            files=tuple(changes.case_file(case) for case in cases),
            reason=reason.strip(),
            base_blob=None,
            base_version=golden.version,
            findings=findings,
            import_source=f"{read.name} sha256:{read.sha256}",
        )
        change = changes.insert(session, proposal, person=person, now=now)
    return replace(outcome, change=change, cases=len(cases), findings=findings)


def _former_ids(golden: GoldenSet) -> dict[str, str]:
    """Return the ids that cases had where they were imported from, each with what it is now."""
    return {
        case.provenance.external_id: f", imported as {case.id}"
        for case in golden.cases.values()
        if case.provenance.external_id is not None
    }


def _asked_twice(cases: Sequence[Case], active: Sequence[Case]) -> Iterator[Finding]:
    """Yield which of the imported cases ask what a case of the set, or one before them, asks."""
    twice = [f"{own} as {other}" for own, other in asked_again(cases, active).items()]
    if twice:
        shown = ", ".join(twice[:MOST_NAMED]) + ", …" * (len(twice) > MOST_NAMED)
        yield Finding(
            check=Check.EXACT_DUPLICATE,
            level=Level.WARNING,
            message=f"{len(twice)} of {len(cases)} cases ask the same as another: {shown}.",
            field="question",
        )


def _imported(session: Session, case: Case, highest: int, read: ReadCases) -> Case:
    """Return an imported case with its id and what the corpus knows of its evidence."""
    source = CaseSource(
        answer=None,
        base=None,
        policy=read.policy,
        find_chunk=lambda chunk_id, version: stored_chunks.find_chunk(session, chunk_id, version),
    )
    known = completed(case, source)
    if known.id != UNASSIGNED:
        return known
    return known.model_copy(update={"id": reserve_case_id(session, at_least=highest + 1)})


def export(
    workspace: Workspace,
    out: Path,
    *,
    format_: str = "jsonl",
    version: str | None = None,
    answerable_only: bool = False,
) -> Exported:
    """Write the active cases of a version as `golden.jsonl` or `seeds.jsonl`.

    Raises:
        UnknownFormatError: the format is not one of those.
    """
    if format_ not in {"jsonl", "seeds"}:
        raise UnknownFormatError(format_)
    golden = read_version(workspace.golden, version)
    kept = [c for c in golden.active if not answerable_only or _plain(c)]
    path = out / ("golden.jsonl" if format_ == "jsonl" else "seeds.jsonl")
    lines = golden_jsonl(kept)
    if format_ == "seeds":
        lines = b"".join(_seed(line) for line in lines.split(b"\n") if line)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(path, lines)
    left_out = len(golden.active) - len(kept)
    return Exported(path=path, version=golden.version, cases=len(kept), left_out=left_out)


def _plain(case: Case) -> bool:
    """Return whether the plainest loader takes the case: a reference and gold evidence."""
    answerable = case.answerable in {Answerable.ANSWERABLE, Answerable.PARTIAL}
    return answerable and bool(case.reference.strip()) and bool(case.gold)


SEED_KEYS = ("id", "question", "reference", "gold_pids", "slice", "weight")


def _seed(line: bytes) -> bytes:
    """Return the six fields that the plainest loader knows, of one line of golden.jsonl."""
    document = json.loads(line)
    seed = {key: document[key] for key in SEED_KEYS}
    return json.dumps(seed, ensure_ascii=False).encode("utf-8") + b"\n"
