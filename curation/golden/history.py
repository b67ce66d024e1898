"""Looking back: the history of a case, and who wrote, approved and caused each fact."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curation.codec import case_path, loads
from curation.domain.case import Case, Fact, FactKind, is_case_id
from curation.domain.diff import CaseDiff, diff_cases
from curation.domain.person import Person
from curation.errors import CurationError, NotFoundError, PersonError
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.log import read_log
from curation.golden.message import reason_of
from curation.golden.reader import Refs, read_refs
from curation.golden.record import Commit, moment_of


@dataclass(frozen=True, kw_only=True)
class CaseEvent:
    """One thing that happened to a case.

    `version` is the one it went out in, None when none was made since; `change` is the kind of
    the change as its commit says it; `date` is None where the commit's is no date.
    """

    commit: str
    version: str | None
    change: str
    author: Person
    approvers: tuple[Person, ...]
    committer: Person
    date: datetime | None
    reason: str
    answer_id: str | None
    failure: str | None
    diff: CaseDiff

    def to_document(self) -> dict[str, Any]:
        """Return the event as a JSON object."""
        return {
            "commit": self.commit,
            "version": self.version,
            "change": self.change,
            "author": str(self.author),
            "approvers": [str(person) for person in self.approvers],
            "committer": str(self.committer),
            "date": self.date.isoformat() if self.date else None,
            "reason": self.reason,
            "answer_id": self.answer_id,
            "failure": self.failure,
            "diff": self.diff.entries,
        }


@dataclass(frozen=True, kw_only=True)
class FactOrigin:
    """Where a fact of a case, as it is now, comes from."""

    fact_id: str
    kind: FactKind
    text: str
    commit: str
    version: str | None
    author: Person
    approvers: tuple[Person, ...]
    answer_id: str | None

    def to_document(self) -> dict[str, Any]:
        """Return the origin as a JSON object."""
        return {
            "fact_id": self.fact_id,
            "kind": self.kind.value,
            "text": self.text,
            "commit": self.commit,
            "version": self.version,
            "author": str(self.author),
            "approvers": [str(person) for person in self.approvers],
            "answer_id": self.answer_id,
        }


def case_history(location: Location, case_id: str) -> tuple[CaseEvent, ...]:
    """Return what happened to a case, newest first.

    Raises:
        NotFoundError: the set never had such a case.
    """
    return tuple(event for event, _ in reversed(_states(location, case_id)))


def case_blame(location: Location, case_id: str) -> tuple[FactOrigin, ...]:
    """Return for each fact of a case the last event that touched it, in the order of the case.

    Raises:
        NotFoundError: the set never had such a case.
    """
    states = _states(location, case_id)
    origins: dict[str, CaseEvent] = {}
    for event, _ in states:
        origins |= {change.fact_id: event for change in event.diff.facts}
    last = next((case for _, case in reversed(states) if case is not None), None)
    each = last.facts.each if last else ()
    return tuple(_origin(kind, fact, origins[fact.id]) for kind, fact in each)


def _origin(kind: FactKind, fact: Fact, event: CaseEvent) -> FactOrigin:
    return FactOrigin(
        fact_id=fact.id,
        kind=kind,
        text=fact.text,
        commit=event.commit,
        version=event.version,
        author=event.author,
        approvers=event.approvers,
        answer_id=event.answer_id,
    )


def _states(location: Location, case_id: str) -> list[tuple[CaseEvent, Case | None]]:
    """Return the events of a case with the case after each, oldest first."""
    if not is_case_id(case_id):
        raise NotFoundError("case", case_id)
    with opened(location) as golden:
        refs = read_refs(golden)
        path = case_path(case_id)
        commits = read_log(golden, golden.or_refuse(refs.tip), path=path)
        if not commits:
            raise NotFoundError("case", case_id)
        cases = _cases_after(golden, commits, path)
        versions = versions_of(golden, refs, [commit.oid for commit in commits])
    before: Sequence[Case | None] = [None, *cases[:-1]]
    return [
        (_event(commit, versions[commit.oid], diff_cases(old, new)), new)
        for commit, old, new in zip(commits, before, cases, strict=True)
        if old is not None or new is not None
    ]


def _cases_after(golden: OpenGolden, commits: Sequence[Commit], path: str) -> list[Case | None]:
    """Return the case after each commit; what cannot be read counts as not there."""
    blobs = [commit.touched[-1].new for commit in commits]
    return [_readable(data, path) for data in golden.git.objects(blobs)]


def _readable(data: bytes | None, path: str) -> Case | None:
    try:
        return None if data is None else loads(data, path)
    except CurationError:
        return None


def versions_of(golden: OpenGolden, refs: Refs, commits: Sequence[str]) -> dict[str, str | None]:
    """Return the version that each commit went out in; None while there is none."""
    tip = golden.or_refuse(refs.tip)
    out = golden.git.text("rev-list", "--first-parent", "--reverse", tip, doing="read the history")
    place = {commit: index for index, commit in enumerate(out.split("\n"))}
    tagged = sorted(
        (place[commit], name) for name, commit in refs.versions.items() if commit in place
    )
    marks = [index for index, _ in tagged]
    found: dict[str, str | None] = {}
    for commit in commits:
        at = bisect_left(marks, place.get(commit, len(place)))
        found[commit] = tagged[at][1] if at < len(tagged) else None
    return found


def _event(commit: Commit, version: str | None, diff: CaseDiff) -> CaseEvent:
    return CaseEvent(
        commit=commit.oid,
        version=version,
        change=commit.trailer("Change") or "unknown",
        author=Person(name=commit.author_name, email=commit.author_email),
        approvers=tuple(people(commit.all_of("Reviewed-by"))),
        committer=Person(name=commit.committer_name, email=commit.committer_email),
        date=moment_of(commit.author_date),
        reason=reason_of(commit.body),
        answer_id=commit.trailer("Source-Answer"),
        failure=commit.trailer("Failure"),
        diff=diff,
    )


def people(values: Sequence[str]) -> Iterator[Person]:
    """Yield the people that trailers name; what names nobody is left out."""
    for value in values:
        try:
            yield Person.parse(value)
        except PersonError:
            continue
