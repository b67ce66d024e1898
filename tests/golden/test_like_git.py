"""What is computed here instead of asked of git is what git would have said."""

import ast
from pathlib import Path

import pytest

from curation.golden import read_version
from curation.golden.mailmap import mapped, parse_mailmap
from curation.golden.runner import GitRunner
from curation.golden.tree import blob_id, empty_tree, list_tree, tree_id, with_files
from tests.golden.desk import Desk, git

GOLDEN = Path(__file__).parents[2] / "curation" / "golden"
MAILMAP = """\
# a comment
Mia Kim <mia@example.org>
<ana@example.org> <ana@home.example>
Rob Oduya <rob@example.org> <ROB@old.example>
Jo Poe <jo@example.org> Jo P. <shared@example.org>
Kim Roe <kim@example.org> kim <shared@example.org>
  Lee Lo   <  lee@example.org >   <lee@x.example>  # why
broken line
<>
"""
CONTACTS = [
    "mia <mia@example.org>", "Mia <MIA@EXAMPLE.ORG>", "Ana <ana@home.example>",
    "Ana <Ana@Home.Example>", "r <rob@old.example>", "Jo P. <shared@example.org>",
    "JO P. <shared@example.org>", "kim <shared@example.org>", "Other <shared@example.org>",
    "lee <lee@x.example>", "Nobody <nobody@example.org>",
]  # fmt: skip


@pytest.mark.parametrize("contact", CONTACTS)
def test_people_are_who_git_says_they_are(tmp_path: Path, contact: str) -> None:
    git(tmp_path, "init", "--quiet", ".")
    (tmp_path / ".mailmap").write_text(MAILMAP)
    name, _, email = contact.removesuffix(">").partition(" <")
    found = mapped(parse_mailmap(MAILMAP), name, email)
    assert "{} <{}>".format(*found) == git(tmp_path, "check-mailmap", contact)


NAMES = ["a", "a.b", "a-b", "a0", "ab/c", "a b/ü", "a/b/c", "a/b.c", "A/x", "z\ty", 'q"uote', "ñ"]


def test_trees_and_blobs_have_the_ids_of_git(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", ".")
    for number, name in enumerate(NAMES):
        if name == "a":
            continue
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{number}\n")
    git(tmp_path, "add", ".")
    tree = git(tmp_path, "write-tree")
    entries = list_tree(GitRunner(tmp_path), tree, deep=True)
    assert {entry.path for entry in entries} == set(NAMES) - {"a"}
    assert tree_id(entries, like=tree) == tree
    new = blob_id(b"new\n", like=tree)
    (tmp_path / "A" / "x").write_text("new\n")
    (tmp_path / "B").write_text("new\n")
    git(tmp_path, "add", ".")
    changed = with_files(entries, {"A/x": new, "B": new})
    assert tree_id(changed, like=tree) == git(tmp_path, "write-tree")
    assert git(tmp_path, "hash-object", "-t", "tree", "--stdin") == empty_tree(like=tree)


def test_a_replaced_object_is_read_as_it_was(desk: Desk) -> None:
    done = desk.publish(desk.add("q-0001"))
    desk.git("replace", done.commit, "golden/v1^{commit}")
    assert list(read_version(desk.location).cases) == ["q-0001"]
    desk.git("replace", "-d", done.commit)


WRITERS = {"fast-import", "update-ref", "mktag", "read-tree", "init", "gc", "commit-graph"}
READERS = {
    "cat-file",
    "diff-tree",
    "clone",
    "diff",
    "for-each-ref",
    "hash-object",
    "log",
    "ls-files",
    "ls-tree",
    "rev-list",
    "rev-parse",
}


def test_only_a_few_commands_of_git_are_used() -> None:
    used = set()
    for file in GOLDEN.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"run", "output", "text", "chunks", "running"}
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                used.add(node.args[0].value)
    assert used == WRITERS | READERS


def test_of_gitpython_only_the_runner_is_used() -> None:
    used = set()
    for file in GOLDEN.glob("*.py"):
        if "gitpython import git" not in file.read_text():
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used |= {node.attr} if node.value.id == "git" else set()
    assert used == {
        "Git", "GitCommandNotFound", "InvalidGitRepositoryError", "NoSuchPathError", "Repo",
    }  # fmt: skip
