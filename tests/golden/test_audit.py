"""What breaks a rule is found, by commit, author and rule; what is allowed is not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.codec import case_path, dumps
from curation.domain.case import CaseStatus, Facts, Retired, RetireReason
from curation.golden import Location, NotAGoldenSetError, audit
from tests.golden.desk import Desk, git, make_case

POLICY = (Path(__file__).parents[2] / "golden_repo" / "golden.toml").read_text()
CASE = case_path("q-0001")
NEW = case_path("q-0002")
REVIEWED = "Reviewed-by: Ana Ruiz <ana@example.org>"


def by_hand(desk: Desk, text: str, files: dict[str, str | None] | None = None) -> str:
    """Commit files by hand, with an author who is nobody's approver; return the commit."""
    for path, content in (files or {}).items():
        file = desk.location.path / path
        if content is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())
    desk.git("add", "--all", ".")
    desk.git("commit", "--quiet", "--allow-empty", "-m", text)
    return desk.git("rev-parse", "HEAD")


def text_of(case_id: str = "q-0001", **fields: object) -> str:
    return dumps(make_case(case_id, **fields)).decode()


def message(desk: Desk, change: str = "edit", /, **trailers: str | None) -> str:
    """A commit message that satisfies every rule, but for what is said otherwise."""
    given = {
        "Case": "q-0001",
        "Change": change,
        "Change-Id": f"by-hand-{desk.git('rev-list', '--count', 'main')}",
        "Base-Blob": desk.git("rev-parse", f"main:{CASE}"),
    } | {key.replace("_", "-"): value for key, value in trailers.items()}
    lines = [f"{key}: {value}" for key, value in given.items() if value is not None]
    reviewed = [] if "Reviewed-by" in given else [REVIEWED]
    return "By hand\n\n Because.\n\n" + "\n".join([*lines, *reviewed])


def rules(desk: Desk, since: str | None = "golden/v2") -> list[str]:
    return [finding.rule for finding in audit(desk.location, since=since).findings]


@pytest.fixture
def begun(desk: Desk) -> Desk:
    """A set with one case, at golden/v2."""
    desk.publish(desk.add("q-0001"))
    return desk


EDIT: dict[str, str | None] = {CASE: text_of(notes="n")}
Make = Callable[[Desk], object]


def hand(text: str, files: dict[str, str | None] | None = None) -> Make:
    """A commit with a message of its own."""
    return lambda desk: by_hand(desk, text, files)


def change(files: dict[str, str | None], kind: str = "edit", /, **trailers: str | None) -> Make:
    """A commit that says what it does."""
    return lambda desk: by_hand(desk, message(desk, kind, **trailers), files)


def whole(files: dict[str, str | None], kind: str, source: str | None = None) -> Make:
    """A commit that is about no single case."""
    return change(files, kind, Case=None, Base_Blob=None, Import=source)


SOURCE = f"a b.jsonl sha256:{'0' * 64}"
ADDED: dict[str, str | None] = {NEW: text_of("q-0002")}
GOOD: list[tuple[str, Make]] = [
    ("an edit", change(EDIT)),
    ("an addition", change(ADDED, "add", Case="q-0002", Base_Blob="none")),
    ("a readme", hand("Reword", {"README.md": "x\n", "ci/new.sh": "exit\n"})),
    ("a policy", whole({"golden.toml": POLICY + "# x\n", ".mailmap": "# nobody\n"}, "policy")),
    ("an import", whole(ADDED, "import", SOURCE)),
    ("a baseline", whole({"experiments/baseline.json": "{}\n"}, "baseline")),
    ("nothing at all", hand("Empty")),
]


@pytest.mark.parametrize(("_name", "make"), GOOD, ids=[name for name, _ in GOOD])
def test_what_keeps_the_rules_is_not_found(begun: Desk, _name: str, make: Make) -> None:
    make(begun)
    assert rules(begun) == []
    assert rules(begun, since=None) == []


def edit(**trailers: str | None) -> Make:
    return change(EDIT, **trailers)


