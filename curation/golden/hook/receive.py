"""What a push to a golden repository may do; everything of it is refused or nothing.

Standard library only: this is the heart of the server-side hook. It judges every new commit under
what its parent says, by the rules that the audit uses, so that closing an experiment in the same
push hides nothing. What a case says is the audit's to judge, not this file's.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from curation.codec.paths import case_id_of
from curation.golden.chain import Chain, needed_blobs, read_rulebook
from curation.golden.hook.case_form import form_problem
from curation.golden.hook.server import GitProblemError, Server
from curation.golden.kinds import POLICY_FILE, Kind, version_number
from curation.golden.record import Commit

TAGS = "refs/tags/golden/"
_HEADS = "refs/heads/"
_NOTHING = re.compile(r"0+")
_TAG = re.compile(r"object ([0-9a-f]+)\ntype commit\ntag ([^\n]+)\n")
_WINDOW = 500
_MAKERS = frozenset({Kind.RELEASE, Kind.ROOT})


class Update(NamedTuple):
    """A reference that the push wants to move; None is nothing."""

    old: str | None
    new: str | None
    ref: str


class Problem(NamedTuple):
    """Why the push is refused: where, by which rule, in words."""

    where: str
    rule: str
    message: str


def read_updates(lines: Iterable[str]) -> list[Update]:
    """Return the updates that git writes to a pre-receive hook, one a line."""
    updates = []
    for line in lines:
        old, new, ref = line.rstrip("\n").split(" ", 2)
        updates.append(Update(_or_none(old), _or_none(new), ref))
    return updates


def _or_none(oid: str) -> str | None:
    return None if _NOTHING.fullmatch(oid) else oid


def judge_push(
    server: Server, updates: Sequence[Update], *, branch: str = "main"
) -> Iterator[Problem]:
    """Yield why a push is refused; nothing for a good one."""
    ref, updates = f"{_HEADS}{branch}", [*_behind_aliases(server, updates)]
    tip: str | None = None
    tags = [update for update in updates if update.ref.startswith(TAGS)]
    for update in updates:
        if update.ref == ref:
            tip = update.new
            made: dict[str, str] = {}
            yield from _judge_branch(server, update, made)
            yield from _judge_releases(server, made, tags)
        elif update.new is not None and version_number(update.ref.removeprefix(_HEADS)):
            message = "a branch of that name would be taken for the version"
            yield Problem(update.ref, "version_tag", message)
        elif update.new is not None and update.ref == f"refs/tags/{branch}":
            message = "a tag of that name would be taken for the branch"
            yield Problem(update.ref, "version_tag", message)
    if tags:
        line = _line(server, ref, tip)
        for update in tags:
            yield from _judge_tag(server, update, line)


def _behind_aliases(server: Server, updates: Sequence[Update]) -> Iterator[Update]:
    """Yield the updates with the reference that is really moved: an alias moves another one."""
    aliases = server.aliases()
    for update in updates:
        ref = update.ref
        while ref in aliases:
            ref = aliases[ref]
        yield update._replace(ref=ref)


def _judge_branch(server: Server, update: Update, made: dict[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with the new commits; the versions they make go to `made`."""
    old, new, ref = update
    if new is None:
        yield Problem(ref, "branch_removed", "the branch of the golden set is never removed")
        return
    line = server.line_of(new, old)
    last = line[-1][1] if line else None
    if old is not None and (last != old if line else new != old):
        yield Problem(
            ref, "not_fast_forward", "the commits do not follow, by first parents, what is there"
        )
        return
    chain = server.chain_at(old)
    commits = server.log(new, old)
    for start in range(0, len(commits), _WINDOW):
        window = commits[start : start + _WINDOW]
        yield from _judge_commits(server, chain, window, made)


def _judge_releases(
    server: Server, made: dict[str, str], tags: Sequence[Update]
) -> Iterator[Problem]:
    """Yield which new versions would be without their tag; where a tag is, is judged by itself."""
    pushed = {update.ref for update in tags if update.new is not None}
    for version, commit in made.items():
        ref = f"refs/tags/{version}"
        if ref not in pushed and server.commit_at(ref) != commit:
            message = f"it makes {version} and comes without its tag: push both at once, with"
            yield Problem(commit, "version_tag", f"{message} `git push --follow-tags`")


