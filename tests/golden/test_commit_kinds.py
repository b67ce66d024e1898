"""Each row of the table of commits: what a kind is told by, may touch and must carry."""

from typing import Any

import pytest

from curation.golden.kinds import (
    Kind,
    Ruling,
    is_governed,
    is_import_source,
    is_policy_path,
    judge_kind,
    kind_of,
    version_number,
)
from curation.golden.record import Commit, Touched
from tests.golden.in_memory import CASE, OTHER, change, commit, touch

SOURCE = f"a b.jsonl sha256:{'0' * 64}"
POLICY, BASELINE = "golden.toml", "experiments/baseline.json"
FIRST, NUMBERS = "experiments/exp-001.json", "experiments/exp-001.cases.jsonl"


def whole(kind: str, *touched: Touched, **more: Any) -> Commit:
    """A change of the set as a whole."""
    return commit(*touched, Change=kind, Change_Id="one", **more)


def trial(*touched: Touched, name: str = "exp-001", state: str | None = "open") -> Commit:
    return commit(*touched, Experiment=name, Experiment_State=state)


@pytest.mark.parametrize(
    ("made", "begun", "kind"),
    [
        (change(), True, Kind.CHANGE),
        (change(Change="add"), True, Kind.CHANGE),
        (change(Change="retire"), True, Kind.CHANGE),
        (change(Change="restore"), True, Kind.CHANGE),
        (change(Change="Edit"), True, None),
        (change(Change=None), True, None),
        (whole("policy", touch(POLICY)), True, Kind.POLICY),
        (whole("import", touch(CASE, "A")), True, Kind.IMPORT),
        (whole("baseline", touch(BASELINE)), True, Kind.BASELINE),
        (commit(Release="golden/v3"), True, Kind.RELEASE),
        (trial(touch(FIRST, "A")), True, Kind.EXPERIMENT),
        (trial(touch(FIRST, "A"), name=""), True, Kind.EXPERIMENT),
        (commit(Experiment="exp-001", Release="golden/v3"), True, Kind.EXPERIMENT),
        (commit(Release="golden/v3", Change="edit"), True, Kind.RELEASE),
        (commit(), True, Kind.FREE),
        (commit(touch("README.md"), touch("/elsewhere/cases/x")), True, Kind.FREE),
        (commit(touch("README.md"), touch(CASE)), True, None),
        (commit(touch(POLICY, "A")), False, Kind.ROOT),
        (commit(touch("README.md"), touch(POLICY, "A"), Release="golden/v1"), False, Kind.ROOT),
        (commit(touch(POLICY, "A"), Release="golden/v1"), True, Kind.RELEASE),
        (commit(touch(POLICY, "M")), False, None),
        (commit(touch(CASE, "A")), False, None),
    ],
)
def test_a_commit_is_of_the_kind_that_it_says(made: Commit, begun: bool, kind: Kind | None) -> None:
    assert kind_of(made, begun=begun) is kind


@pytest.mark.parametrize(
    "path",
    [
        *("cases/x", "schema/deep/x.json", "experiments/notes.md", "cases", "schema"),
        *("experiments", "golden.jsonl", "MANIFEST.json", POLICY, ".mailmap", "/.mailmap"),
        ".gitattributes",
    ],
)
def test_what_the_table_governs(path: str) -> None:
    assert is_governed(path)


@pytest.mark.parametrize(
    "path", ["README.md", "Case/x", "casesx", "x/golden.toml", "/golden.toml", "ci/cases/x", ""]
)
def test_what_anybody_may_change(path: str) -> None:
    assert not is_governed(path)
    assert not is_policy_path(path)


def test_a_policy_writes_its_own_files_and_the_schemas_beside_them() -> None:
    assert is_policy_path("schema/case-v1.json")
    assert not is_policy_path("schema/deep/x.json")
    assert not is_policy_path("schema/.hidden")
    assert not is_policy_path("golden.jsonl")


def test_a_version_is_numbered_from_one_without_zeros_in_front() -> None:
    assert version_number("golden/v1") == 1
    assert version_number("golden/v1234") == 1234
    for name in (None, "", "golden/v0", "golden/v01", "golden/v1x", "v1", "golden/v1\n"):
        assert version_number(name) is None


def test_an_import_names_a_file_and_its_sum() -> None:
    assert is_import_source(SOURCE)
    for text in ("", "a.jsonl", f"a.jsonl sha256:{'0' * 63}", f" sha256:{'0' * 64}"):
        assert not is_import_source(text)


KEPT: list[tuple[Kind, Commit]] = [
    (Kind.CHANGE, change()),
    (Kind.CHANGE, change(touch(CASE, "A"), Change="add", Base_Blob="none")),
    (Kind.POLICY, whole("policy", touch(POLICY), touch("schema/case-v1.json", "D"))),
    (Kind.IMPORT, whole("import", touch(CASE, "A"), touch(OTHER, "A"), Import=SOURCE)),
    (Kind.RELEASE, commit(touch("golden.jsonl"), touch("MANIFEST.json"), Release="golden/v3")),
    (Kind.EXPERIMENT, trial(touch(FIRST, "A"))),
    (Kind.EXPERIMENT, trial(touch(FIRST), touch(NUMBERS, "A"), touch(BASELINE), state="closed")),
    (Kind.BASELINE, whole("baseline", touch(BASELINE))),
    (Kind.ROOT, commit(touch(POLICY, "A"), Release="golden/v1")),
    (Kind.FREE, commit(touch("README.md"), touch("run.sh", mode="100755"))),
]


@pytest.mark.parametrize(("kind", "made"), KEPT)
def test_what_keeps_the_rules_of_its_kind(kind: Kind, made: Commit) -> None:
    assert list(judge_kind(made, kind)) == []


