"""The hook on a real bare remote: good pushes go through, each kind of bad one is refused."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curation.codec import case_path
from curation.domain.experiment import Decision
from curation.golden import (
    Closing,
    Location,
    NotAGoldenSetError,
    Opening,
    audit,
    close_experiment,
    create,
    open_experiment,
    record_experiment,
)
from curation.golden.hook.bundle import MARK, MODULES, hook_text
from curation.golden.hook.install import HookInTheWayError, install_hook
from tests.golden.conftest import ANA, MIA, ROB, START, Desk, git
from tests.golden.pushing import Remote, added, begin_remote, case_text, commit
from tests.golden.test_experiment_commits import POLICY
from tests.golden.trials import trial


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a golden repository at golden/v2 and a remote that has it."""
    return begin_remote(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def remote(begun: Path, tmp_path: Path) -> Iterator[Remote]:
    """A remote that has golden/v2 with one case, and a desk whose work is pushed to it."""
    shutil.copytree(begun, tmp_path / "begun", symlinks=True)
    made = Remote(
        Desk(Location.at(tmp_path / "begun" / "golden"), number=1), tmp_path / "begun/remote.git"
    )
    made.desk.git("update-index", "-q", "--refresh")
    yield made
    assert "error" not in git(made.path, "fsck", "--strict", "--no-dangling")


def refused(remote: Remote, *rules: str, force: bool = False, what: tuple[str, ...] = ()) -> str:
    """Push, and check that it is refused by these rules and moves nothing."""
    before = git(remote.path, "for-each-ref")
    pushed = remote.push(*what, force=force)
    assert pushed.refused, pushed.said
    for rule in rules:
        assert f" {rule}:" in pushed.said, pushed.said
    assert git(remote.path, "for-each-ref") == before
    return pushed.said


def begin(desk: Desk) -> str:
    opening = Opening(component="chunker", hypothesis="Smaller chunks find more.")
    done = open_experiment(desk.location, opening, person=MIA, now=desk.tick())
    return done.experiment.id


def end(desk: Desk, experiment_id: str, decision: Decision = Decision.VOID, **more: str) -> None:
    closing = Closing(decision=decision, why="Enough seen.", **more)
    close_experiment(desk.location, experiment_id, closing, person=ANA, now=desk.tick())


def new_case(case_id: str = "q-0002", text: str | None = None) -> dict[str, str | None]:
    return {case_path(case_id): case_text(case_id) if text is None else text}


def test_everything_that_the_program_writes_is_taken(remote: Remote) -> None:
    desk = remote.desk
    begin(desk)
    made = trial(at=START, policy=POLICY)
    record_experiment(desk.location, "exp-001", made, person=MIA, now=desk.tick())
    end(desk, "exp-001", Decision.PROMOTE)
    desk.publish(
        desk.edit("q-0001", change={"notes": "checked"}),
        desk.policy(desk.git("show", "main:golden.toml") + "\n# more\n"),
        desk.add("q-0002"),
    )
    pushed = remote.push()
    assert pushed.status == 0, pushed.said
    assert remote.tip() == desk.git("rev-parse", "main")
    assert audit(Location.at(remote.path)).findings == ()


def test_a_commit_as_the_program_would_write_it_is_taken(remote: Remote) -> None:
    commit(remote.desk, added(), new_case())
    assert remote.push().status == 0


def test_files_that_bind_nothing_may_change(remote: Remote) -> None:
    commit(remote.desk, "Explain more", {"README.md": "more\n", "ci/run.sh": "true\n"})
    assert remote.push().status == 0


def test_other_branches_are_free(remote: Remote) -> None:
    commit(remote.desk, "Try something", new_case(text="{}"))
    assert remote.push("main:refs/heads/trial").status == 0
    assert remote.push("main:refs/heads/trial", force=True).status == 0


def test_a_change_while_an_experiment_is_open(remote: Remote) -> None:
    begin(remote.desk)
    assert remote.push().status == 0
    commit(remote.desk, added(), new_case())
    assert "exp-001" in refused(remote, "frozen")


def test_a_change_hidden_before_a_close_in_the_same_push(remote: Remote) -> None:
    begin(remote.desk)
    assert remote.push().status == 0
    commit(remote.desk, added(), new_case())
    end(remote.desk, "exp-001")
    refused(remote, "frozen")


def test_a_change_and_a_close_in_one_commit(remote: Remote) -> None:
    begin(remote.desk)
    assert remote.push().status == 0
    text = remote.desk.git("show", "main:experiments/exp-001.json") + "\n"
    closed = text.replace('"state": "open"', '"state": "closed"')
    files = new_case() | {"experiments/exp-001.json": closed}
    commit(remote.desk, "Close\n\nExperiment: exp-001\nExperiment-State: closed\n", files)
    refused(remote, "frozen", "wrong_path")


def test_an_opening_and_a_change_in_one_push(remote: Remote) -> None:
    begin(remote.desk)
    commit(remote.desk, added(), new_case())
    refused(remote, "frozen")


@pytest.mark.parametrize(
    ("what", "rules"),
    [
        ({"golden.toml": "approvals = 1\n"}, ["unknown_kind", "frozen"]),
        ({".mailmap": "A <a@x> <b@x>\n"}, ["unknown_kind", "frozen"]),
        ({"golden.jsonl": "{}\n"}, ["unknown_kind", "frozen"]),
        ({"README.md": "new\n"}, ["frozen"]),
    ],
)
def test_nothing_but_experiments_changes_while_frozen(
    remote: Remote, what: dict[str, str | None], rules: list[str]
) -> None:
    begin(remote.desk)
    commit(remote.desk, "Slip this in", what)
    refused(remote, *rules)


def test_an_open_experiment_that_is_taken_away(remote: Remote) -> None:
    begin(remote.desk)
    assert remote.push().status == 0
    commit(remote.desk, "Tidy up", {"experiments/exp-001.json": None})
    refused(remote, "unknown_kind")


def test_a_closed_experiment_that_changes(remote: Remote) -> None:
    begin(remote.desk)
    end(remote.desk, "exp-001")
    assert remote.push().status == 0
    text = remote.desk.git("show", "main:experiments/exp-001.json") + "\n"
    message = "Again\n\nExperiment: exp-001\nExperiment-State: closed\n"
    commit(remote.desk, message, {"experiments/exp-001.json": text.replace("Enough", "Much")})
    refused(remote, "experiment_closed")


def test_a_pinned_field_that_changes(remote: Remote) -> None:
    begin(remote.desk)
    assert remote.push().status == 0
    text = remote.desk.git("show", "main:experiments/exp-001.json") + "\n"
    message = "Aim elsewhere\n\nExperiment: exp-001\nExperiment-State: open\n"
    commit(remote.desk, message, {"experiments/exp-001.json": text.replace("Smaller", "Larger")})
    refused(remote, "experiment_pinned")


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("Add a case", "unknown_kind"),
        (added(by="By Stander <by@example.org>"), "own_approval"),
        (added(by="nobody"), "trailer"),
        (added().replace("Reviewed-by", "Seen-by"), "approvals"),
        (added(by="By Stander <by@example.org>", extra="Self-approved: yes\n"), "self_approval"),
        (added(by="X <x@example.org>", extra="Co-authored-by: X <x@example.org>\n"), "approvals"),
        (added("q-0003"), "wrong_path"),
        (added().replace(" It was missing.\n\n", ""), "no_reason"),
        (added().replace("Change-Id: 5f0c-q-0002\n", ""), "trailer"),
        (added().replace("Base-Blob: none", "Base-Blob: " + "1" * 40), "base_blob"),
        (added().replace("Change: add", "Change: edit"), "wrong_change"),
        (added().replace("Change: add", "Change: improve"), "unknown_kind"),
    ],
)
def test_a_commit_that_fits_no_kind_or_lacks_approvers(
    remote: Remote, message: str, rule: str
) -> None:
    commit(remote.desk, message, new_case())
    refused(remote, rule)


