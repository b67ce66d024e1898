"""What an insider would try: the hook refuses it, the audit finds it, and neither falls over."""

import json
from pathlib import Path

import pytest

from curation.golden import (
    Location,
    audit,
    case_history,
    list_versions,
    open_experiments,
    published_change_ids,
)
from curation.golden.chain_start import chain_at
from curation.golden.hook.receive import Update, judge_push
from curation.golden.hook.server import Server
from curation.golden.location import opened
from curation.golden.reader import read_refs
from tests.golden.desk import git
from tests.golden.forging import MAIN, Files, begun, edited, forge, one, ruled
from tests.golden.in_memory import ANA
from tests.golden.line import Line
from tests.golden.test_audit_in_full import ONE, TWO, text


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return begun(tmp_path)


def tag(line: Line, name: str, commit: str) -> None:
    git(line.path, "tag", "-a", "-m", "x", name, commit)


def test_a_good_edit_is_good(line: Line) -> None:
    forge(line.path, edited(), one())
    assert ruled(line) == (set(), set())


def test_a_number_of_an_experiment_that_no_machine_counts_to(line: Line) -> None:
    forge(line.path, f"Open\n\nExperiment: exp-{'9' * 5000}\nExperiment-State: open\n")
    assert ruled(line) == ({"experiment_order"}, {"experiment_order", "experiment_form"})


@pytest.mark.parametrize(
    "address",
    ["", " mia@example.org", "mia @example.org", "mia\u200b@example.org", "m\u00adia@x.org"],
)
def test_an_author_whose_address_is_nobodys_is_not_somebody_elses_author(
    line: Line, address: str
) -> None:
    own = edited(reviewed="Reviewed-by: Mia Kim <mia@example.org>")
    forge(line.path, own, one(), author=f"Mia Kim <{address}>".encode())
    assert ruled(line) == ({"author"}, {"author"})


def test_an_approver_whose_address_has_a_sign_that_nobody_sees_is_nobody(line: Line) -> None:
    forge(line.path, edited(reviewed="Reviewed-by: Mia <mia\u200d@example.org>"), one())
    assert ruled(line) == ({"trailer", "approvals"}, {"trailer", "approvals"})


README: Files = {"README.md": ("100644", b"Read me.\n")}
OPENED = "Open\n\nExperiment: exp-001\nExperiment-State: open\n"


@pytest.mark.parametrize(
    "claim", ["Change-Id: waits", "change-id: waits", "Change-Id: waits\nCase: q-0001"]
)
@pytest.mark.parametrize("files", [README, {}])
def test_a_commit_beside_the_set_publishes_no_change(line: Line, claim: str, files: Files) -> None:
    forge(line.path, f"x\n\n{claim}\n", files)
    assert ruled(line) == (set(), set())  # other tools write such trailers
    assert "waits" not in published_change_ids(line.location)
    forge(line.path, edited(change_id="waits"), one())
    assert ruled(line) == (set(), set())
    assert published_change_ids(line.location)["waits"].case_id == "q-0001"
    tip = git(line.path, "rev-parse", MAIN)
    assert Server(folder=str(line.path)).chain_at(tip).change_ids == {"a", "waits"}


@pytest.mark.parametrize("claim", ["Release: golden/v3", "release: golden/v3"])
def test_a_readme_makes_no_version_in_any_spelling(line: Line, claim: str) -> None:
    tag(line, "golden/v3", forge(line.path, f"x\n\n{claim}\n", README))
    found = {"wrong_path", "built_files"}
    assert ruled(line) == (found - {"built_files"}, found)


def test_an_experiment_takes_no_number_of_a_version(line: Line) -> None:
    files: Files = {"experiments/exp-001.json": ("100644", b'{"state": "open"}')}
    made = forge(line.path, f"{OPENED}Release: golden/v3\n", files)
    hook, audit = ruled(line)
    assert (hook, audit - {"experiment_form"}) == ({"trailer"}, {"trailer"})
    assert Server(folder=str(line.path)).chain_at(made).version == 2
    tag(line, "golden/v3", made)
    assert "version_tag" in ruled(line).hook


@pytest.mark.parametrize("stray", ["Release: golden/v3", "Import: a", "Experiment: exp-001"])
def test_a_change_is_nothing_else_besides(line: Line, stray: str) -> None:
    forge(line.path, edited(stray), one())
    hook, audit = ruled(line)
    assert "trailer" in hook & audit


