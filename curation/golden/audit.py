"""Audit: what git alone proves about how a golden set was written, approved and frozen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, Self

from curation.checks import first_secret
from curation.codec import case_id_of
from curation.domain.person import Person
from curation.domain.policy import Policy
from curation.golden.audit_report import AuditCounts, AuditFinding, AuditNotice, AuditReport
from curation.golden.case_book import CaseBook
from curation.golden.chain import Chain, Judged, Notice, needed_blobs
from curation.golden.chain_start import book_at, chain_at
from curation.golden.errors import NotAGoldenSetError, UnknownVersionError
from curation.golden.experiment_audit import experiment_rulings
from curation.golden.kinds import (
    APPROVED_KINDS,
    POLICY_FILE,
    Kind,
    Ruling,
    read_claim,
    version_number,
)
from curation.golden.location import Location, OpenGolden, opened
from curation.golden.log import require_whole_history
from curation.golden.objects import ObjectReader, object_reader
from curation.golden.reader import Refs, commit_of, read_refs
from curation.golden.record import CLAIMS_FORMAT, Commit
from curation.golden.tags import VersionTag, read_impostors, read_tags
from curation.golden.tree import empty_tree
from curation.golden.versions import policy_lines
from curation.golden.walk import Step, history_pass

_SHORT = 60  # so long may a changed value of the policy be and still be told
_WINDOW = 50  # commits whose cases are read at once


class _Read(NamedTuple):
    """What was read of the objects that the commits of a window wrote."""

    blobs: Mapping[str, bytes | None]
    trees: Mapping[str, str | None]
    """The tree of `cases` at each commit that makes a version; None where there is none."""

    @classmethod
    def of(cls, golden: OpenGolden, reader: ObjectReader, window: Iterable[Step]) -> Self:
        commits = [step.commit for step in window]
        wanted = [t.new for c in commits for t in c.touched if _is_content(t.path)]
        makers = [c.oid for c in commits if c.trailer("Release") is not None]
        trees = reader.ids([golden.at(oid, "cases") for oid in makers])
        return cls(
            reader.contents(list(dict.fromkeys(wanted))),
            dict(zip(makers, trees.values(), strict=True)),
        )


def _is_content(path: str) -> bool:
    return path == POLICY_FILE or case_id_of(path) is not None


@dataclass(kw_only=True)
class _Audit:
    """An audit on its way."""

    chain: Chain
    book: CaseBook
    findings: list[AuditFinding] = field(default_factory=list)
    notices: list[AuditNotice] = field(default_factory=list)
    releases: dict[str, str] = field(default_factory=dict)
    of_experiments: list[Commit] = field(default_factory=list)
    counts: AuditCounts = field(default_factory=AuditCounts)
    commits: int = 0

    def take(self, window: Sequence[Step], read: _Read) -> None:
        """Take commits in, with what they say of the cases."""
        self.commits += len(window)
        touched = (case_id_of(t.path) for step in window for t in step.commit.touched)
        self.book.need(case_id for case_id in touched if case_id is not None)
        for commit, judged in window:
            if commit.trailer("Experiment") is not None:
                self.of_experiments.append(commit)
            if judged is not None:
                _count(self.counts, commit, judged)
                before = self.book.policy
                self.find(commit, judged.rulings)
                self.find(commit, self._of_content(commit, judged.kind, read))
                changed = _policy_notices(before, self.book.policy)
                self.notice(commit, [*judged.notices, *changed, *_secret_notices(commit)])

    def _of_content(self, commit: Commit, kind: Kind | None, read: _Read) -> Iterator[Ruling]:
        """Yield what is wrong with the cases, the policy and the built files after a commit."""
        yield from self.book.take(commit, kind, read.blobs.get)
        version = commit.trailer("Release")
        if version is not None and (kind is Kind.RELEASE or kind is Kind.ROOT):
            tree = read.trees[commit.oid] or empty_tree(like=commit.oid)
            yield from self.book.judge_version(version, cases_tree=tree)
            self.releases[version] = commit.oid

    def find(self, commit: Commit, rulings: Iterable[Ruling]) -> None:
        self.findings += [
            AuditFinding(rule=r.rule, commit=commit.oid, author=_author(commit), message=r.message)
            for r in rulings
        ]

    def notice(self, commit: Commit, notices: Iterable[Notice]) -> None:
        self.notices += [
            AuditNotice(kind=n.kind, commit=commit.oid, author=_author(commit), message=n.message)
            for n in notices
        ]


def _author(commit: Commit) -> str:
    return str(Person(name=commit.author_name, email=commit.author_email))


def audit(location: Location, *, since: str | None = None) -> AuditReport:
    """Return what is wrong with the history of a set, from a clone alone.

    Args:
        location: the clone.
        since: a version whose history, with the files that it built, is taken as audited; None
            begins at the root, and so does a version whose tag is not where it belongs.

    Raises:
        NotAGoldenSetError: there is no set.
        ShallowError: the clone lacks older history.
        UnknownVersionError: `since` is no version.
    """
    with opened(location) as golden:
        require_whole_history(golden)
        refs = read_refs(golden)
        tip = golden.or_refuse(refs.tip)
        named = _version_commit(golden, since, refs) if since else None
        after = named if named and _makes_a_version(golden, named, tip) else None
        audited = _Audit(chain=Chain(linear=not golden.prefix), book=CaseBook())
        taken_as_audited = 0
        if after:
            audited.chain = chain_at(golden, after, refs)
            taken_as_audited = audited.chain.version
            audited.book = book_at(golden, after)
        with (
            object_reader(golden.git) as reader,
            closing(history_pass(golden, reader, audited.chain, tip, after=after)) as steps,
        ):
            while window := list(islice(steps, _WINDOW)):
                audited.take(window, _Read.of(golden, reader, window))
        for commit, ruling in experiment_rulings(golden, audited.of_experiments):
            audited.find(commit, [ruling])
        if not audited.chain.begun:
            raise NotAGoldenSetError(location.path, "no commit of it has a golden.toml")
        _judge_tags(audited, read_tags(golden), taken_as_audited)
        audited.findings += [
            AuditFinding(rule="version_tag", commit=one.commit, author="", message=one.message)
            for one in read_impostors(golden)
        ]
        _judge_self_approval(audited, tip)
        _count_known(audited)
    return AuditReport(
        commits=audited.commits,
        versions=len(audited.releases),
        findings=tuple(audited.findings),
        notices=tuple(audited.notices),
        counts=audited.counts,
    )


def _policy_notices(before: Policy | None, after: Policy | None) -> Iterator[Notice]:
    """Yield what a commit changed in the policy; a long value is named only."""
    if before is None or after is None or before is after:
        return
    said = [(line.key, str(line)) for line in policy_lines(before, after)]
    if said:
        short = (text if len(text) <= _SHORT else key for key, text in said)
        yield Notice("policy", f"the policy changed: {', '.join(short)}")


def _secret_notices(commit: Commit) -> Iterator[Notice]:
    """Yield that a message holds a secret, which git keeps."""
    kind = first_secret([commit.message])
    if kind is not None:
        told = f"{kind.value} is in its message, and git keeps it: make what it opens useless"
        yield Notice("secret", told)


def _count(counts: AuditCounts, commit: Commit, judged: Judged) -> None:
    """Count what a commit is evidence of."""
    kind = judged.kind
    if kind is not None:
        counts.kinds[kind.value] = counts.kinds.get(kind.value, 0) + 1
    counts.approved += kind in APPROVED_KINDS
    counts.approvals += len(commit.all_of("Reviewed-by"))
    counts.self_approved += commit.trailer("Self-approved") == "yes"
    counts.frozen += judged.frozen
    counts.case_files += sum(case_id_of(touched.path) is not None for touched in commit.touched)


def _count_known(audited: _Audit) -> None:
    """Count what the whole history is evidence of."""
    chain, counts = audited.chain, audited.counts
    counts.ids = len(chain.used_ids)
    counts.experiments = len(chain.experiments)
    counts.promoted = sum(r.get("decision") == "promote" for r in chain.experiments.values())


def _version_commit(golden: OpenGolden, version: str, refs: Refs) -> str:
    """Return the commit of a version; of another commit it is not known which versions it had."""
    found = commit_of(golden, version, refs)
    if found not in refs.versions.values():
        raise UnknownVersionError(version, refs.newest)
    return found


def _makes_a_version(golden: OpenGolden, commit: str, tip: str) -> bool:
    """Return whether a commit is on the line up to the tip and says that it makes a version."""
    doing = "look at where the audit begins"
    said = golden.git.text("log", "-1", f"--format={CLAIMS_FORMAT}", commit, "--", doing=doing)
    line = ("rev-list", "--first-parent", "--parents", tip, f"^{commit}", "--")
    rows = golden.git.text(*line, doing=doing).split("\n")
    before = rows[-1].split(" ")[1:2] if rows[-1] else [tip]
    return read_claim(said).version is not None and before == [commit]


def _judge_tags(audited: _Audit, tags: Sequence[VersionTag], since: int) -> None:
    named = {tag.version for tag in tags}
    for tag in tags:
        number = version_number(tag.version)
        if number is None or number > since:
            audited.findings += _tag_findings(tag, audited.releases.get(tag.version))
    for version, commit in audited.releases.items():
        if version not in named:
            message = f"the commit that makes {version} has no tag of that name"
            audited.findings.append(
                AuditFinding(rule="version_tag", commit=commit, author="", message=message)
            )


def _tag_findings(tag: VersionTag, release: str | None) -> Iterator[AuditFinding]:
    problems = []
    if version_number(tag.version) is None:
        problems.append(f"{tag.version} is no name of a version")
    elif not tag.annotated:
        problems.append(f"{tag.version} is not an annotated tag")
    elif tag.of != "commit":
        problems.append(f"{tag.version} is a tag of a {tag.of}")
    elif tag.inner_name != tag.version:
        problems.append(f"{tag.version} holds a tag that says it is {tag.inner_name}")
    if version_number(tag.version) is not None and tag.commit != release:
        problems.append(f"{tag.version} is not on the commit of the branch that makes it")
    for message in problems:
        yield AuditFinding(
            rule="version_tag", commit=tag.commit, author=tag.tagger, message=message
        )


def _judge_self_approval(audited: _Audit, tip: str) -> None:
    policy = audited.book.policy
    counts = audited.counts
    if policy is None or not counts.self_approved:
        return
    share = counts.self_approved / counts.approved
    told = f"{counts.self_approved} of {counts.approved} changes were self-approved"
    audited.notices.append(
        AuditNotice(kind="self_approved_share", commit=tip, author="", message=told)
    )
    if share > policy.self_approved_limit:
        message = f"{told}, more than max_self_approved ({policy.self_approved_limit:g})"
        audited.findings.append(
            AuditFinding(rule="self_approved_share", commit=tip, author="", message=message)
        )


def staged_problems(
    golden: OpenGolden, base: str, refs: Refs, commits: Sequence[Commit]
) -> list[str]:
    """Return which rules commits that are staged on `base` break, a clause each."""
    return broken_rules(golden, chain_at(golden, base, refs), commits)


def broken_rules(golden: OpenGolden, chain: Chain, commits: Sequence[Commit]) -> list[str]:
    """Return which rules staged commits break, a clause each; the chain is moved along."""
    wanted = needed_blobs(commits)
    contents = dict(zip(wanted, golden.git.objects(wanted), strict=True))
    problems: list[str] = []
    for commit in commits:
        judged = chain.take(commit, contents.get)
        broken = judged.rulings if judged else ()
        problems += [f"{commit.subject!r}: {ruling.message}" for ruling in broken]
    return problems