def test_two_approvals_where_the_policy_asks_for_two(remote: Remote) -> None:
    desk = remote.desk
    desk.publish(
        desk.policy(desk.git("show", "main:golden.toml").replace("approvals = 1", "approvals = 2"))
    )
    commit(desk, added(), new_case())
    refused(remote, "approvals")


def test_one_person_under_two_addresses_is_one_person(remote: Remote) -> None:
    desk = remote.desk
    mailmap = "By Stander <by@example.org> <other@example.org>\n"
    message = (
        "Change the policy\n\n One person.\n\nChange: policy\nChange-Id: 77\n"
        "Reviewed-by: Ana Ruiz <ana@example.org>\n"
    )
    commit(desk, message, {".mailmap": mailmap})
    assert remote.push().status == 0
    commit(desk, added(by="Somebody Else <other@example.org>"), new_case())
    refused(remote, "own_approval", "approvals")


def test_a_change_id_that_the_branch_has(remote: Remote) -> None:
    known = remote.desk.git("log", "--format=%(trailers:key=Change-Id,valueonly)", "main").split()[
        0
    ]
    commit(remote.desk, added().replace("5f0c-q-0002", known), new_case())
    refused(remote, "change_id")


def _compact(text: str) -> str:
    return json.dumps(json.loads(text)) + "\n"


