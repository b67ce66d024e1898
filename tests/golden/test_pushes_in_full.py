"""What the hook says of a push, reference by reference, and what people read of it."""

import io
from pathlib import Path

import pytest

from curation.golden.hook.receive import Problem, Update, judge_push, read_updates, run
from curation.golden.hook.server import Server
from tests.golden.desk import git
from tests.golden.line import MIA, Line
from tests.golden.test_audit_in_full import (
    FIRST,
    ONE,
    REVIEWED,
    TWO,
    begin,
    edit,
    said,
    text,
    whole,
)

MAIN = "refs/heads/main"
NOTHING = "0" * 40


def judged(line: Line, *updates: Update, branch: str = "main") -> list[Problem]:
    return list(judge_push(Server(folder=str(line.path)), updates, branch=branch))


def pushed(line: Line, after: int | None, number: int = -1) -> Update:
    """The branch moved from one commit of the line to another."""
    return Update(None if after is None else line.ids[after], line.ids[number], MAIN)


def tagged(line: Line, name: str, *, at: str | None = None) -> Update:
    ref = f"refs/tags/{name}"
    return Update(None, at or git(line.path, "rev-parse", ref), ref)


@pytest.fixture
def line(tmp_path: Path) -> Line:
    """A history with something of everything; the numbers of its commits are the audit's."""
    return whole(Line(tmp_path / "golden.git"))


UNKNOWN = ("unknown_kind", "it is of no kind that the golden set knows")
FROZEN = ("frozen", "README.md changed while exp-001 was open")
PUSH_BOTH = "push both at once, with `git push --follow-tags`"


def test_each_bad_commit_of_a_push_is_named(line: Line) -> None:
    assert judged(line, pushed(line, 3, 10)) == [
        Problem(line.ids[7], *UNKNOWN),
        Problem(line.ids[9], *FROZEN),
    ]
    assert judged(line, pushed(line, 7, 10)) == [Problem(line.ids[9], *FROZEN)]
    assert judged(line, pushed(line, 3, 6)) == []
    assert judged(line, pushed(line, 3, 3)) == []


def test_a_whole_history_is_judged_from_its_begin(line: Line) -> None:
    found = judged(
        line, pushed(line, None, 10), tagged(line, "golden/v1"), tagged(line, "golden/v2")
    )
    assert [problem[1] for problem in found] == ["unknown_kind", "frozen"]


def test_a_version_comes_with_its_tag(line: Line) -> None:
    makes = "it makes {} and comes without its tag: " + PUSH_BOTH
    v3, v4 = line.ids[11], line.ids[12]
    found = judged(line, pushed(line, 10))
    assert found == [Problem(v3, "version_tag", makes.format("golden/v3"))]
    git(line.path, "tag", "-d", "golden/v4")
    found = judged(line, pushed(line, 10))
    assert found == [
        Problem(v3, "version_tag", makes.format("golden/v3")),
        Problem(v4, "version_tag", makes.format("golden/v4")),
    ]
    git(line.path, "tag", "-a", "-m", "x", "golden/v3", v3)
    git(line.path, "tag", "-a", "-m", "x", "golden/v4", v4)
    both = tagged(line, "golden/v3"), tagged(line, "golden/v4")
    git(line.path, "tag", "-d", "golden/v3")
    assert judged(line, pushed(line, 10), *both) == []


def test_what_is_wrong_with_a_tag_is_said(line: Line) -> None:
    def about(update: Update) -> list[str]:
        found = judged(line, update)
        assert {(problem.where, problem.rule) for problem in found} <= {(update.ref, "version_tag")}
        return [problem.message for problem in found]

    v2 = git(line.path, "rev-parse", "refs/tags/golden/v2")
    moved = "a version is never moved or removed"
    assert about(Update(v2, v2, "refs/tags/golden/v2")) == [moved]
    assert about(Update(v2, None, "refs/tags/golden/v2")) == [moved]
    assert about(tagged(line, "golden/latest")) == ["golden/latest is no name of a version"]
    assert about(tagged(line, "golden/v4")) == ["golden/v4 is not an annotated tag"]
    assert about(tagged(line, "golden/v7", at=v2)) == [
        "golden/v7 says inside that it is something else"
    ]
    assert about(tagged(line, "golden/v9")) == ["golden/v9 is not on the commit that makes it"]
    assert about(tagged(line, "golden/v2")) == []
    git(line.path, "tag", "-d", "golden/v4")
    git(line.path, "tag", "-a", "-m", "x", "golden/v4", line.ids[3])
    assert about(tagged(line, "golden/v4")) == ["golden/v4 is not on the commit that makes it"]
    git(line.path, "update-ref", MAIN, line.ids[2])
    assert about(tagged(line, "golden/v2")) == ["golden/v2 is not on the commit that makes it"]
    git(line.path, "update-ref", "-d", MAIN)
    assert about(tagged(line, "golden/v2")) == ["golden/v2 is not on the commit that makes it"]


def test_tags_are_judged_on_the_line_that_is_pushed_with_them(line: Line) -> None:
    git(line.path, "update-ref", MAIN, line.ids[2])
    assert judged(line, tagged(line, "golden/v2"), pushed(line, 2, 6)) == []