@pytest.mark.parametrize(
    "twice", ["Case: q-0002", "case: q-0002", "Change: retire", "Base-Blob: none"]
)
def test_what_a_change_says_of_itself_it_says_once(line: Line, twice: str) -> None:
    forge(line.path, edited(twice), one())
    assert ruled(line) == ({"trailer"}, {"trailer"})


def test_who_is_a_co_author_in_any_spelling_is_no_reviewer(line: Line) -> None:
    forge(line.path, edited(f"CO-AUTHORED-BY: {ANA}"), one())
    assert ruled(line) == ({"own_approval"}, {"own_approval"})


def _experiment(line: Line, state: str, **record: object) -> None:
    said = {"id": "exp-001", "state": state, "hypothesis": "Smaller chunks."} | record
    data = json.dumps(said).encode()
    message = f"x\n\nExperiment: exp-001\nExperiment-State: {state}\n"
    forge(line.path, message, {"experiments/exp-001.json": ("100644", data)})


def test_a_result_that_does_not_please_stays(line: Line) -> None:
    _experiment(line, "open")
    _experiment(line, "open", results=[{"n": 1}])
    _experiment(line, "open", results=[{"n": 1}, {"n": 2}])
    assert ruled(line) == (set(), {"experiment_form"})
    _experiment(line, "open", results=[{"n": 2}])
    assert ruled(line) == ({"experiment_pinned"}, {"experiment_pinned", "experiment_form"})


@pytest.mark.parametrize("decision", ["reject", "void"])
def test_an_experiment_is_open_before_it_is_closed(line: Line, decision: str) -> None:
    _experiment(line, "closed", decision=decision)
    assert ruled(line) == ({"experiment_closed"}, {"experiment_closed", "experiment_form"})


def test_an_experiment_is_closed_with_a_decision(line: Line) -> None:
    _experiment(line, "open")
    _experiment(line, "closed")
    assert ruled(line) == ({"experiment_closed"}, {"experiment_closed", "experiment_form"})


def messages(line: Line, since: str | None = None) -> list[str]:
    return [finding.message for finding in audit(line.location, since=since).findings]


def test_a_branch_is_not_named_like_a_version(line: Line) -> None:
    made = forge(line.path, edited(), one())
    git(line.path, "update-ref", "refs/heads/golden/v2", made)
    git(line.path, "update-ref", "refs/heads/golden/try", made)
    assert ruled(line) == ({"version_tag"}, {"version_tag"})
    said = "is a branch, and git may take it for golden/v2"
    assert messages(line) == [f"refs/heads/golden/v2 {said}"]
    git(line.path, "update-ref", "refs/remotes/origin/golden/v2", made)
    assert f"refs/remotes/origin/golden/v2 {said}" in messages(line)
    gone = Update(made, None, "refs/heads/golden/v2")
    assert list(judge_push(Server(folder=str(line.path)), [gone])) == []


def test_a_tag_is_not_named_like_the_branch(line: Line) -> None:
    forge(line.path, edited(), one())
    git(line.path, "tag", "main/try", "golden/v1")
    assert ruled(line) == (set(), set())
    git(line.path, "tag", "-d", "main/try")
    git(line.path, "tag", "main", "golden/v1")
    assert ruled(line) == ({"version_tag"}, {"version_tag"})
    said = "refs/tags/main is a tag, and git may take it for the branch main"
    assert messages(line) == [said]


def test_a_version_is_a_tag_of_a_commit(line: Line) -> None:
    git(line.path, "tag", "-a", "-m", "x", "inner", "golden/v2")
    git(line.path, "tag", "-f", "-a", "-m", "x", "golden/v2", "inner")
    assert "golden/v2 is a tag of a tag" in messages(line)


@pytest.mark.parametrize("since", ["golden/v2", "golden/v1"])
def test_an_audit_begins_at_a_version_only_where_it_was_made(line: Line, since: str) -> None:
    slipped = forge(line.path, "Slip", one())
    forge(line.path, "Read", README)
    assert messages(line, since)[0] == messages(line)[0]
    git(line.path, "tag", "-f", "-a", "-m", "x", since, slipped)
    assert messages(line, since) == messages(line)
    assert len(messages(line)) == 2