def _with(text: str, **fields: object) -> str:
    return json.dumps({**json.loads(text), **fields}, indent=2, ensure_ascii=False) + "\n"


def _without(text: str, name: str) -> str:
    table = json.loads(text)
    del table[name]
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_compact, "canonical"),
        (lambda text: text.replace("\n", "\r\n"), "canonical"),
        (lambda text: text.rstrip("\n"), "canonical"),
        (lambda text: _with(text, colour="red"), "colour is no key"),
        (lambda text: _without(text, "notes"), "notes is missing"),
        (lambda text: _with(text, id="q-0009"), "says that it is"),
        (lambda text: _with(text, facts=[]), "facts is not an object"),
        (lambda text: _with(text, evidence=[{"id": "e1"}]), "is missing"),
        (lambda text: text.replace('"status"', '"id": "q-0002",\n  "status"'), "twice"),
        (lambda text: text.replace('"weight": 1', '"weight": NaN'), "NaN"),
        (lambda _: "not json", "cannot be read"),
        (lambda _: "[]\n", "not a JSON object"),
    ],
)
def test_a_case_of_the_wrong_form(remote: Remote, spoil: Callable[[str], str], said: str) -> None:
    commit(remote.desk, added(), new_case(text=spoil(case_text())))
    assert said in refused(remote, "case_form")
    assert audit(remote.desk.location).findings


def test_a_case_in_the_wrong_place(remote: Remote) -> None:
    commit(remote.desk, added(), {"cases/zz/q-0002.json": case_text()})
    refused(remote, "case_place", "wrong_path")


@pytest.mark.parametrize("mode", ["100755", "120000", "160000"])
def test_a_case_that_is_no_ordinary_file(remote: Remote, mode: str) -> None:
    desk = remote.desk
    if mode == "160000":
        oid = desk.git("rev-parse", "HEAD")
    else:
        oid = desk.git("hash-object", "-w", "--stdin", stdin=case_text().encode())
    desk.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{case_path('q-0002')}")
    desk.git("commit", "-q", "-m", added())
    refused(remote, "mode")


def test_a_case_that_is_taken_away(remote: Remote) -> None:
    commit(remote.desk, added("q-0001"), {case_path("q-0001"): None})
    refused(remote, "case_removed")


def test_a_whole_folder_that_is_taken_away(remote: Remote) -> None:
    remote.desk.git("mv", "cases", "moved")
    remote.desk.git("commit", "-q", "-m", "Move the cases")
    refused(remote, "unknown_kind", "case_removed")


def test_history_that_is_written_anew(remote: Remote) -> None:
    remote.desk.git("commit", "-q", "--amend", "-m", "Nothing happened")
    refused(remote, "not_fast_forward", force=True, what=("main",))


