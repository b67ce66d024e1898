"""A desk where changes of a real golden repository are written and approved."""

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from curation.codec import case_path, dumps
from curation.domain.case import Case, Evidence, Fact, Facts
from curation.domain.change import (
    Approval,
    Change,
    ChangeKind,
    ChangeState,
    FileContent,
    PatchSet,
)
from curation.domain.person import Person
from curation.domain.review import Acknowledgement
from curation.golden import (
    ApprovedChange,
    Location,
    PublishOutcome,
    publish,
    read_version,
)

MIA = Person(name="Mia Kim", email="mia@example.org")
ANA = Person(name="Ana Ruiz", email="ana@example.org")
ROB = Person(name="Rob Oduya", email="rob@example.org")
START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Run git as a bystander would."""
    who = {"NAME": "By Stander", "EMAIL": "by@example.org"}
    person = {f"GIT_{role}_{k}": v for role in ("AUTHOR", "COMMITTER") for k, v in who.items()}
    ran = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **person},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


def make_case(case_id: str, **fields: Any) -> Case:
    """Return a case that satisfies every rule."""
    base = Case(
        id=case_id,
        question=f"What is the default of option {case_id}?",
        reference="It is 30 s.",
        facts=Facts(required=(Fact(id="f1", text="30 s", evidence=("e1",)),)),
        evidence=(
            Evidence(id="e1", group="e1", chunk_id="c-1", doc_id="guide", quote="default 30 s"),
        ),
    )
    return Case.model_validate(base.model_copy(update=fields).model_dump())


@dataclass
class Desk:
    """Where changes are written and approved, with a clock that moves a minute an act."""

    location: Location
    clock: datetime = START
    number: int = 0

    def tick(self) -> datetime:
        self.clock += timedelta(minutes=1)
        return self.clock

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        return git(self.location.path, *arguments, stdin=stdin)

    def change(
        self,
        kind: ChangeKind,
        files: dict[str, str],
        *,
        case_id: str | None = None,
        author: Person = MIA,
        approvers: tuple[Person, ...] = (ANA,),
        reason: str = "The user was given another version's value.",
        base: str | None = None,
        acks: tuple[Acknowledgement, ...] = (),
        earlier_authors: tuple[Person, ...] = (),
        **fields: Any,
    ) -> ApprovedChange:
        self.number += 1
        patch_sets = tuple(
            PatchSet(
                number=number,
                author=person,
                at=self.tick(),
                reason=reason,
                base_blob=base,
                base_version="golden/v1",
                files=tuple(FileContent(path=path, text=text) for path, text in files.items()),
                acks=acks,
            )
            for number, person in enumerate((*earlier_authors, author), start=1)
        )
        approvals = tuple(
            Approval(patch_set=len(patch_sets), person=person, at=self.tick())
            for person in approvers
        )
        change = Change(
            id=str(uuid4()),
            number=self.number,
            kind=kind,
            state=ChangeState.APPROVED,
            case_id=case_id,
            created_at=self.clock,
            patch_sets=patch_sets,
            approvals=approvals,
            **fields,
        )
        return ApprovedChange(change=change, approvers=approvers)

    def of_case(self, kind: ChangeKind, case: Case, **fields: Any) -> ApprovedChange:
        """A change of one case, on the blob that the tip has."""
        if kind is not ChangeKind.ADD:
            fields.setdefault("base", read_version(self.location).blobs.get(case.id))
        files = {case_path(case.id): dumps(case).decode()}
        return self.change(kind, files, case_id=case.id, **fields)

    def add(self, case: Case | str, **fields: Any) -> ApprovedChange:
        made = make_case(case) if isinstance(case, str) else case
        return self.of_case(ChangeKind.ADD, made, **fields)

    def edit(
        self, case_id: str, *, change: dict[str, Any] | None = None, **kw: Any
    ) -> ApprovedChange:
        case = read_version(self.location).cases[case_id]
        edited = Case.model_validate(case.model_copy(update=change or {}).model_dump())
        return self.of_case(ChangeKind.EDIT, edited, **kw)

    def policy(self, text: str, **fields: Any) -> ApprovedChange:
        fields.setdefault("base", read_version(self.location).policy_blob)
        return self.change(ChangeKind.POLICY, {"golden.toml": text}, **fields)

    def publish(self, *changes: ApprovedChange, publisher: Person = ROB) -> PublishOutcome:
        return publish(self.location, changes, publisher=publisher, now=self.tick())
