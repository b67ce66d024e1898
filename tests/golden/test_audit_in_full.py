"""One history with something of everything: each finding, notice and count of its audit."""

from pathlib import Path

import pytest

from curation.codec import case_path, dumps
from curation.domain.case import CaseStatus, Retired, RetireReason
from curation.golden import AuditReport, Location, NotAGoldenSetError, UnknownVersionError, audit
from curation.golden.audit import broken_rules, staged_problems
from curation.golden.audit_report import AuditCounts
from curation.golden.case_book import CaseBook
from curation.golden.chain import Chain
from curation.golden.chain_start import book_at, chain_at
from curation.golden.kinds import kind_of
from curation.golden.location import opened
from curation.golden.log import read_log
from curation.golden.reader import Refs, read_refs
from curation.golden.tree import blob_id
from tests.golden.desk import git, make_case
from tests.golden.in_memory import ANA
from tests.golden.line import MIA, ROB, Line

POLICY = "self_approval = true\nmax_self_approved = 0.25\n"
ONE, TWO, THREE = (case_path(f"q-000{n}") for n in (1, 2, 3))
FIRST = "experiments/exp-001.json"
SOURCE = f"a.jsonl sha256:{'0' * 64}"
REVIEWED = f"Reviewed-by: {ANA}"


def text(number: int, notes: str = "") -> bytes:
    return dumps(make_case(f"q-000{number}", notes=notes))


def base(data: bytes) -> str:
    return blob_id(data, like="0" * 40)


def said(*lines: str, subject: str = "By hand") -> str:
    return f"{subject}\n\n Because.\n\n" + "".join(f"{line}\n" for line in lines)


def edit(change_id: str, before: bytes, *more: str, number: int = 1) -> str:
    return said(
        f"Case: q-000{number}",
        "Change: edit",
        f"Change-Id: {change_id}",
        f"Base-Blob: {base(before)}",
        *more,
    )


def begin(line: Line) -> None:
    """A readme, the root, one case, golden/v2."""
    line.commit("A readme", {"README.md": "x\n"})
    root: dict[str, str | bytes | None] = {
        "golden.toml": POLICY,
        ".mailmap": f"{MIA} <kim@home.example>\n",
    }
    v1 = line.commit("Begin\n\nRelease: golden/v1", root | line.built("golden/v1"), author=ROB)
    line.tag("golden/v1", v1)
    added = said("Case: q-0001", "Change: add", "Change-Id: a", "Base-Blob: none", REVIEWED)
    line.commit(added, {ONE: text(1)})
    line.tag("golden/v2", line.release("golden/v2"))


def whole(line: Line) -> Line:
    """A history in which every fourth commit or so breaks a rule."""
    begin(line)
    own = edit("b", text(1), "Self-approved: yes")
    line.commit(own, {ONE: text(1, "n")}, author="Kim <kim@home.example>")
    secret = edit("c", text(1, "n"), REVIEWED, f"Token: {'ghp_' + 'a1B2c3D4e5' * 4}")
    line.commit(secret, {ONE: text(1, "m")})
    line.commit(
        said("Change: import", "Change-Id: d", f"Import: {SOURCE}", REVIEWED),
        {TWO: text(2), THREE: text(3)},
    )
    line.commit("Slip", {TWO: text(2, "n")}, author="Ben <ben@example.org>")
    opened = "Open\n\nExperiment: exp-001\nExperiment-State: open"
    line.commit(opened, {FIRST: '{"state": "open"}'})
    line.commit("Reword", {"README.md": "y\n"})
    line.commit(
        "Close\n\nExperiment: exp-001\nExperiment-State: closed",
        {FIRST: '{"state": "closed", "decision": "void"}'},
    )
    line.release("golden/v3", golden="{}\n")
    v4 = line.release("golden/v4")
    line.tag("golden/v4", v4, annotated=False)
    line.tag("golden/v9", v4)
    line.tag("golden/latest", v4)
    return line.write()