def test_a_branch_that_goes_back(remote: Remote) -> None:
    refused(remote, "not_fast_forward", force=True, what=("main~1:main",))


def test_a_branch_that_is_removed(remote: Remote) -> None:
    git(remote.path, "config", "receive.denyDeleteCurrent", "ignore")
    refused(remote, "branch_removed", what=(":main",))


def test_a_merge(remote: Remote) -> None:
    desk = remote.desk
    desk.git("checkout", "-q", "-b", "side")
    commit(desk, added(), new_case())
    desk.git("checkout", "-q", "main")
    commit(desk, "Explain", {"README.md": "more\n"})
    desk.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    refused(remote, "merge")


def test_a_merge_with_its_parents_swapped(remote: Remote) -> None:
    desk = remote.desk
    old = desk.git("rev-parse", "main")
    desk.git("checkout", "-q", "-b", "side", "main~1")
    commit(desk, "Explain", {"README.md": "more\n"})
    tree = desk.git("rev-parse", "HEAD^{tree}")
    parents = ["-p", desk.git("rev-parse", "HEAD"), "-p", old]
    swapped = desk.git("commit-tree", tree, *parents, "-m", "Merge")
    desk.git("branch", "-f", "main", swapped)
    refused(remote, "not_fast_forward", what=("main",))


def test_a_version_that_is_moved(remote: Remote) -> None:
    remote.desk.git("tag", "-f", "-a", "-m", "x", "golden/v2", "main~1")
    refused(remote, "version_tag", force=True, what=("golden/v2",))


def test_a_version_that_is_removed(remote: Remote) -> None:
    refused(remote, "version_tag", what=(":refs/tags/golden/v2",))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("golden/v3", ["-a", "-m", "x"]),
        ("golden/v3", []),
        ("golden/next", ["-a", "-m", "x"]),
    ],
)
def test_a_version_that_no_commit_makes(remote: Remote, name: str, options: list[str]) -> None:
    remote.desk.git("tag", *options, name, "main")
    refused(remote, "version_tag", what=(f"refs/tags/{name}",))


def test_a_version_that_says_inside_that_it_is_another(remote: Remote) -> None:
    desk = remote.desk
    desk.publish(desk.add("q-0002"))
    inner = desk.git("rev-parse", "golden/v2")
    desk.git("update-ref", "refs/tags/golden/v3", inner)
    refused(remote, "version_tag")


def test_a_version_that_leaves_one_out(remote: Remote) -> None:
    desk = remote.desk
    commit(desk, "Release golden/v4\n\n1 case\n\nRelease: golden/v4\n", {"golden.jsonl": "x\n"})
    desk.git("tag", "-a", "-m", "x", "golden/v4", "main")
    refused(remote, "version_order")


def test_a_version_that_comes_without_its_tag(remote: Remote) -> None:
    remote.desk.publish(remote.desk.add("q-0002"))
    said = refused(remote, "version_tag", what=("main",))
    made = remote.desk.git("rev-parse", "main")[:12]
    assert f"{made} version_tag: it makes golden/v3 and comes without its tag" in said
    assert "git push --follow-tags" in said
    assert remote.push("--follow-tags", str(remote.path), "main", plain=True).status == 0
    assert git(remote.path, "rev-parse", "golden/v3^{commit}") == remote.tip()


def test_versions_of_which_one_comes_without_its_tag(remote: Remote) -> None:
    desk = remote.desk
    for name in ("q-0002", "q-0003"):
        desk.publish(desk.add(name))
    said = refused(remote, "version_tag", what=("main", "golden/v4"))
    assert "it makes golden/v3" in said
    assert "it makes golden/v4" not in said


def test_a_first_push_without_tags(remote: Remote, tmp_path: Path) -> None:
    empty = tmp_path / "empty.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(empty))
    install_hook(empty)
    fresh = Remote(remote.desk, empty)
    said = refused(fresh, "version_tag", what=("main",))
    assert "it makes golden/v1" in said
    assert fresh.push().status == 0


