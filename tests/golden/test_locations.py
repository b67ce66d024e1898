"""A set of its own, bare, or a folder of a bigger repository; whatever is checked out there."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from curation.domain.change import ChangeKind
from curation.errors import ConfigError, NotFoundError
from curation.golden import (
    GitFailedError,
    Location,
    NotAGoldenSetError,
    ShallowError,
    UnknownVersionError,
    audit,
    blob_text,
    canonical_person,
    case_history,
    create,
    list_versions,
    open_experiments,
    publish,
    published_change_ids,
    read_version,
    sweep,
    used_ids,
)
from tests.golden.desk import MIA, ROB, START, Desk, git


def bigger(tmp_path: Path) -> Path:
    """The repository of an application with a commit of its own."""
    app = tmp_path / "app"
    (app / "src").mkdir(parents=True)
    git(app, "init", "--quiet", "-b", "main")
    (app / "src" / "rag.py").write_text("print('rag')\n")
    git(app, "add", ".")
    git(app, "commit", "--quiet", "-m", "Begin")
    return app


def test_creating_twice_changes_nothing(desk: Desk) -> None:
    before = desk.git("rev-parse", "main")
    assert create(desk.location, person=MIA, now=START) == "golden/v1"
    desk.publish(desk.add("q-0001"))
    assert create(desk.location, person=MIA, now=START) == "golden/v2"
    assert desk.git("rev-parse", "main~2") == before


def test_a_folder_of_a_bigger_repository(tmp_path: Path) -> None:
    app = bigger(tmp_path)
    location = Location.at(app / "evals" / "golden")
    assert create(location, person=ROB, now=START, inside=True) == "golden/v1"
    desk = Desk(location)
    assert (location.path / "golden.toml").is_file()
    assert create(location, person=ROB, now=START) == "golden/v1"
    assert not (location.path / ".git").exists()
    done = desk.publish(desk.add("q-0001"))
    assert git(app, "show", "--format=", "--name-only", done.published[0].commit).startswith(
        "evals/golden/cases/"
    )
    (app / "src" / "rag.py").write_text("print('better')\n")
    git(app, "commit", "--quiet", "-am", "Improve the pipeline")
    git(app, "commit", "--quiet", "--allow-empty", "-m", "Nothing\n\nChange-Id: theirs")
    desk.publish(desk.edit("q-0001", change={"notes": "n"}), desk.add("q-0002"))
    assert (app / "src" / "rag.py").read_text() == "print('better')\n"
    assert git(app, "status", "--porcelain") == ""
    report = audit(location)
    assert (report.findings, report.commits, report.versions) == ((), 6, 3)
    assert "theirs" not in published_change_ids(location)
    assert [v.changes for v in list_versions(location)] == [0, 1, 2]
    assert len(case_history(location, "q-0001")) == 2
    assert used_ids(location) == {"q-0001", "q-0002"}


def test_a_path_that_nothing_encloses_becomes_a_repository(tmp_path: Path) -> None:
    location = Location.at(tmp_path / "evals" / "golden")
    create(location, person=ROB, now=START, inside=True)
    assert git(location.path, "rev-parse", "--show-toplevel") == str(location.path)


def test_the_mailmap_of_the_bigger_repository_counts_too(tmp_path: Path) -> None:
    app = bigger(tmp_path)
    (app / ".mailmap").write_text("Mia Kim <mia@example.org> <m@home.example>\n")
    git(app, "add", ".")
    git(app, "commit", "--quiet", "-m", "Say who is who")
    location = Location.at(app / "golden")
    create(location, person=ROB, now=START, inside=True)
    desk = Desk(location)
    alias = MIA.model_copy(update={"email": "m@home.example"})
    assert canonical_person(location, git(app, "rev-parse", "main"), alias) == MIA
    own = {".mailmap": "Ana Ruiz <ana@example.org> <a@home.example>\n"}
    base = git(app, "rev-parse", "main:golden/.mailmap")
    done = desk.publish(
        desk.change(ChangeKind.POLICY, own, base=base, author=ROB),
        desk.add("q-0001", approvers=(alias,)),
    )
    assert [conflict.reason for conflict in done.conflicts] == ["not_approved"]


def test_a_set_of_its_own_inside_a_bigger_repository_leaves_that_alone(tmp_path: Path) -> None:
    app = bigger(tmp_path)
    before = git(app, "rev-parse", "HEAD")
    location = Location.at(app / ".curation" / "golden")
    with pytest.raises(NotAGoldenSetError, match=r"no golden\.toml"):
        read_version(location)
    create(location, person=ROB, now=START)
    assert git(app, "rev-parse", "HEAD") == before
    assert read_version(location).version == "golden/v1"
    assert git(location.path, "rev-parse", "--show-toplevel") == str(location.path)


def test_a_bare_repository(tmp_path: Path) -> None:
    folder = tmp_path / "golden.git"
    folder.mkdir()
    git(folder, "init", "--quiet", "--bare", "-b", "main", ".")
    location = Location.at(folder)
    create(location, person=ROB, now=START)
    desk = Desk(location)
    done = desk.publish(desk.add("q-0001"))
    assert (done.worktree, done.worktree_note) == ("none", "")
    assert list(read_version(location).cases) == ["q-0001"]
    assert audit(location).findings == ()
    assert sweep(location).references == ()


def test_another_branch_may_hold_the_set(tmp_path: Path) -> None:
    app = bigger(tmp_path)
    location = Location.at(app, branch="golden/set")
    create(location, person=ROB, now=START, inside=True)
    desk = Desk(location)
    done = desk.publish(desk.add("q-0001"))
    assert done.worktree == "none"
    assert git(app, "rev-parse", "golden/set") == done.commit
    assert git(app, "ls-tree", "--name-only", "main") == "src"


def test_a_detached_head_stays_where_it_is(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "--detach")
    before = desk.git("rev-parse", "HEAD")
    done = desk.publish(desk.add("q-0001"))
    assert desk.git("rev-parse", "HEAD") == before
    assert desk.git("rev-parse", "main") == done.commit
    assert done.worktree == "none"
    assert desk.git("status", "--porcelain") == ""
    assert not (desk.location.path / "cases").exists()


def test_a_linked_work_tree_follows(desk: Desk, tmp_path: Path) -> None:
    desk.git("checkout", "--quiet", "--detach")
    linked = tmp_path / "linked"
    desk.git("worktree", "add", "--quiet", str(linked), "main")
    done = desk.publish(desk.add("q-0001"))
    assert done.worktree == "synced"
    assert git(linked, "status", "--porcelain") == ""
    assert len(list((linked / "cases").rglob("*.json"))) == 1
    through = replace(desk, location=Location.at(linked))
    through.publish(through.add("q-0002"))
    assert list(read_version(desk.location).cases) == ["q-0001", "q-0002"]


def test_a_tag_with_the_name_of_the_branch_confuses_nobody(desk: Desk) -> None:
    desk.git("tag", "main", "golden/v1")
    done = desk.publish(desk.add("q-0001"))
    assert desk.git("rev-parse", "refs/heads/main") == done.commit
    assert desk.git("rev-parse", "refs/tags/main") != done.commit


def test_an_own_repository_of_the_other_hash(tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    folder.mkdir()
    git(folder, "init", "--quiet", "-b", "main", "--object-format=sha256", ".")
    location = Location.at(folder)
    create(location, person=ROB, now=START)
    desk = Desk(location)
    desk.publish(desk.add("q-0001"))
    desk.publish(desk.edit("q-0001", change={"notes": "n"}))
    assert len(read_version(location).commit) == 64
    assert audit(location).findings == ()


def test_where_there_is_nothing_it_says_so(tmp_path: Path) -> None:
    location = Location.at(tmp_path / "nowhere" / "golden")
    for call in (read_version, open_experiments, list_versions, audit, used_ids):
        with pytest.raises(NotAGoldenSetError, match="curation init"):
            call(location)
    assert sweep(location) == ((), ())
    with pytest.raises(NotAGoldenSetError):
        publish(location, [], publisher=ROB, now=START)


def test_an_empty_repository_is_no_set_and_becomes_one(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main", ".")
    location = Location.at(tmp_path)
    with pytest.raises(NotAGoldenSetError, match="no branch 'main'"):
        read_version(location)
    (tmp_path / "mine.txt").write_text("mine\n")
    create(location, person=ROB, now=START)
    assert (tmp_path / "mine.txt").read_text() == "mine\n"
    assert read_version(location).version == "golden/v1"
    assert git(tmp_path, "status", "--porcelain") == "?? mine.txt"


def test_a_file_that_is_in_the_way_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine\n")
    location = Location.at(tmp_path)
    assert create(location, person=ROB, now=START) == "golden/v1"
    assert (tmp_path / "README.md").read_text() == "mine\n"


@pytest.mark.parametrize(
    "branch",
    ["", "-x", "a b", "a..b", "a.lock", "a/", "/a", "a~1", "a^", "a:b", "a//b", "a\nb", "@{"],
)
def test_a_branch_that_names_none_is_refused(tmp_path: Path, branch: str) -> None:
    with pytest.raises(ConfigError):
        Location.at(tmp_path, branch=branch)


@pytest.mark.parametrize(
    "name", ["golden/v2", "v0", "main", "HEAD", "--all", "-n1", "v1^{commit}", "f" * 40, "", "v1\n"]
)
def test_what_is_no_version_is_refused_and_never_reaches_git(desk: Desk, name: str) -> None:
    with pytest.raises(UnknownVersionError, match=r"The newest is golden/v1\."):
        read_version(desk.location, name)


def test_a_blob_is_read_by_its_id(desk: Desk) -> None:
    done = desk.publish(desk.add("q-0001"))
    blob = read_version(desk.location).blobs["q-0001"]
    assert '"id": "q-0001"' in blob_text(desk.location, blob)
    for wrong in ("0" * 40, done.commit + "x", "--all", "HEAD"):
        with pytest.raises(NotFoundError):
            blob_text(desk.location, wrong)


def test_a_shallow_clone_proves_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.publish(desk.add("q-0001"))
    desk.git(
        "clone", "--quiet", "--depth", "1", f"file://{desk.location.path}", str(tmp_path / "c")
    )
    shallow = Location.at(tmp_path / "c")
    assert list(read_version(shallow).cases) == ["q-0001"]
    with pytest.raises(ShallowError):
        audit(shallow)
    with pytest.raises(ShallowError):
        publish(shallow, [], publisher=ROB, now=START)


def test_a_repository_of_somebody_else_is_refused_in_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for folder, _, files in os.walk(desk.location.path):
        for name in ("", *files):
            os.chown(Path(folder) / name, 12345, 12345)
    try:
        with pytest.raises(GitFailedError, match="dubious ownership"):
            read_version(desk.location)
    finally:
        for folder, _, files in os.walk(desk.location.path):
            for name in ("", *files):
                os.chown(Path(folder) / name, 0, 0)


def test_a_policy_without_a_version_is_left_alone(tmp_path: Path) -> None:
    app = bigger(tmp_path)
    (app / "golden").mkdir()
    (app / "golden" / "golden.toml").write_text("")
    git(app, "add", ".")
    git(app, "commit", "--quiet", "-m", "By hand")
    with pytest.raises(NotAGoldenSetError, match="no version"):
        create(Location.at(app / "golden"), person=ROB, now=START)
    assert not (app / "golden" / ".git").exists()
