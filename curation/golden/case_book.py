"""The cases along the history: each file judged once, the built files rebuilt at each version."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from curation.codec import (
    case_id_of,
    content_problems,
    form_problems,
    read_case,
)
from curation.domain.change import ChangeKind
from curation.domain.policy import Policy, parse_policy
from curation.errors import CaseFormError, PolicyError
from curation.golden.built_set import BuiltSet
from curation.golden.chain import Blobs
from curation.golden.kinds import BUILT_FILES, POLICY_FILE, Kind, Ruling
from curation.golden.parsed import ParsedCase
from curation.golden.plan import kind_problems
from curation.golden.record import Commit, Touched
from curation.golden.tree import Entry, blob_id


@dataclass(kw_only=True)
class Unread:
    """Cases of a version that nobody needed to read yet, and what the version built of them."""

    entries: dict[str, Entry]
    read: Callable[[Iterable[Entry]], Mapping[str, ParsedCase]]
    built: BuiltSet

    def take(self, case_ids: Iterable[str]) -> dict[str, ParsedCase]:
        """Return cases, which are read from now on.

        Raises:
            CaseFormError: a file is not a case.
        """
        wanted = {name: self.entries.pop(name) for name in case_ids if name in self.entries}
        found = self.read(wanted.values()) if wanted else {}
        return {name: found[entry.path] for name, entry in wanted.items()}


@dataclass(kw_only=True)
class CaseBook:
    """The cases, the policy and the built files before the next commit."""

    policy: Policy | None = None
    cases: dict[str, ParsedCase] = field(default_factory=dict)
    built: dict[str, str] = field(default_factory=dict)
    unread: Unread | None = None
    _set: BuiltSet | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.unread is not None:
            self._set = self.unread.built

    def need(self, case_ids: Iterable[str]) -> None:
        """Read cases that are about to change, if that is still to be done.

        Raises:
            CaseFormError: a file is not a case.
        """
        if self.unread is not None:
            self.cases |= self.unread.take(case_ids)

    def read_all(self) -> None:
        """Read what is left to read, and build from it and no more from what was built before.

        Raises:
            CaseFormError: a file is not a case.
        """
        if self.unread is not None:
            self.need(list(self.unread.entries))
            self.unread = self._set = None

    def take(self, commit: Commit, kind: Kind | None, blobs: Blobs) -> Iterator[Ruling]:
        """Take a commit in and yield what is wrong with the cases and the policy it writes."""
        for touched in commit.touched:
            if touched.path.startswith("cases/"):
                yield from self._take_case(commit, touched, kind, blobs)
            elif touched.path in BUILT_FILES:
                self.built[touched.path] = touched.new
        for touched in commit.touched:
            if touched.path == POLICY_FILE:
                yield from self._take_policy(blobs(touched.new))

    def _take_policy(self, data: bytes | None) -> Iterator[Ruling]:
        try:
            self.policy = parse_policy((data or b"").decode("utf-8"))
        except (PolicyError, UnicodeDecodeError) as problem:
            yield Ruling("policy", str(problem))

    def _take_case(
        self, commit: Commit, touched: Touched, kind: Kind | None, blobs: Blobs
    ) -> Iterator[Ruling]:
        case_id = case_id_of(touched.path)
        if case_id is None:
            yield Ruling("case_place", f"{touched.path} is no place of a case")
            return
        before = self._put(case_id, None)
        data = blobs(touched.new)
        if data is None:
            return
        try:
            case, canonical = read_case(data, touched.path)
        except CaseFormError as problem:
            yield Ruling("case_form", str(problem))
            return
        self._put(case_id, ParsedCase(case))
        if not canonical:
            yield Ruling("case_form", f"{touched.path} is not in canonical form")
        if case.id != case_id:
            yield Ruling("case_form", f"{touched.path} says that it is {case.id}")
        problems = [*form_problems(case), *content_problems(case, self.policy)]
        if kind is Kind.CHANGE:
            change = ChangeKind(commit.trailer("Change") or "")
            problems += kind_problems(change, before.case if before else None, case)
        for clause in problems:
            yield Ruling("case_rules", f"{case_id}: {clause}")

    def _put(self, case_id: str, after: ParsedCase | None) -> ParsedCase | None:
        """Put a case, or None, in the place of the one that is returned."""
        before = self.cases.pop(case_id, None)
        if after is not None:
            self.cases[case_id] = after
        if self._set is not None:
            self._set.replace(case_id, before, after)
        return before

    def judge_version(self, version: str, *, cases_tree: str) -> Iterator[Ruling]:
        """Yield which built files are not what the cases of a version make."""
        wrong = self._wrongly_built(version, cases_tree)
        if wrong and self.unread is not None:
            self.read_all()
            wrong = self._wrongly_built(version, cases_tree)
        for path in wrong:
            yield Ruling("built_files", f"{path} of {version} is not what its cases make")

    def _wrongly_built(self, version: str, cases_tree: str) -> list[str]:
        if self._set is None:
            self._set = BuiltSet(self.cases)
        files = self._set.files(version, cases_tree=cases_tree)
        return [p for p, data in files if self.built.get(p) != blob_id(data, like=cases_tree)]