def test_a_tag_that_the_server_has_already_needs_no_second_push(remote: Remote) -> None:
    desk = remote.desk
    desk.publish(desk.add("q-0002"))
    hook = remote.path / "hooks" / "pre-receive"
    text = hook.read_bytes()
    hook.unlink()
    assert remote.push("golden/v3").status == 0
    hook.write_bytes(text)
    hook.chmod(0o755)
    assert remote.push("main").status == 0


def test_other_tags_are_free(remote: Remote) -> None:
    remote.desk.git("tag", "v1.0", "main")
    assert remote.push("v1.0").status == 0
    assert remote.push(":v1.0").status == 0


def test_one_bad_commit_refuses_everything(remote: Remote) -> None:
    desk = remote.desk
    desk.publish(desk.add("q-0002"))
    commit(desk, "Slip", new_case("q-0003"))
    refused(remote, "unknown_kind")
    assert "golden/v3" not in git(remote.path, "tag", "--list")


def test_a_golden_set_in_a_folder_of_a_bigger_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "app")
    folder, bare = tmp_path / "app", tmp_path / "app.git"
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin the app")
    desk = Desk(Location.at(folder / "evals" / "golden"))
    create(desk.location, person=ROB, now=START, inside=True)
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    done = install_hook(bare, golden_path="evals/golden/")
    assert done.golden_path == "evals/golden"
    remote = Remote(Desk(Location.at(folder)), bare)
    assert remote.push().status == 0
    commit(remote.desk, "Change the app", {"app.py": "pass\n"})
    desk.publish(desk.add("q-0001"))
    begin(desk)
    commit(remote.desk, "Change the app again", {"app.py": "x = 1\n"})
    pushed = remote.push()
    assert pushed.status == 0, pushed.said
    commit(remote.desk, "Slip", {"evals/golden/README.md": "x\n"})
    refused(remote, "frozen")
    remote.desk.git("reset", "-q", "--hard", "HEAD~1")
    commit(remote.desk, "Rename somebody", {".mailmap": "A <a@x> <b@x>\n"})
    refused(remote, "frozen", "unknown_kind")


def test_a_merge_that_leaves_the_set_alone_is_free_in_a_bigger_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "app")
    folder, bare = tmp_path / "app", tmp_path / "app.git"
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin the app")
    create(Location.at(folder / "golden"), person=ROB, now=START, inside=True)
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    install_hook(bare, golden_path="golden")
    remote = Remote(Desk(Location.at(folder)), bare)
    desk = remote.desk
    desk.git("reset", "-q", "--hard")
    desk.git("checkout", "-q", "-b", "side")
    commit(desk, "Work", {"side.py": "pass\n"})
    desk.git("checkout", "-q", "main")
    commit(desk, "Other work", {"main.py": "pass\n"})
    desk.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    pushed = remote.push()
    assert pushed.status == 0, pushed.said


def test_hooks_of_others_are_not_overwritten(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "r.git")
    path = tmp_path / "r.git" / "hooks" / "pre-receive"
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    with pytest.raises(HookInTheWayError):
        install_hook(tmp_path / "r.git")
    path.unlink()
    assert install_hook(tmp_path / "r.git").replaced is False
    assert install_hook(tmp_path / "r.git").replaced is True
    assert os.access(path, os.X_OK)


def test_a_folder_that_is_no_repository_gets_no_hook(tmp_path: Path) -> None:
    with pytest.raises(NotAGoldenSetError):
        install_hook(tmp_path)


def test_the_hook_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    file = tmp_path / "hook.py"
    file.write_text(hook_text())
    code = (
        "import sys; sys.argv = ['hook']\n"
        f"exec(compile(open({str(file)!r}).read(), 'hook', 'exec'), {{'__name__': 'hook'}})\n"
        "base = {'curation', 'sys'} | set(sys.stdlib_module_names)\n"
        "strange = {name.partition('.')[0] for name in sys.modules} - base\n"
        "print(sorted(n for n in strange if not n.startswith('__')))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert ran.stdout.strip() == "[]", ran.stderr
    assert MARK in file.read_text()
    assert all(f"MODULES['{name}'] = r'''" in file.read_text() for name in MODULES)