RETIRED = text_of(status=CaseStatus.RETIRED, retired=Retired(reason=RetireReason.WRONG))
V3 = "x\n\nRelease: golden/v3"
OPENING: dict[str, str | None] = {"experiments/exp-001.json": '{"state": "open"}'}
BAD: list[tuple[str, str, Make]] = [
    ("no kind", "unknown_kind", hand("Edit", EDIT)),
    ("a kind that is none", "unknown_kind", edit(Change="improve")),
    ("a policy without saying so", "unknown_kind", hand("x", {"golden.toml": POLICY + "#\n"})),
    ("a built file without saying so", "unknown_kind", hand("x", {"golden.jsonl": "x"})),
    ("an experiment without saying so", "unknown_kind", hand("x", {"experiments/a.md": "x"})),
    ("a schema without saying so", "unknown_kind", hand("x", {"schema/deep/x.json": "x"})),
    ("no approver", "approvals", edit(Reviewed_by=None)),
    ("an approver who wrote it", "own_approval", edit(Reviewed_by="B <by@example.org>")),
    ("an approver of another spelling", "own_approval", edit(Reviewed_by="B <BY@Example.org>")),
    ("an approver who wrote it too", "own_approval", edit(Co_authored_by="A <ana@example.org>")),
    ("an approver who is nobody", "trailer", edit(Reviewed_by="Ana")),
    ("self-approval", "self_approval", edit(Self_approved="yes")),
    ("no case", "trailer", edit(Case=None)),
    ("another case", "wrong_path", edit(Case="q-0002")),
    ("no change id", "trailer", edit(Change_Id=None)),
    ("another base", "base_blob", edit(Base_Blob="0" * 40)),
    ("no base", "base_blob", edit(Base_Blob=None)),
    ("an addition that edits", "wrong_change", edit(Change="add", Base_Blob="none")),
    ("a removal", "wrong_change", change({CASE: None})),
    ("two cases", "wrong_path", change(EDIT | ADDED)),
    ("a stray file", "wrong_path", change(EDIT | {"README.md": "x"})),
    ("another form", "case_form", change({CASE: text_of() + "\n"})),
    ("no form", "case_form", change({CASE: "{}\n"})),
    ("another id inside", "case_form", change({CASE: text_of("q-0009")})),
    ("an unknown slice", "case_rules", change({CASE: text_of(slice="x")})),
    ("no facts", "case_rules", change({CASE: text_of(facts=Facts())})),
    ("an edit of the status", "case_rules", change({CASE: RETIRED})),
    ("another place", "case_place", change({"cases/00/q-0002.json": text_of("q-0002")})),
    ("an import of what was there", "wrong_change", whole(EDIT, "import", SOURCE)),
    ("an import of nothing known", "trailer", whole(ADDED, "import", "x")),
    ("a policy that touches a case", "wrong_path", edit(Change="policy")),
    ("a policy that is none", "policy", whole({"golden.toml": "approvals = -1\n"}, "policy")),
    ("no policy any more", "wrong_change", whole({"golden.toml": None}, "policy")),
    ("a baseline that is more", "wrong_path", whole(EDIT, "baseline")),
    ("a version that is none", "trailer", hand("x\n\nRelease: golden/vX")),
    ("a version out of order", "version_order", hand("x\n\nRelease: golden/v7")),
    ("a release of a case", "wrong_path", hand(V3, EDIT)),
    ("a release without a tag", "version_tag", hand(V3)),
    ("a release of other files", "built_files", hand(V3, {"golden.jsonl": "{}"})),
    ("an experiment that opens with a change", "frozen", change(EDIT | OPENING)),
]


@pytest.mark.parametrize(("_name", "rule", "make"), BAD, ids=[name for name, _, _ in BAD])
def test_what_breaks_a_rule_is_found(begun: Desk, _name: str, rule: str, make: Make) -> None:
    make(begun)
    report = audit(begun.location)
    commit = begun.git("rev-parse", "HEAD")
    assert rule in [finding.rule for finding in report.findings if finding.commit == commit]
    assert rule in rules(begun)
    (author,) = {f.author for f in report.findings if f.rule == rule} - {""} or {""}
    assert author in {"By Stander <by@example.org>", ""}
    assert all(finding.message for finding in report.findings)


def test_no_reason_is_found(begun: Desk) -> None:
    by_hand(begun, message(begun).replace("\n Because.\n", ""), EDIT)
    assert rules(begun) == ["no_reason"]


def test_a_change_that_is_there_twice_is_found(begun: Desk) -> None:
    by_hand(begun, message(begun, Change_Id="one"), EDIT)
    by_hand(begun, message(begun, Change_Id="one"), {CASE: text_of(notes="m")})
    assert rules(begun) == ["change_id"]