def test_an_audit_begins_on_the_line_of_commits(line: Line) -> None:
    forge(line.path, "Slip", one())
    git(line.path, "update-ref", "refs/heads/side", line.ids[2])
    aside = forge(line.path, "x\n\nRelease: golden/v2\n", ref="refs/heads/side")
    git(line.path, "tag", "-f", "-a", "-m", "x", "golden/v2", aside)
    assert messages(line, "golden/v2") == messages(line)
    assert len(messages(line)) == 2


@pytest.mark.parametrize(
    "path",
    [
        ONE.replace("cases", "Cases"),
        "GOLDEN.jsonl",
        "manifest.json",
        "Golden.toml",
        "golden.jsonl.",
        "golden.jsonl ",
        "gold\u200cen.jsonl",
        "golden.json\uff4c",
        "EXPERIMENTS/exp-001.json",
        ".gitAttributes",
    ],
)
def test_a_path_that_a_file_system_takes_for_one_of_the_set_is_one(line: Line, path: str) -> None:
    forge(line.path, "Read", {path: ("100644", b"{}\n")})
    assert ruled(line) == ({"unknown_kind"}, {"unknown_kind"})
    changes = edited().replace("Change: edit", "Change: policy").replace("Case: q-0001\n", "")
    forge(line.path, changes, {path: ("100644", b"{ }\n")})
    assert ruled(line) == ({"unknown_kind", "wrong_path"}, {"unknown_kind", "wrong_path"})


def test_what_a_clone_says_of_itself_changes_nothing(line: Line) -> None:
    forge(line.path, "Slip", one())
    ignored = b'[submodule "x"]\n\tpath = cases/ff\n\turl = ./x\n\tignore = all\n'
    forge(line.path, "Modules", {".gitmodules": ("100644", ignored)})
    forge(line.path, "Link", {"cases/ff": ("160000", b"1" * 40)})
    last = forge(line.path, "Read", README)
    found = audit(line.location).findings
    clone = line.path.parent / "clone"
    git(line.path.parent, "clone", "-q", str(line.path), str(clone))
    for name, value in {"diff.ignoreSubmodules": "all", "log.follow": "true"}.items():
        git(clone, "config", name, value)
    (clone / ".git" / "info" / "grafts").write_text(f"{last} {line.ids[-1]}\n")
    assert audit(Location.at(clone)).findings == found
    assert {"unknown_kind", "case_place"} == {finding.rule for finding in found}


@pytest.mark.parametrize(
    "when", [b"99999999999999 +0000", b"253402300799 -0100", b"5 +9999", b"soon +0000"]
)
def test_a_commit_of_no_day_is_told_without_one(line: Line, when: bytes) -> None:
    tag(line, "golden/v3", forge(line.path, edited(), one(), when=when))
    event, first = case_history(line.location, "q-0001")
    assert (event.date, event.to_document()["date"]) == (None, None)
    assert first.date is not None
    newest = list_versions(line.location)[-1]
    assert (newest.version, newest.date, newest.to_document()["date"]) == ("golden/v3", None, None)