def _judge_commits(
    server: Server, chain: Chain, commits: list[Commit], made: dict[str, str]
) -> Iterator[Problem]:
    cases = [t.new for c in commits for t in c.touched if case_id_of(t.path)]
    contents = server.contents(list(dict.fromkeys([*needed_blobs(commits), *cases])))
    for commit in commits:
        judged = chain.take(commit, contents.get)
        if judged is not None:
            yield from (Problem(commit.oid, rule, message) for rule, message in judged.rulings)
            yield from _judge_form(commit, contents)
            version = commit.trailer("Release")
            if version is not None and judged.kind in _MAKERS:
                made[version] = commit.oid


def _judge_form(commit: Commit, contents: dict[str, bytes | None]) -> Iterator[Problem]:
    for touched in commit.touched:
        if touched.path == POLICY_FILE:
            text = (contents.get(touched.new) or b"").decode("utf-8", "replace")
            if read_rulebook(text) is None:
                message = f"{POLICY_FILE} does not say how many must approve in a way that is read"
                yield Problem(commit.oid, "policy", message)
        if not touched.path.startswith("cases/") or _NOTHING.fullmatch(touched.new_mode):
            continue
        if case_id_of(touched.path) is None:
            yield Problem(commit.oid, "case_place", f"{touched.path} is no place of a case")
            continue
        data = contents.get(touched.new)
        problem = form_problem(touched.path, data) if data is not None else "it is no file"
        if problem is not None:
            yield Problem(commit.oid, "case_form", f"{touched.path}: {problem}")


def _line(server: Server, ref: str, tip: str | None) -> frozenset[str]:
    """Return the first-parent commits of the branch, as they will be after the push."""
    if tip is None:
        tip = server.text("for-each-ref", "--format=%(objectname)", ref) or None
    return frozenset(commit for commit, _ in server.line_of(tip, None)) if tip else frozenset()


def _judge_tag(server: Server, update: Update, line: frozenset[str]) -> Iterator[Problem]:
    old, new, ref = update
    version = ref.removeprefix("refs/tags/")
    if old is not None or new is None:
        yield Problem(ref, "version_tag", "a version is never moved or removed")
        return
    if version_number(version) is None:
        yield Problem(ref, "version_tag", f"{version} is no name of a version")
        return
    if server.text("cat-file", "-t", new) != "tag":
        yield Problem(ref, "version_tag", f"{version} is not an annotated tag")
        return
    found = _TAG.match(server.git("cat-file", "tag", new).decode("utf-8", "replace"))
    if found is None or found[2] != version:
        yield Problem(ref, "version_tag", f"{version} says inside that it is something else")
    elif found[1] not in line or server.release_of(found[1]) != version_number(version):
        yield Problem(ref, "version_tag", f"{version} is not on the commit that makes it")


def run(lines: Iterable[str], out: TextIO, *, branch: str, prefix: str) -> int:
    """Judge the push that git hands in; write why it is refused and return the exit status."""
    try:
        problems = list(judge_push(Server(prefix), read_updates(lines), branch=branch))
    except (GitProblemError, ValueError) as wrong:
        out.write(f"The push was refused, because it could not be judged: {wrong}.\n")
        return 1
    if not problems:
        return 0
    out.write("The push was refused; nothing of it was taken.\n")
    out.writelines(f"  {_shown(problem)}\n" for problem in problems)
    out.write(
        "What a case says is not judged here: `curation golden audit` on a clone does that.\n"
    )
    return 1


def _shown(problem: Problem) -> str:
    where = problem.where if problem.where.startswith("refs/") else problem.where[:12]
    text = f"{where} {problem.rule}: {problem.message}"
    return "".join(char if char.isprintable() else "?" for char in text)


def main(*, branch: str, prefix: str) -> int:
    """Run as git's pre-receive hook."""
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    return run(sys.stdin, sys.stderr, branch=branch, prefix=prefix)