def test_an_id_that_is_used_again_is_found(begun: Desk) -> None:
    by_hand(begun, message(begun), {CASE: None})
    by_hand(begun, message_without_base(begun), {CASE: text_of(notes="another")})
    found = rules(begun)
    assert {"case_removed", "id_reused"} <= set(found)


def message_without_base(desk: Desk) -> str:
    return (
        "Add\n\n Because.\n\nCase: q-0001\nChange: add\nChange-Id: again\nBase-Blob: none\n"
        + REVIEWED
    )


@pytest.mark.parametrize("kind", ["link", "mode"])
def test_what_is_no_ordinary_file_is_found(begun: Desk, kind: str) -> None:
    file = begun.location.path / CASE
    if kind == "link":
        file.unlink()
        file.symlink_to("/etc/passwd")
    else:
        file.chmod(0o755)
    by_hand(begun, message(begun))
    assert "mode" in rules(begun)


def test_a_merge_is_found(begun: Desk) -> None:
    begun.git("checkout", "--quiet", "-b", "side")
    by_hand(begun, message(begun), EDIT)
    begun.git("checkout", "--quiet", "main")
    by_hand(begun, "Reword", {"README.md": "x\n"})
    begun.git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    assert {"merge", "unknown_kind"} <= set(rules(begun))


def test_a_line_that_was_swapped_under_the_versions_is_found(begun: Desk) -> None:
    begun.git("checkout", "--quiet", "-b", "side", "golden/v1")
    by_hand(begun, "Reword", {"README.md": "x\n"})
    begun.git("merge", "--quiet", "--no-ff", "-s", "ours", "-m", "Merge", "main")
    begun.git("branch", "--quiet", "-f", "main", "side")
    assert "version_tag" in rules(begun, since=None)


@pytest.mark.parametrize(
    "arguments",
    [
        ("tag", "-f", "golden/v2", "golden/v2^{commit}"),
        ("tag", "-f", "-a", "-m", "x", "golden/v2", "golden/v1^{commit}"),
        ("tag", "-d", "golden/v2"),
        ("tag", "-a", "-m", "x", "golden/v3", "main~1"),
        ("tag", "-a", "-m", "x", "golden/latest", "main"),
        ("update-ref", "refs/tags/golden/v3", "refs/tags/golden/v2"),
    ],
)
def test_a_tag_that_is_not_as_it_should_be_is_found(
    begun: Desk, arguments: tuple[str, ...]
) -> None:
    begun.git(*arguments)
    assert set(rules(begun, since=None)) == {"version_tag"}


def test_a_policy_is_judged_by_its_parents(begun: Desk) -> None:
    two = POLICY.replace("approvals = 1", "approvals = 2")
    by_hand(begun, message(begun, "policy", Case=None), {"golden.toml": two})
    assert rules(begun) == []
    by_hand(begun, message(begun), EDIT)
    by_hand(begun, message(begun, "policy", Case=None), {"golden.toml": POLICY})
    assert rules(begun) == ["approvals", "approvals"]
    by_hand(begun, message(begun), {CASE: text_of(notes="m")})
    assert rules(begun) == ["approvals", "approvals"]


def test_two_addresses_of_one_person_are_one_person(begun: Desk) -> None:
    other = {"Reviewed_by": "B <b@home.example>"}
    by_hand(begun, message(begun, **other), EDIT)
    assert rules(begun) == []
    by_hand(
        begun,
        message(begun, "policy", Case=None),
        {".mailmap": "By Stander <by@example.org> <b@home.example>\n"},
    )
    by_hand(begun, message(begun, **other), {CASE: text_of(notes="m")})
    assert sorted(rules(begun)) == ["approvals", "own_approval"]


def test_too_many_self_approvals_are_found(begun: Desk) -> None:
    loose = POLICY.replace("self_approval = false", "self_approval = true\nmax_self_approved = 0.4")
    by_hand(begun, message(begun, "policy", Case=None), {"golden.toml": loose})
    by_hand(begun, message(begun, Self_approved="yes", Reviewed_by=None), EDIT)
    assert rules(begun, since=None) == []
    own = message(begun, Self_approved="yes", Reviewed_by=None)
    by_hand(begun, own, {CASE: text_of(notes="m")})
    assert rules(begun, since=None) == ["self_approved_share"]


OPENED: dict[str, object] = {
    "id": "exp-001",
    "state": "open",
    "component": "chunker",
    "hypothesis": "h",
    "version": "golden/v2",
    "baseline": None,
}