NO_REASON = Ruling("no_reason", "it gives no reason")
NO_CHANGE_ID = Ruling("trailer", "it does not carry exactly one Change-Id")


@pytest.mark.parametrize("kind", [Kind.CHANGE, Kind.POLICY, Kind.IMPORT, Kind.BASELINE])
def test_what_is_approved_gives_a_reason_and_one_change_id(kind: Kind) -> None:
    made = dict(KEPT)[kind]
    bare = made._replace(message="By hand\n\nChange: x\n")
    assert list(judge_kind(bare, kind)) == [NO_REASON]
    none = tuple(pair for pair in made.trailers if pair[0] != "Change-Id")
    assert list(judge_kind(made._replace(trailers=none), kind)) == [NO_CHANGE_ID]
    two = (*made.trailers, ("Change-Id", "two"))
    assert list(judge_kind(made._replace(trailers=two), kind)) == [NO_CHANGE_ID]


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        (Kind.POLICY, "policy"),
        (Kind.IMPORT, "import"),
        (Kind.RELEASE, "release"),
        (Kind.EXPERIMENT, "experiment"),
        (Kind.BASELINE, "baseline"),
    ],
)
def test_what_a_kind_may_not_touch_is_named(kind: Kind, allowed: str) -> None:
    made = next(made for its, made in KEPT if its is kind)
    stray = made._replace(touched=(*made.touched, touch("README.md", "A")))
    message = f"a commit of kind {allowed} may not touch README.md"
    assert list(judge_kind(stray, kind)) == [Ruling("wrong_path", message)]


def wrong(rule: str, message: str) -> tuple[Ruling, ...]:
    return (Ruling(rule, message),)


BASE = wrong("base_blob", "its Base-Blob is not the blob that it changes")
BROKEN: list[tuple[Kind, Commit, tuple[Ruling, ...]]] = [
    (
        Kind.CHANGE,
        change(Case=None),
        wrong("trailer", "it does not carry the trailer Case")
        + wrong("wrong_path", f"{CASE} is not the file of case None"),
    ),
    (
        Kind.CHANGE,
        change(Case="q-0002"),
        wrong("wrong_path", f"{CASE} is not the file of case q-0002"),
    ),
    (
        Kind.CHANGE,
        change(touch("cases/00/q-0001.json")),
        wrong("wrong_path", "cases/00/q-0001.json is not the file of case q-0001"),
    ),
    (
        Kind.CHANGE,
        change(touch("README.md"), Case=None),
        wrong("trailer", "it does not carry the trailer Case")
        + wrong("wrong_path", "README.md is not the file of case None"),
    ),
    (
        Kind.CHANGE,
        change(touch(CASE), touch(OTHER)),
        wrong("wrong_path", "a change touches one case, this touches 2"),
    ),
    (
        Kind.CHANGE,
        commit(Case="q-0001", Change="edit", Change_Id="one"),
        wrong("wrong_path", "a change touches one case, this touches 0"),
    ),
    (
        Kind.CHANGE,
        change(Change="add", Base_Blob="none"),
        wrong("wrong_change", "it says add, and the file's status is M"),
    ),
    (
        Kind.CHANGE,
        change(touch(CASE, "D")),
        wrong("wrong_change", "it says edit, and the file's status is D"),
    ),
    (Kind.CHANGE, change(Base_Blob="b" * 40), BASE),
    (Kind.CHANGE, change(Base_Blob="none"), BASE),
    (Kind.CHANGE, change(touch(CASE, "A"), Change="add"), BASE),
    (
        Kind.POLICY,
        whole("policy", touch("schema/x.json", "D"), touch(POLICY, "D")),
        wrong("wrong_change", "it takes golden.toml away"),
    ),
    (
        Kind.IMPORT,
        whole("import", touch(CASE, "A"), Import=None),
        wrong("trailer", "it does not carry Import with a file and its sha256"),
    ),
    (
        Kind.IMPORT,
        whole("import", touch(CASE, "A"), touch(OTHER), Import=SOURCE),
        wrong("wrong_change", f"an import only adds, and {OTHER} was there"),
    ),
    (
        Kind.RELEASE,
        commit(Release="golden/vX"),
        wrong("trailer", "'golden/vX' names no version"),
    ),
    (Kind.EXPERIMENT, trial(name="one"), wrong("trailer", "'one' names no experiment")),
    (Kind.EXPERIMENT, commit(Experiment_State="open"), wrong("trailer", "'' names no experiment")),
    (
        Kind.EXPERIMENT,
        trial(touch(FIRST), state="paused"),
        wrong("trailer", "it does not carry Experiment-State open or closed"),
    ),
    (
        Kind.EXPERIMENT,
        trial(touch(NUMBERS, "D")),
        wrong("wrong_change", f"it takes {NUMBERS} away"),
    ),
    (
        Kind.ROOT,
        commit(touch(POLICY, "A"), Release="golden/v2"),
        wrong("trailer", "the root does not carry Release: golden/v1"),
    ),
    (
        Kind.ROOT,
        commit(touch(POLICY, "A")),
        wrong("trailer", "the root does not carry Release: golden/v1"),
    ),
    (
        Kind.CHANGE,
        change(touch(CASE, mode="120000")),
        wrong("mode", f"{CASE} is no ordinary file (120000)"),
    ),
    (
        Kind.FREE,
        commit(touch("schema/run.sh", "D"), touch("cases", mode="160000")),
        wrong("mode", "cases is no ordinary file (160000)"),
    ),
]


@pytest.mark.parametrize(("kind", "made", "rulings"), BROKEN)
def test_what_breaks_the_rules_of_its_kind_is_said(
    kind: Kind, made: Commit, rulings: tuple[Ruling, ...]
) -> None:
    assert tuple(judge_kind(made, kind)) == rulings