def test_other_references_are_nobodys_business(line: Line) -> None:
    other = Update(None, line.ids[7], "refs/heads/side")
    assert judged(line, other, Update(None, line.ids[7], "refs/tags/x")) == []
    side = Update(line.ids[3], line.ids[7], "refs/heads/side")
    assert [problem[1] for problem in judged(line, side, branch="side")] == ["unknown_kind"]


def test_the_branch_is_never_removed_or_rewritten(line: Line) -> None:
    gone = Update(line.ids[3], None, MAIN)
    assert judged(line, gone) == [
        Problem(MAIN, "branch_removed", "the branch of the golden set is never removed")
    ]
    behind = "the commits do not follow, by first parents, what is there"
    for update in (Update(line.ids[5], line.ids[3], MAIN), Update(line.ids[3], line.ids[1], MAIN)):
        assert judged(line, update) == [Problem(MAIN, "not_fast_forward", behind)]


def test_a_line_that_swaps_its_parents_does_not_follow(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.write()
    tree = git(line.path, "rev-parse", f"{line.ids[3]}^{{tree}}")
    side = git(line.path, "commit-tree", "-m", "x", "-p", line.ids[2], "-p", line.ids[3], tree)
    found = judged(line, Update(line.ids[3], side, MAIN))
    assert [problem.rule for problem in found] == ["not_fast_forward"]


def test_what_is_wrong_with_the_file_of_a_case_is_said(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit(edit("b", text(1), REVIEWED), {ONE: text(1, "n") + b"\n"})
    line.commit("Slip", {"cases/00/q-0002.json": text(2)})
    line.commit("Slip", {TWO: text(1), "cases/00/q-0002.json": None})
    line.write()
    assert judged(line, pushed(line, 3)) == [
        Problem(line.ids[4], "case_form", f"{ONE}: it is not in canonical form"),
        Problem(line.ids[5], *UNKNOWN),
        Problem(line.ids[5], "case_place", "cases/00/q-0002.json is no place of a case"),
        Problem(line.ids[6], *UNKNOWN),
        Problem(line.ids[6], "case_form", f"{TWO}: it says that it is 'q-0001'"),
    ]


def test_a_push_of_many_windows_is_one_push(tmp_path: Path) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit("Open\n\nExperiment: exp-001\nExperiment-State: open", {FIRST: '{"state": "open"}'})
    for number in range(600):
        line.commit(f"Note {number}", {f"{FIRST[:12]}notes.md": f"{number}\n"})
    line.commit("Reword", {"README.md": "y\n"})
    line.write()
    found = judged(line, pushed(line, 3))
    assert len(found) == 601
    assert found[-1] == Problem(line.ids[-1], *FROZEN)


def test_git_hands_updates_in_as_lines() -> None:
    old, new = "a" * 40, "b" * 40
    assert read_updates([f"{old} {new} {MAIN}\n", f"{NOTHING} {new} refs/tags/a b\n"]) == [
        Update(old, new, MAIN),
        Update(None, new, "refs/tags/a b"),
    ]
    assert read_updates([f"{old} {NOTHING} {MAIN}"]) == [Update(old, None, MAIN)]


def test_people_read_why_a_push_was_refused(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(line.path)
    out = io.StringIO()
    rows = [f"{line.ids[3]} {line.ids[8]} {MAIN}\n"]
    assert run(rows, out, branch="main", prefix="") == 1
    assert out.getvalue() == (
        "The push was refused; nothing of it was taken.\n"
        f"  {line.ids[7][:12]} unknown_kind: it is of no kind that the golden set knows\n"
        "What a case says is not judged here: `curation golden audit` on a clone does that.\n"
    )
    out = io.StringIO()
    assert run([f"{line.ids[3]} {NOTHING} {MAIN}\n"], out, branch="main", prefix="") == 1
    assert f"  {MAIN} branch_removed: " in out.getvalue()
    out = io.StringIO()
    assert run([f"{line.ids[3]} {line.ids[6]} {MAIN}\n"], out, branch="main", prefix="") == 0
    assert out.getvalue() == ""


def test_a_push_that_cannot_be_judged_is_refused(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(line.path)
    for row, why in (
        (f"{NOTHING} {'9' * 40} {MAIN}", "git rev-list failed: "),
        ("x", "not enough"),
    ):
        out = io.StringIO()
        assert run([row], out, branch="main", prefix="") == 1
        begun = f"The push was refused, because it could not be judged: {why}"
        assert out.getvalue().startswith(begun)
        assert out.getvalue().endswith(".\n")


def test_a_name_that_cannot_be_printed_is_shown_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(tmp_path / "golden.git")
    begin(line)
    line.commit(said("Change: policy", "Change-Id: x", REVIEWED), {'"a\\033[31m.md"': "x\n"})
    monkeypatch.chdir(line.write().path)
    out = io.StringIO()
    run([f"{line.ids[3]} {line.ids[4]} {MAIN}\n"], out, branch="main", prefix="")
    assert "a commit of kind policy may not touch a?[31m.md" in out.getvalue()
    assert MIA not in out.getvalue()
