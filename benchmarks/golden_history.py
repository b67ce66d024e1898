"""A golden repository with a long history, such as a team's after years, made in seconds.

Every message, tag and built file is the program's own, so the audit of it finds nothing. Each
version brings some 190 approved changes (adds until the set is full, then edits, with some
retirements and restorations) and one experiment, every fifth of them promoted; the policy or the
mailmap changes at every tenth version.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from curation.codec import case_path, dumps
from curation.domain.case import Case, CaseStatus, Evidence, Fact, Facts, Retired, RetireReason
from curation.domain.change import Change, ChangeKind, ChangeState, FileContent, PatchSet
from curation.domain.experiment import Baseline, Decision, Experiment, ExperimentCase
from curation.domain.person import Person
from curation.domain.policy import parse_policy
from curation.evaluation import experiment as deciding
from curation.evaluation.case_lines import lines_text
from curation.golden import Location, create
from curation.golden.experiment_files import experiment_path, numbers_path, value_bytes
from curation.golden.experiment_message import closing_message, opening_message, record_message
from curation.golden.experiment_record import BASELINE_FILE
from curation.golden.location import OpenGolden, opened
from curation.golden.message import Marks, Message, change_message
from curation.golden.parsed import ParsedCase
from curation.golden.plan import PlannedCommit
from curation.golden.release import built_files, release_commit
from curation.golden.runner import GitRunner
from curation.golden.stream import commit_stream
from curation.golden.tree import FILE_MODE, Entry, blob_id, tree_id
from curation.golden.writer import write_tag
from tests.golden.trials import trial

WRITERS = tuple(Person(name=f"Writer {n}", email=f"writer{n}@example.org") for n in range(12))
PUBLISHER = Person(name="Rob Oduya", email="rob@example.org")
START = datetime(2022, 1, 3, 9, tzinfo=UTC)
CHANGES = 190  # of cases, at each version


def long_case(number: int) -> Case:
    """Return a case of about 2 kB."""
    return Case(
        id=f"q-{number:05d}",
        question=f"What is the default of option {number} in version 4.{number % 7}?",
        reference=f"It is {number} s. " + "The documentation says so at length. " * 8,
        facts=Facts(
            required=(
                Fact(id="f1", text=f"{number} s", evidence=("e1",)),
                Fact(id="f2", text="by default", evidence=("e1",)),
            )
        ),
        evidence=(
            Evidence(
                id="e1",
                group="e1",
                chunk_id=f"c-{number}",
                doc_id=f"guide-{number % 60}",
                doc_version=f"4.{number % 7}",
                quote="the default is " * 20,
                chunk_sha256="0" * 64,
            ),
        ),
    )


@dataclass
class History:
    """The set while its history is written."""

    golden: OpenGolden
    tip: str
    commits: int = 1
    version: int = 1
    clock: datetime = START
    experiments: int = 0
    cases: dict[str, ParsedCase] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)
    policy: bytes = b""
    baseline: Baseline | None = None

    def tick(self) -> datetime:
        """Return the next minute."""
        self.clock += timedelta(minutes=1)
        return self.clock

    def write(self, commits: Sequence[PlannedCommit]) -> None:
        """Put commits on the branch."""
        stream = commit_stream(commits, ref=self.golden.ref, base=self.tip, prefix="")
        options = ("-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--force")
        self.golden.git.output(*options, "--date-format=raw", doing="write", stdin=stream)
        self.tip = self.golden.tip() or ""
        self.commits += len(commits)

    def planned(self, message: Message, author: Person, *files: tuple[str, bytes]) -> PlannedCommit:
        """Return a commit at the next minute."""
        at = self.tick()
        return PlannedCommit(
            change_id="",
            case_id=None,
            message=message,
            author=author,
            authored_at=at,
            committer=PUBLISHER,
            committed_at=at,
            files=files,
        )

    def changed(self, kind: ChangeKind, path: str, data: bytes, case: Case | None) -> PlannedCommit:
        """Return the commit of an approved change of one file."""
        number = self.commits * 1000 + int((self.tick() - START).total_seconds())
        author, approver = (WRITERS[(number + n) % len(WRITERS)] for n in (0, 5))
        base = self.blobs.get(case.id) if case else None
        patch_set = PatchSet(
            number=1,
            author=author,
            at=self.clock,
            reason="The user was given another version's value, as the ticket tells.",
            base_blob=base,
            base_version=f"golden/v{self.version}",
            files=(FileContent(path=path, text=""),),
        )
        change = Change(
            id=str(UUID(int=number)),
            number=number,
            kind=kind,
            state=ChangeState.APPROVED,
            case_id=case.id if case else None,
            created_at=self.clock,
            patch_sets=(patch_set,),
            answer_id=f"a-{number}",
        )
        message = change_message(change, [case] if case else [], Marks(approvers=(approver,)))
        return self.planned(message, author, (path, data))

    def put(self, kind: ChangeKind, case: Case) -> PlannedCommit:
        """Put a case into the set and return the commit that does it."""
        data = dumps(case)
        commit = self.changed(kind, case_path(case.id), data, case)
        self.cases[case.id] = ParsedCase(case)
        self.blobs[case.id] = blob_id(data, like=self.tip)
        return commit

    def next_change(self, number: int, full: int) -> PlannedCommit:
        """Return an addition while the set is not full, else what a set needs now and then."""
        if len(self.cases) < full and number % 3 != 2:
            return self.put(ChangeKind.ADD, long_case(len(self.cases)))
        case_id = f"q-{number * 7919 % max(len(self.cases), 1):05d}"
        case = self.cases[case_id].case if case_id in self.cases else None
        if case is None:
            return self.put(ChangeKind.ADD, long_case(len(self.cases)))
        if case.status is CaseStatus.RETIRED:
            active = {"status": CaseStatus.ACTIVE, "retired": None}
            return self.put(ChangeKind.RESTORE, case.model_copy(update=active))
        if number % 40 == 1:
            gone = Retired(reason=RetireReason.WRONG, superseded_by=None)
            retired = {"status": CaseStatus.RETIRED, "retired": gone}
            return self.put(ChangeKind.RETIRE, case.model_copy(update=retired))
        notes = f"Looked at again for ticket {number}."
        return self.put(ChangeKind.EDIT, case.model_copy(update={"notes": notes}))

    def cases_tree(self) -> str:
        """Return the id of the tree `cases`."""
        files = [Entry(FILE_MODE, "blob", b, case_path(i)[6:]) for i, b in self.blobs.items()]
        return tree_id(files, like=self.tip)

    def release(self, changes: list[PlannedCommit]) -> None:
        """Write changes and the version that they make."""
        self.version += 1
        name, at = f"golden/v{self.version}", self.tick()
        files = built_files(name, self.cases, cases_tree=self.cases_tree())
        said = [f"{len(changes)} changes"]
        self.write([*changes, release_commit(name, files, publisher=PUBLISHER, now=at, said=said)])
        tag = write_tag(self.golden, name, commit=self.tip, tagger=PUBLISHER, now=at)
        self.golden.git.output("update-ref", f"refs/tags/{name}", tag, doing="tag")

    def experiment(self) -> None:
        """Open, record and close an experiment on the newest version."""
        self.experiments += 1
        opened = Experiment(
            id=f"exp-{self.experiments:03d}",
            component="chunker",
            hypothesis="Smaller chunks find more.",
            version=f"golden/v{self.version}",
            commit=self.tip,
            cases_tree=self.cases_tree(),
            policy_blob=blob_id(self.policy, like=self.tip),
            opened_by=str(WRITERS[0]),
            opened_at=self.tick(),
        )
        self.write([self.planned(opening_message(opened), WRITERS[0], _file(opened))])
        good = self.experiments % 5 == 0
        policy = parse_policy(self.policy.decode())
        after = 0.9 if good else 0.4
        recorded, numbers = trial(before=0.5, after=after, at=self.tick(), policy=policy)(opened)
        decision = Decision.PROMOTE if good else Decision.REJECT
        done = deciding.close(
            recorded,
            decision,
            why="See the numbers.",
            by=str(WRITERS[0]),
            at=self.tick(),
            current=None,
            override=None,
        )
        files = [_file(done.experiment)]
        if done.baseline is not None:
            files.append((BASELINE_FILE, value_bytes(done.baseline)))
        self.write(
            [
                self.planned(record_message(recorded), WRITERS[0], *_both(recorded, numbers)),
                self.planned(closing_message(done.experiment), WRITERS[0], *files),
            ]
        )

    def reworded_policy(self) -> PlannedCommit:
        """Return a commit that changes the policy or the mailmap."""
        if self.version % 20:
            self.policy += f"# Looked at after v{self.version}.\n".encode()
            return self.changed(ChangeKind.POLICY, "golden.toml", self.policy, None)
        lines = [f"{who} <old{n}@example.org>\n" for n, who in enumerate(WRITERS)]
        data = "".join(lines[: self.version // 20]).encode()
        return self.changed(ChangeKind.POLICY, ".mailmap", data, None)


def _file(experiment: Experiment) -> tuple[str, bytes]:
    return experiment_path(experiment.id), value_bytes(experiment)


def _both(
    experiment: Experiment, numbers: Sequence[ExperimentCase]
) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
    return _file(experiment), (numbers_path(experiment.id), lines_text(numbers).encode())


def build_history(folder: Path, *, commits: int, full: int = 2000) -> Location:
    """Return a golden repository of so many commits, as a fresh clone has it: in one pack."""
    location = Location.at(folder / "written.git")
    location.path.mkdir()
    GitRunner(location.path).output("init", "--quiet", "--bare", "-b", "main", ".", doing="begin")
    create(location, person=PUBLISHER, now=START)
    with opened(location) as golden:
        tip = golden.tip() or ""
        policy = golden.git.objects([golden.at(tip, "golden.toml")])[0] or b""
        history = History(golden, tip, policy=policy)
        while history.commits < commits:
            room = max(1, min(CHANGES, commits - history.commits - 4))
            start = history.commits
            changes = [history.next_change(start + n, full) for n in range(room)]
            if history.version % 10 == 0:
                changes.append(history.reworded_policy())
            history.release(changes)
            if history.commits < commits:
                history.experiment()
        clone = folder / "clone.git"
        options = ("--bare", "--quiet", "--no-local")
        golden.git.output("clone", *options, str(location.path), str(clone), doing="clone")
    return Location.at(clone)