KIM = "Kim <kim@home.example>"
BEN = "Ben <ben@example.org>"
FOUND = [
    (7, BEN, "unknown_kind", "it is of no kind that the golden set knows"),
    (9, MIA, "frozen", "README.md changed while exp-001 was open"),
    (11, MIA, "built_files", "golden.jsonl of golden/v3 is not what its cases make"),
    (8, MIA, "experiment_form", None),
    (10, MIA, "experiment_form", None),
    (12, ROB, "version_tag", "golden/latest is no name of a version"),
    (12, "", "version_tag", "golden/v4 is not an annotated tag"),
    (12, ROB, "version_tag", "golden/v9 is not on the commit of the branch that makes it"),
    (11, "", "version_tag", "the commit that makes golden/v3 has no tag of that name"),
    (
        12,
        "",
        "self_approved_share",
        "1 of 4 changes were self-approved, more than max_self_approved (0.25)",
    ),
]
NOTED = [
    (1, ROB, "root", "the first commit of the set has no approvers"),
    (4, KIM, "self_approved", "an author's own approval counted"),
    (5, MIA, "secret", None),
    (6, MIA, "import", f"2 cases came in one import: {SOURCE}"),
    (10, MIA, "void", "exp-001 was declared void"),
    (12, "", "self_approved_share", "1 of 4 changes were self-approved"),
]


def told(line: Line, report: AuditReport) -> tuple[list[object], list[object]]:
    """The findings and notices by the number of their commit; None where the text is another's."""
    own = {"experiment_form", "secret"}
    at = line.ids.index
    found = [
        (at(f.commit), f.author, f.rule, None if f.rule in own else f.message)
        for f in report.findings
    ]
    noted = [
        (at(n.commit), n.author, n.kind, None if n.kind in own else n.message)
        for n in report.notices
    ]
    return list(found), list(noted)


def test_the_whole_history(tmp_path: Path) -> None:
    line = whole(Line(tmp_path / "golden.git"))
    report = audit(line.location)
    found, noted = told(line, report)
    assert found == [row for row in FOUND if row[2] != "self_approved_share"]
    assert noted == NOTED
    assert (report.commits, report.versions) == (13, 4)
    assert report.counts == AuditCounts(
        kinds={"root": 1, "change": 3, "release": 3, "import": 1, "experiment": 2, "free": 1},
        approved=4,
        approvals=3,
        self_approved=1,
        frozen=2,
        case_files=6,
        ids=3,
        experiments=1,
        promoted=0,
    )
    secret = next(n.message for n in report.notices if n.kind == "secret")
    assert secret.endswith(" is in its message, and git keeps it: make what it opens useless")


def test_what_came_before_a_version_is_taken_as_audited(tmp_path: Path) -> None:
    line = whole(Line(tmp_path / "golden.git"))
    report = audit(line.location, since="golden/v2")
    found, noted = told(line, report)
    assert found == [
        (*row[:3], row[3].replace("1 of 4", "1 of 3") if row[3] else None) for row in FOUND
    ]
    assert noted[:-1] == NOTED[1:-1]
    assert (report.commits, report.versions) == (9, 2)
    assert (report.counts.ids, report.counts.approved) == (3, 3)


def test_the_start_at_any_commit_is_what_the_walk_knows_there(tmp_path: Path) -> None:
    line = whole(Line(tmp_path / "golden.git"))
    chain, book = Chain(), CaseBook()
    with opened(line.location) as golden:
        refs = read_refs(golden)
        for commit in read_log(golden, line.ids[-1]):
            wanted = [touched.new for touched in commit.touched]
            blobs = dict(zip(wanted, golden.git.objects(wanted), strict=True)).get
            kind = kind_of(commit, begun=chain.begun)
            chain.take(commit, blobs)
            list(book.take(commit, kind, blobs))
            if not chain.begun:
                continue
            start, cases = chain_at(golden, commit.oid, refs), book_at(golden, commit.oid)
            assert start == chain, commit.subject
            cases.read_all()
            assert (cases.policy, cases.cases, cases.built) == (book.policy, book.cases, book.built)


