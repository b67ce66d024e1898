"""A case whose file somebody took away: nothing goes on from there, and its id is never used."""

from pathlib import Path

import pytest

from curation.codec import case_path, dumps
from curation.domain.change import ChangeKind
from curation.golden import ConflictReason, Location, audit, create, read_version
from curation.golden.errors import GoldenWriteError, RemovedCaseError
from tests.golden.desk import ROB, START, Desk, git, make_case
from tests.golden.pushing import commit


@pytest.fixture
def begun(desk: Desk) -> Desk:
    """A set with two cases, at golden/v2."""
    desk.publish(desk.add("q-0001"), desk.add("q-0002"))
    return desk


def remove(desk: Desk, case_id: str) -> str:
    """Take a case away in the work tree, as anyone could, and commit that."""
    commit(desk, "Tidy up", {case_path(case_id): None})
    return desk.git("rev-parse", "main")


def released_by_hand(desk: Desk) -> None:
    """Make the next version of what is there, as anyone could."""
    commit(desk, "Release golden/v3\n\n x\n\nRelease: golden/v3\n")
    desk.git("tag", "-a", "-m", "x", "golden/v3", "main")


def test_nothing_is_published_on_a_branch_that_lost_a_case(begun: Desk) -> None:
    edit = begun.edit("q-0002", change={"notes": "n"})
    removal = remove(begun, "q-0001")
    with pytest.raises(RemovedCaseError) as refused:
        begun.publish(edit)
    assert str(refused.value) == (
        f"The golden repository was not written: the commit {removal[:12]} took away the file of "
        "q-0001, which golden/v2 has. Move the branch back to before that commit, and retire the "
        "case instead."
    )
    assert begun.git("rev-parse", "main") == removal
    assert "case_removed" in {finding.rule for finding in audit(begun.location).findings}
    begun.git("reset", "-q", "--hard", "main~1")
    assert begun.publish(edit).version == "golden/v3"
    assert audit(begun.location).findings == ()


def test_a_branch_that_lost_every_case_is_refused_too(begun: Desk) -> None:
    edit = begun.edit("q-0002", change={"notes": "n"})
    commit(begun, "Away with it", {case_path(f"q-000{n}"): None for n in (1, 2)})
    with pytest.raises(GoldenWriteError, match="the file of q-0001, q-0002, which"):
        begun.publish(edit)


def test_a_file_that_is_only_gone_from_the_work_tree_is_not_gone(begun: Desk) -> None:
    Path(begun.location.path, case_path("q-0001")).unlink()
    assert begun.publish(begun.edit("q-0002", change={"notes": "n"})).version == "golden/v3"
    assert set(read_version(begun.location).cases) == {"q-0001", "q-0002"}


def test_what_else_was_written_by_hand_is_the_audits_to_find(begun: Desk) -> None:
    commit(begun, "Slip", {"README.md": "x\n"})
    assert begun.publish(begun.edit("q-0002", change={"notes": "n"})).version == "golden/v3"


@pytest.mark.parametrize("number", [1, 60])
def test_an_id_whose_file_was_removed_long_ago_is_taken(begun: Desk, number: int) -> None:
    remove(begun, "q-0001")
    released_by_hand(begun)
    free = [make_case(f"q-1{n:03d}") for n in range(number)]
    done = begun.publish(begun.add("q-0001"), *map(begun.add, free))
    assert len(done.published) == number
    (conflict,) = done.conflicts
    assert conflict.reason is ConflictReason.ID_TAKEN
    assert "q-0001 was used before" in conflict.message


def test_an_id_that_an_import_brought_and_somebody_removed_is_taken(desk: Desk) -> None:
    files = {case_path(i): dumps(make_case(i)).decode() for i in ("q-0001", "q-0007")}
    source = f"some.jsonl sha256:{'0' * 64}"
    desk.publish(desk.change(ChangeKind.IMPORT, files, import_source=source))
    remove(desk, "q-0007")
    released_by_hand(desk)
    done = desk.publish(desk.add("q-0007"), desk.add("q-0008"))
    assert [conflict.case_id for conflict in done.conflicts] == ["q-0007"]
    assert [published.case_id for published in done.published] == ["q-0008"]


def test_an_import_that_brings_such_an_id_stays_out_as_a_whole(begun: Desk) -> None:
    remove(begun, "q-0001")
    released_by_hand(begun)
    files = {case_path(i): dumps(make_case(i)).decode() for i in ("q-0001", "q-0007")}
    source = f"more.jsonl sha256:{'0' * 64}"
    done = begun.publish(begun.change(ChangeKind.IMPORT, files, import_source=source))
    (conflict,) = done.conflicts
    assert (conflict.reason, done.version) == (ConflictReason.ID_TAKEN, None)
    assert "q-0001 was used before" in conflict.message


def test_a_set_that_is_a_folder_is_guarded_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", ".")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Begin the app")
    desk = Desk(Location.at(tmp_path / "evals"))
    create(desk.location, person=ROB, now=START, inside=True)
    desk.publish(desk.add("q-0001"), desk.add("q-0002"))
    edit = desk.edit("q-0002", change={"notes": "n"})
    git(tmp_path, "reset", "-q", "--hard")
    git(tmp_path, "rm", "-q", f"evals/{case_path('q-0001')}")
    git(tmp_path, "commit", "-q", "-m", "Tidy up")
    with pytest.raises(RemovedCaseError, match="q-0001"):
        desk.publish(edit)