def test_a_set_begins_without_cases_that_nobody_saw_come(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    line.commit("Aside", {ONE: text(1), TWO: text(2)})
    line.commit("Put away", {TWO: None})
    files = {"golden.toml": "approvals = 1\n"} | line.built("golden/v1")
    line.tag("golden/v1", line.commit("Begin\n\nRelease: golden/v1", files))
    line.write()
    said = "the set begins with cases that were there before it, such as q-0001"
    assert said in messages(line)
    server = Server(folder=str(line.path))
    for old in (None, *line.ids[:2]):
        found = judge_push(server, [Update(old, line.ids[2], MAIN)])
        assert "case_place" in [problem.rule for problem in found]


@pytest.mark.parametrize(
    "policy", ["approvals = = 1", f"approvals = {'9' * 5000}", f"x = {'[' * 5000}{']' * 5000}"]
)
def test_a_policy_that_nobody_can_read_is_refused(line: Line, policy: str) -> None:
    said = edited().replace("Change: edit", "Change: policy").replace("Case: q-0001\n", "")
    forge(line.path, said, {"golden.toml": ("100644", policy.encode())})
    assert ruled(line) == ({"policy"}, {"policy"})


def test_another_name_of_the_branch_is_the_branch(line: Line) -> None:
    made = forge(line.path, "Slip", one())
    git(line.path, "update-ref", MAIN, line.ids[-1])
    git(line.path, "symbolic-ref", "refs/heads/master", MAIN)
    git(line.path, "symbolic-ref", "refs/heads/trunk", "refs/heads/master")
    git(line.path, "symbolic-ref", "refs/tags/newest", "refs/tags/golden/v2")
    server = Server(folder=str(line.path))
    for ref, rule in {
        "refs/heads/trunk": "unknown_kind",
        "refs/tags/newest": "version_tag",
    }.items():
        found = judge_push(server, [Update(line.ids[-1], made, ref)])
        assert [problem.rule for problem in found] == [rule]


def test_the_name_of_a_file_writes_no_line_of_the_report(line: Line) -> None:
    path = "cases/x\naudited 5 commits and 2 versions: nothing is wrong"
    forge(line.path, "Slip", {path: ("100644", b"x")})
    lines = audit(line.location).lines
    assert not any(
        "\n" in told or told.startswith("audited 5 commits and 2 versions: nothing")
        for told in lines
    )
    assert lines[-1] == "audited 5 commits and 2 versions: 2 findings"


def test_cases_that_came_with_the_root_are_told(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    data = {ONE: text(1)}
    files = {"golden.toml": "approvals = 1\n"} | data | line.built("golden/v1", dict(data))
    line.tag("golden/v1", line.commit("Begin\n\nRelease: golden/v1", files))
    report = audit(line.write().location)
    assert report.findings == ()
    told = "the first commit of the set has no approvers; case files in it: 1"
    assert [notice.message for notice in report.notices] == [told]


def test_an_approver_who_looks_like_the_author_is_noticed(line: Line) -> None:
    forge(line.path, edited(reviewed="Reviewed-by: M. K. <mia+2@example.org>"), one())
    assert ruled(line) == (set(), set())
    said = "M. K. <mia+2@example.org> approved what Mia Kim <mia@example.org> wrote, and both look"
    notices = [n.message for n in audit(line.location).notices if n.kind == "look_alike"]
    assert notices == [f"{said} like one person"]


@pytest.mark.parametrize("mode", ["120000", "100755", "160000"])
def test_an_experiment_that_is_no_ordinary_file_is_open_for_everybody(
    line: Line, mode: str
) -> None:
    data = b"1" * 40 if mode == "160000" else b'{"state": "closed", "decision": "reject"}'
    forge(line.path, OPENED, {"experiments/exp-001.json": (mode, data)})
    tip = git(line.path, "rev-parse", MAIN)
    assert Server(folder=str(line.path)).chain_at(tip).open == ("exp-001",)
    assert [one.id for one in open_experiments(line.location)] == ["exp-001"]
    with opened(line.location) as golden:
        assert chain_at(golden, tip, read_refs(golden)).open == ("exp-001",)
    forge(line.path, edited(), one())
    hook, audit = ruled(line)
    assert {"frozen", "mode"} <= hook & audit


def test_what_changes_in_the_policy_is_noticed(line: Line) -> None:
    protected = "[slices.billing]\nprotected = true\n"
    for number, policy in enumerate(("approvals = 3", f"approvals = 2\n{protected}", "# lower\n")):
        said = edited(change_id=f"p{number}").replace("Change: edit", "Change: policy")
        said = said.replace("Case: q-0001\n", "") + "Reviewed-by: A <a@b.org>\n"
        files: Files = {"golden.toml": ("100644", policy.encode())}
        forge(line.path, f"{said}Reviewed-by: C <c@d.org>\n", files)
    assert ruled(line) == (set(), set())
    told = [notice.message for notice in audit(line.location).notices if notice.kind == "policy"]
    eased = "self_approval: true \u2192 false, max_self_approved: 0.25 \u2192 null"
    assert told == [
        f"the policy changed: approvals: 1 \u2192 3, {eased}",
        "the policy changed: approvals: 3 \u2192 2, slices",
        "the policy changed: approvals: 2 \u2192 1, slices",
    ]


def test_an_id_that_was_taken_away_before_the_start_is_not_free_after_it(line: Line) -> None:
    forge(line.path, "Tidy up", {ONE: ("100644", None)})
    files: Files = {"MANIFEST.json": ("100644", b"{}\n")}
    tag(line, "golden/v3", forge(line.path, "Release\n\nRelease: golden/v3\n", files))
    said = edited().replace("Change: edit", "Change: add")
    said = "\n".join(
        "Base-Blob: none" if s.startswith("Base-Blob") else s for s in said.split("\n")
    )
    forge(line.path, said, one())
    assert [f.rule for f in audit(line.location, since="golden/v3").findings] == ["id_reused"]