def test_after_the_newest_version_that_version_is_the_one_before_the_next(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit(edit("b", text(1), REVIEWED), {ONE: text(1, "n")})
    line.release("golden/v4")
    with opened(line.write().location) as golden:
        refs = read_refs(golden)
        assert chain_at(golden, line.ids[4], refs).version == 2
        staged = read_log(golden, line.ids[5], after=line.ids[4])
        problems = ["'Release golden/v4': it releases v4 after v2"]
        assert staged_problems(golden, line.ids[4], refs, staged) == problems
        assert chain_at(golden, line.ids[4], Refs(tip=None, versions={})).version == 2
        assert chain_at(golden, line.ids[5], refs).version == 4


def test_staged_commits_are_judged_one_after_the_other(tmp_path: Path) -> None:
    line = whole(Line(tmp_path / "golden.git"))
    with opened(line.location) as golden:
        refs = read_refs(golden)
        staged = read_log(golden, line.ids[9], after=line.ids[3])
        problems = [
            "'Slip': it is of no kind that the golden set knows",
            "'Reword': README.md changed while exp-001 was open",
        ]
        assert staged_problems(golden, line.ids[3], refs, staged) == problems
        chain = chain_at(golden, line.ids[3], refs)
        assert broken_rules(golden, chain, staged[:4]) == problems[:1]
        assert chain.used_ids == {"q-0001", "q-0002", "q-0003"}
        assert broken_rules(golden, chain, staged[4:]) == problems[1:]


def test_a_set_that_is_a_folder_lets_the_rest_of_its_repository_merge(tmp_path: Path) -> None:
    line = Line(tmp_path / "repo.git")
    files = line.built("golden/v1") | {"golden.toml": POLICY}
    root = {f"golden/{name}": data for name, data in files.items()}
    line.tag("golden/v1", line.commit("Begin\n\nRelease: golden/v1", root))
    line.commit("Code", {"app.py": "x\n"})
    line.commit("Merge", {"lib.py": "x\n", "golden/README.md": "x\n"}, merges=1)
    line.write()
    git(tmp_path, "clone", "-q", str(line.path), "repo")
    folder = Location.at(tmp_path / "repo" / "golden")
    assert audit(folder).findings == ()
    assert audit(folder, since="v1").findings == ()


def test_a_set_with_a_repository_of_its_own_has_no_merges(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit("Merge", {"lib.py": "x\n"}, merges=2)
    line.write()
    for since in (None, "golden/v2"):
        assert [finding.rule for finding in audit(line.location, since=since).findings] == ["merge"]


def test_the_tag_of_the_root_is_judged_from_the_root(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    root = line.commit("x\n\nRelease: golden/v1", line.built("golden/v1") | {"golden.toml": ""})
    line.tag("golden/v1", root, annotated=False)
    found = told(line.write(), audit(line.location))[0]
    assert found == [(0, "", "version_tag", "golden/v1 is not an annotated tag")]
    assert audit(line.location, since="golden/v1").findings == ()


def test_a_history_of_many_windows_is_one_history(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    for number in range(1200):
        line.commit(f"Reword {number}", {"README.md": f"{number}\n"})
    line.commit("Slip", {ONE: text(1, "n")})
    report = audit(line.write().location)
    assert (report.commits, report.counts.kinds["free"]) == (1205, 1200)
    assert [line.ids.index(finding.commit) for finding in report.findings] == [1204]


def test_an_edit_that_retires_is_found(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    gone = Retired(reason=RetireReason.WRONG)
    retired = dumps(make_case("q-0001", status=CaseStatus.RETIRED, retired=gone))
    line.commit(edit("b", text(1), REVIEWED), {ONE: retired})
    line.write()
    for since in (None, "golden/v2"):
        assert told(line, audit(line.location, since=since))[0] == [
            (4, MIA, "case_rules", "q-0001: an edit changes its status")
        ]


@pytest.mark.parametrize("lines", [None, "{}\n"], ids=["as built", "spoilt"])
def test_cases_that_nobody_touched_are_in_the_versions_after_the_start(
    tmp_path: Path, lines: str | None
) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    spoilt = {} if lines is None else {"golden": lines}
    line.tag("golden/v3", line.release("golden/v3", **spoilt))
    added = said("Case: q-0002", "Change: add", "Change-Id: b", "Base-Blob: none", REVIEWED)
    line.commit(added, {TWO: text(2)})
    line.tag("golden/v4", line.release("golden/v4"))
    line.write()
    assert audit(line.location, since="golden/v3").findings == ()
    whole = [finding.rule for finding in audit(line.location, since="golden/v2").findings]
    assert whole == ([] if lines is None else ["built_files"])


def test_an_experiment_makes_no_version_whatever_it_says(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit("x\n\nExperiment: exp-001\nRelease: golden/v3", {FIRST: "{}"})
    report = audit(line.write().location)
    assert report.versions == 2
    assert "golden/v3" not in str(report.findings)


def test_a_tag_that_says_it_is_another_is_found(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.write()
    git(line.path, "update-ref", "refs/tags/golden/v5", "refs/tags/golden/v2")
    assert told(line, audit(line.location))[0] == [
        (3, ROB, "version_tag", "golden/v5 holds a tag that says it is golden/v2"),
        (3, ROB, "version_tag", "golden/v5 is not on the commit of the branch that makes it"),
    ]


@pytest.mark.parametrize("files", [{}, {"golden/golden.toml": POLICY}])
def test_a_line_without_a_policy_is_no_set(tmp_path: Path, files: dict[str, str]) -> None:
    line = Line(tmp_path / "golden.git")
    line.commit("A readme", {"README.md": "x\n", **files})
    line.write()
    said = f"^{line.path} holds no golden set: no commit of it has a golden.toml[.] Make one"
    with pytest.raises(NotAGoldenSetError, match=said):
        audit(line.location)


def test_what_is_taken_as_audited_is_a_version_or_its_commit(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.write()
    assert audit(line.location, since=line.ids[3]).commits == 0
    for name in ("golden/v9", line.ids[2]):
        with pytest.raises(UnknownVersionError, match=f"'{name}'. The newest is golden/v2"):
            audit(line.location, since=name)


def test_a_share_at_its_limit_is_no_finding(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit(edit("b", text(1), REVIEWED), {ONE: text(1, "n")})
    line.commit(edit("c", text(1, "n"), REVIEWED), {ONE: text(1, "m")})
    before = audit(line.write().location)
    assert (before.findings, [notice.kind for notice in before.notices]) == ((), ["root"])


def test_a_version_after_the_start_is_built_of_cases_that_nobody_reads(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    added = said("Case: q-0002", "Change: add", "Change-Id: b", "Base-Blob: none", REVIEWED)
    line.commit(added, {TWO: text(2)})
    line.tag("golden/v3", line.release("golden/v3"))
    other = said("Case: q-0003", "Change: add", "Change-Id: c", "Base-Blob: none", REVIEWED)
    line.commit(other, {THREE: text(3)})
    line.tag("golden/v4", line.release("golden/v4", golden="{}\n"))
    with opened(line.write().location) as golden:
        book = book_at(golden, line.ids[-3])
        assert book.unread is not None
        assert set(book.unread.entries) == {"q-0001", "q-0002"}
        assert book.cases == {}
        # Of what the version built, and of no case, the next one that changes nothing is built.
        tree = git(line.path, "rev-parse", f"{line.ids[-3]}:cases")
        assert list(book.judge_version("golden/v3", cases_tree=tree)) == []
        assert book.unread is not None
        lied = book_at(golden, line.ids[-1])
        assert lied.unread is None
        assert set(lied.cases) == {"q-0001", "q-0002", "q-0003"}