def experiment(desk: Desk, record: dict[str, object], *, beside: str | None = None) -> str:
    """Commit an experiment's file, with another file beside it."""
    state = "open" if record.get("state") != "closed" else "closed"
    text = f"An experiment\n\nExperiment: {record['id']}\nExperiment-State: {state}"
    files: dict[str, str | None] = {f"experiments/{record['id']}.json": json.dumps(record)}
    if beside:
        files[f"experiments/{beside}"] = "{}"
    return by_hand(desk, text, files)


# What the files of experiments say inside is judged, and tested, on its own.
INSIDE = {"experiment_form", "experiment_pins", "gate"}


def along_the_line(desk: Desk) -> list[str]:
    return [rule for rule in rules(desk) if rule not in INSIDE]


def test_an_experiment_that_keeps_the_rules(begun: Desk) -> None:
    recorded = OPENED | {"baseline": {"v": 1}, "results": [1]}
    experiment(begun, OPENED)
    experiment(begun, recorded, beside="exp-001.cases.jsonl")
    experiment(begun, recorded | {"state": "closed", "decision": "void"})
    experiment(begun, OPENED | {"id": "exp-002"})
    promoted = OPENED | {"id": "exp-002", "state": "closed", "decision": "promote"}
    experiment(begun, promoted, beside="baseline.json")
    assert along_the_line(begun) == []
    assert [notice.kind for notice in audit(begun.location).notices] == ["root", "void"]


def test_experiments_that_do_not(begun: Desk) -> None:
    experiment(begun, OPENED)
    experiment(begun, OPENED | {"hypothesis": "another"})
    experiment(begun, OPENED | {"hypothesis": "another", "baseline": {"v": 1}})
    experiment(begun, OPENED | {"hypothesis": "another", "baseline": {"v": 2}})
    closed = OPENED | {"hypothesis": "another", "baseline": {"v": 2}, "state": "closed"}
    experiment(begun, closed, beside="baseline.json")
    experiment(begun, closed | {"why": "later"})
    experiment(begun, OPENED | {"id": "exp-005"})
    assert along_the_line(begun) == [
        "experiment_pinned",
        "experiment_pinned",
        "experiment_closed",
        "wrong_path",
        "experiment_closed",
        "experiment_closed",
        "experiment_order",
    ]


def test_taking_an_open_experiment_away_does_not_thaw(begun: Desk) -> None:
    experiment(begun, OPENED)
    (begun.location.path / "experiments" / "exp-001.json").unlink()
    by_hand(begun, "x\n\nExperiment: exp-001\nExperiment-State: closed")
    by_hand(begun, message(begun), EDIT)
    assert {"wrong_change", "frozen"} <= set(rules(begun))


def test_the_incremental_audit_sees_what_the_whole_one_sees_since(begun: Desk) -> None:
    by_hand(begun, "Edit", EDIT)
    (begun.location.path / CASE).write_text(text_of())
    by_hand(begun, "Edit back")
    begun.publish(begun.add("q-0002"))
    whole, since = audit(begun.location), audit(begun.location, since="v2")
    assert since.findings == whole.findings
    assert [f.rule for f in since.findings] == ["unknown_kind", "unknown_kind"]
    assert (whole.commits, since.commits, since.versions) == (7, 4, 1)
    assert audit(begun.location, since="golden/v3").findings == ()


def test_a_stray_tag_on_the_version_that_is_taken_as_audited_hides_nothing(begun: Desk) -> None:
    begun.git("tag", "-a", "-m", "x", "golden/v71", "golden/v2^{commit}")
    assert rules(begun) == ["version_tag"]
    by_hand(begun, V3)
    assert rules(begun).count("version_tag") == 2
    assert "version_order" not in rules(begun)


def test_a_repository_without_a_set_is_not_audited(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main", ".")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "x")
    with pytest.raises(NotAGoldenSetError):
        audit(Location.at(tmp_path))


def test_the_report_says_what_it_rests_on(begun: Desk) -> None:
    by_hand(begun, "Edit", EDIT)
    report = audit(begun.location)
    assert report.lines[-1] == "audited 4 commits and 2 versions: 1 finding"
    assert any("as good as the rule of who may push" in line for line in report.lines)
    document = json.loads(json.dumps(report.to_document()))
    assert document["findings"] == [
        {
            "rule": "unknown_kind",
            "commit": begun.git("rev-parse", "main"),
            "author": "By Stander <by@example.org>",
            "message": "it is of no kind that the golden set knows",
        }
    ]
    assert document["commits"] == 4
