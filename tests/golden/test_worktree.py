"""Nobody's index or files are touched; a clean checkout follows the branch."""

import hashlib
from pathlib import Path

from curation.golden import Worktree, audit, read_version, sweep
from tests.golden.desk import Desk


def fingerprints(folder: Path) -> dict[str, str]:
    """The bytes of every file in the work tree and of the index."""
    git_dir = folder / ".git"
    files = [f for f in folder.rglob("*") if f.is_file() and git_dir not in f.parents]
    files.append(git_dir / "index")
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_clean_checkout_follows_the_branch(desk: Desk) -> None:
    for number in range(1, 4):
        done = desk.publish(desk.add(f"q-000{number}"))
        assert (done.worktree, done.worktree_note) == (Worktree.SYNCED, "")
        assert desk.git("status", "--porcelain") == ""
        assert len(list((desk.location.path / "cases").rglob("*.json"))) == number


def test_an_untracked_file_is_no_change_of_ones_own(desk: Desk) -> None:
    (desk.location.path / "scratch.txt").write_text("mine\n")
    assert desk.publish(desk.add("q-0001")).worktree is Worktree.SYNCED
    assert desk.git("status", "--porcelain") == "?? scratch.txt"


def test_a_dirty_checkout_stays_byte_for_byte(desk: Desk) -> None:
    folder = desk.location.path
    desk.publish(desk.add("q-0001"))
    (folder / "README.md").write_text("edited, not staged\n")
    (folder / "staged.txt").write_text("staged\n")
    desk.git("add", "staged.txt")
    (folder / "untracked.txt").write_text("untracked\n")
    before, old = fingerprints(folder), desk.git("rev-parse", "main")
    done = desk.publish(desk.add("q-0002"), desk.edit("q-0001", change={"notes": "n"}))
    assert fingerprints(folder) == before
    assert done.worktree is Worktree.LEFT_ALONE
    assert "git commit -a" in done.worktree_note
    assert f"git read-tree -m -u {old} HEAD" in done.worktree_note
    assert set(read_version(desk.location).cases) == {"q-0001", "q-0002"}
    assert audit(desk.location).findings == ()


def test_the_told_command_catches_up_and_keeps_the_changes(desk: Desk) -> None:
    folder = desk.location.path
    (folder / "README.md").write_text("edited\n")
    old = desk.git("rev-parse", "main")
    desk.publish(desk.add("q-0001"))
    desk.git("read-tree", "-m", "-u", old, "HEAD")
    assert desk.git("status", "--porcelain") == " M README.md"
    assert len(list((folder / "cases").rglob("*.json"))) == 1


def test_a_staged_file_alone_keeps_the_tree_from_following(desk: Desk) -> None:
    (desk.location.path / "staged.txt").write_text("staged\n")
    desk.git("add", "staged.txt")
    before = fingerprints(desk.location.path)
    assert desk.publish(desk.add("q-0001")).worktree is Worktree.LEFT_ALONE
    assert fingerprints(desk.location.path) == before


def test_a_touched_file_with_the_same_bytes_is_clean(desk: Desk) -> None:
    readme = desk.location.path / "README.md"
    readme.write_bytes(readme.read_bytes())
    assert desk.publish(desk.add("q-0001")).worktree is Worktree.SYNCED


def test_a_tree_that_was_left_behind_catches_up_at_the_next_start(desk: Desk) -> None:
    readme = desk.location.path / "README.md"
    original = readme.read_bytes()
    readme.write_text("edited\n")
    desk.publish(desk.add("q-0001"))
    desk.publish(desk.add("q-0002"))
    readme.write_bytes(original)
    sweep(desk.location)
    assert desk.git("status", "--porcelain") == ""


def test_an_index_in_the_middle_of_a_merge_is_left_alone(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "-b", "side")
    (desk.location.path / "README.md").write_text("side\n")
    desk.git("commit", "--quiet", "-am", "Side")
    desk.git("checkout", "--quiet", "main")
    blob = desk.git("rev-parse", "side:README.md")
    entries = "".join(f"100644 {blob} {stage}\tREADME.md\n" for stage in (1, 2, 3))
    desk.git("update-index", "--index-info", stdin=f"0 {'0' * 40}\tREADME.md\n{entries}".encode())
    before = fingerprints(desk.location.path)
    assert desk.publish(desk.add("q-0001")).worktree is Worktree.LEFT_ALONE
    assert fingerprints(desk.location.path) == before


def test_a_lock_on_the_index_stops_nothing(desk: Desk) -> None:
    lock = desk.location.path / ".git" / "index.lock"
    lock.write_text("")
    done = desk.publish(desk.add("q-0001"))
    assert (done.version, done.worktree) == ("golden/v2", Worktree.LEFT_ALONE)
    lock.unlink()
    sweep(desk.location)
    assert desk.git("status", "--porcelain") == ""
