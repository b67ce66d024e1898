"""The hook and the audit judge a history alike, but for what the hook leaves to the audit."""

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.codec import case_path, dumps
from curation.domain.case import Case
from curation.domain.experiment import Decision
from curation.errors import CurationError
from curation.golden import (
    Closing,
    Location,
    Opening,
    audit,
    close_experiment,
    open_experiment,
    open_experiments,
)
from curation.golden.hook.case_form import CASE, FORBIDDEN, Keys, form_problem
from curation.golden.hook.receive import Update, judge_push
from curation.golden.hook.server import Server
from tests.golden.conftest import MIA, Desk, git, make_case
from tests.golden.forging import Files, forge
from tests.golden.pushing import added, begin_remote, case_text, commit

# What only the audit looks at: what cases and experiments say, and what is built of them.
CONTENT = {
    "case_rules",
    "policy",
    "built_files",
    "self_approved_share",
    "baseline",
    "experiment_form",
    "experiment_pins",
}
Act = Callable[[Desk, int], None]


def _publish(desk: Desk, number: int) -> None:
    desk.publish(desk.add(f"q-9{number}"))


def _open(desk: Desk, number: int) -> None:
    opening = Opening(component="chunker", hypothesis=f"Idea {number}.")
    open_experiment(desk.location, opening, person=MIA, now=desk.tick())


def _void(desk: Desk, _number: int) -> None:
    void = Closing(decision=Decision.VOID, why="Enough.")
    for experiment in open_experiments(desk.location):
        close_experiment(desk.location, experiment.id, void, person=MIA, now=desk.tick())


def _case(desk: Desk, case_id: str, text: str, message: str) -> None:
    commit(desk, message, {case_path(case_id): text})


def _good(desk: Desk, number: int) -> None:
    _case(desk, f"q-8{number}", case_text(f"q-8{number}"), added(f"q-8{number}"))


def _unapproved(desk: Desk, number: int) -> None:
    name = f"q-7{number}"
    _case(desk, name, case_text(name), added(name, by="By Stander <by@example.org>"))


def _unknown(desk: Desk, number: int) -> None:
    _case(desk, f"q-6{number}", case_text(f"q-6{number}"), "Slip this in")


def _compact(desk: Desk, number: int) -> None:
    name = f"q-5{number}"
    _case(desk, name, json.dumps(json.loads(case_text(name))) + "\n", added(name))


def _strange_key(desk: Desk, number: int) -> None:
    name = f"q-4{number}"
    table = {**json.loads(case_text(name)), "colour": "red"}
    _case(desk, name, json.dumps(table, indent=2) + "\n", added(name))


def _removed(desk: Desk, _number: int) -> None:
    commit(desk, added("q-0001"), {case_path("q-0001"): None})


def _two_files(desk: Desk, number: int) -> None:
    names = (f"q-3{number}", f"q-2{number}")
    commit(desk, added(names[0]), {case_path(name): case_text(name) for name in names})


def _readme(desk: Desk, number: int) -> None:
    commit(desk, "Explain", {"README.md": f"{number}\n"})


def _policy(desk: Desk, number: int) -> None:
    text = desk.git("show", "main:golden.toml").replace("approvals = 1", "approvals = 2")
    message = (
        f"Change the policy\n\n Two people.\n\nChange: policy\nChange-Id: p{number}\n"
        "Reviewed-by: Ana Ruiz <ana@example.org>\n"
    )
    commit(desk, message, {"golden.toml": text + f"\n# {number}\n"})


def _reopened(desk: Desk, _number: int) -> None:
    name = "experiments/exp-001.json"
    text = desk.git("show", f"main:{name}").replace('"closed"', '"open"') + "\n"
    message = "Again\n\nExperiment: exp-001\nExperiment-State: open\n"
    commit(desk, message, {name: text})


def _promoted(desk: Desk, _number: int) -> None:
    name = open_experiments(desk.location)[0].id if open_experiments(desk.location) else "exp-001"
    text = desk.git("show", f"main:experiments/{name}.json")
    closed = {**json.loads(text), "state": "closed", "decision": "promote"}
    files = {
        f"experiments/{name}.json": json.dumps(closed, indent=2) + "\n",
        "experiments/baseline.json": "{}\n",
    }
    commit(desk, f"Promote\n\nExperiment: {name}\nExperiment-State: closed\n", dict(files))


def _merged(desk: Desk, number: int) -> None:
    desk.git("checkout", "-q", "-b", f"side-{number}", "main")
    commit(desk, added(f"q-1{number}"), {case_path(f"q-1{number}"): case_text(f"q-1{number}")})
    desk.git("checkout", "-q", "main")
    desk.git("merge", "-q", "--no-ff", "-m", "Merge", f"side-{number}")


def _fake_release(desk: Desk, number: int) -> None:
    commit(desk, f"Release\n\nRelease: golden/v{number + 5}\n", {"golden.jsonl": "{}\n"})


def _untagged(desk: Desk, number: int) -> None:
    """Publish, and lose the tag."""
    made = desk.publish(desk.add(f"q-9{number}")).version
    assert made is not None
    desk.git("tag", "-d", made)


def _misplaced(desk: Desk, number: int) -> None:
    """Tag a commit that makes no version."""
    desk.git("tag", "-a", "-m", "x", f"golden/v{number + 70}", "main")


def _lightly(desk: Desk, number: int) -> None:
    """Publish, and put a plain reference where the annotated tag was."""
    made = desk.publish(desk.add(f"q-9{number}")).version
    assert made is not None
    desk.git("tag", "-f", made, "main")


def _unnamed(desk: Desk, number: int) -> None:
    """Tag what is no version."""
    desk.git("tag", "-a", "-m", "x", f"golden/try-{number}", "main")


def _nobody(desk: Desk, number: int) -> None:
    name = f"q-a{number}"
    files: Files = {case_path(name): ("100644", case_text(name).encode())}
    forge(desk.location.path, added(name), files, author=b"Ana Ruiz < ana@example.org>")


def _odd_case(desk: Desk, number: int) -> None:
    commit(desk, "Explain", {f"Cases/{number}.json": "{}\n"})


def _twice(desk: Desk, number: int) -> None:
    name = f"q-b{number}"
    _case(desk, name, case_text(name), added(name, extra="change: retire\n"))


def _experiment_and_more(desk: Desk, number: int) -> None:
    experiments = desk.git("ls-tree", "--name-only", "main", "experiments/").count("exp-")
    name = f"exp-{experiments + 1:03d}"
    message = f"Open\n\nExperiment: {name}\nExperiment-State: open\nRelease: golden/v{number}\n"
    commit(desk, message, {f"experiments/{name}.json": '{"state": "open"}'})


def _claims(desk: Desk, number: int) -> None:
    commit(desk, f"Explain\n\nchange-id: c{number}\n", {"README.md": f"c {number}\n"})


def _versions(desk: Desk) -> list[str]:
    return desk.git("tag", "--list", "golden/*", "--sort=v:refname").split()


ACTS: tuple[Act, ...] = (
    _publish,
    _open,
    _void,
    _good,
    _unapproved,
    _unknown,
    _compact,
    _strange_key,
    _removed,
    _two_files,
    _readme,
    _policy,
    _reopened,
    _promoted,
    _merged,
    _fake_release,
    _untagged,
    _misplaced,
    _lightly,
    _unnamed,
    _nobody,
    _odd_case,
    _twice,
    _experiment_and_more,
    _claims,
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a golden repository at golden/v2."""
    return begin_remote(tmp_path_factory.mktemp("begun"))


@dataclass
class Ruled:
    """What the hook and the audit say of the commits after golden/v2: commit and rule."""

    hook: set[tuple[str, str]]
    audit: set[tuple[str, str]]


def judged(begun: Path, folder: Path, acts: Sequence[Act]) -> Ruled:
    """Do the acts one after the other on a copy, and let both judge what came of it."""
    shutil.copytree(begun / "golden", folder / "golden", symlinks=True)
    desk = Desk(Location.at(folder / "golden"), number=1)
    base = desk.git("rev-parse", "main")
    for number, act in enumerate(acts, start=1):
        desk.git("reset", "-q", "--hard", "main")
        # What the program refuses, or what there is nothing to do it to, is left out.
        with suppress(CurationError, AssertionError):
            act(desk, number)
    problems = judge_push(_before_the_push(desk, folder), _push(desk, base))
    report = audit(desk.location, since="golden/v2")
    return Ruled(
        hook={(_commit_of(desk, problem.where), problem.rule) for problem in problems},
        audit={(f.commit, f.rule) for f in report.findings if f.rule not in CONTENT},
    )


def _push(desk: Desk, base: str) -> list[Update]:
    """Everything that a push of the branch and all tags would move."""
    tags = [name for name in _versions(desk) if name not in {"golden/v1", "golden/v2"}]
    moved = [(desk.git("rev-parse", name), f"refs/tags/{name}") for name in tags]
    branch = Update(base, desk.git("rev-parse", "main"), "refs/heads/main")
    return [branch, *(Update(None, new, ref) for new, ref in moved)]


def _before_the_push(desk: Desk, folder: Path) -> Server:
    """The repository as a server has it: the objects are there, the references are not."""
    bare = folder / "server.git"
    git(folder, "clone", "-q", "--bare", "--shared", str(desk.location.path), str(bare))
    for name in git(bare, "tag", "--list", "golden/*").split():
        if name not in {"golden/v1", "golden/v2"}:
            git(bare, "tag", "-d", name)
    return Server(folder=str(bare))


def _commit_of(desk: Desk, where: str) -> str:
    """The commit that a problem is about, which may be told by its tag."""
    return desk.git("rev-parse", f"{where}^{{commit}}")


@pytest.mark.slow
@given(acts=st.lists(st.sampled_from(ACTS), min_size=1, max_size=5))
@settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_the_hook_finds_what_the_audit_finds(
    begun: Path, tmp_path_factory: pytest.TempPathFactory, acts: list[Act]
) -> None:
    ruled = judged(begun, tmp_path_factory.mktemp("acts"), acts)
    assert ruled.hook == ruled.audit, [act.__name__ for act in acts]


@pytest.mark.parametrize(
    ("acts", "rules"),
    [
        ([_publish, _readme, _good, _open], set()),
        ([_unapproved], {"own_approval", "approvals"}),
        ([_unknown], {"unknown_kind"}),
        ([_compact], {"case_form"}),
        ([_strange_key], {"case_form"}),
        ([_removed], {"case_removed", "wrong_change"}),
        ([_two_files], {"wrong_path"}),
        ([_policy, _good], {"approvals"}),
        ([_open, _void, _good], set()),
        ([_open, _good], {"frozen"}),
        ([_open, _promoted], {"gate"}),
        ([_merged], {"merge", "unknown_kind"}),
        ([_fake_release], {"version_order", "version_tag"}),
        ([_untagged], {"version_tag"}),
        ([_untagged, _publish], {"version_tag"}),
        ([_misplaced], {"version_tag"}),
        ([_lightly], {"version_tag"}),
        ([_unnamed, _publish], {"version_tag"}),
        ([_nobody], {"author"}),
        ([_odd_case], {"unknown_kind"}),
        ([_twice], {"trailer"}),
        ([_experiment_and_more], {"trailer"}),
        ([_claims, _publish], set()),
    ],
)
def test_both_find_each_kind_of_bad_commit(
    begun: Path, tmp_path: Path, acts: list[Act], rules: set[str]
) -> None:
    ruled = judged(begun, tmp_path, acts)
    assert {rule for _, rule in ruled.hook} == {rule for _, rule in ruled.audit} == rules


def _keys_of(model: type) -> Keys:
    """The keys of a pydantic model as the hook's table writes them."""
    schema = model.model_json_schema(by_alias=True)  # type: ignore[attr-defined]
    return _object(schema, schema.get("$defs", {}))


def _object(schema: dict[str, object], defs: dict[str, dict[str, object]]) -> Keys:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return {name: _kind(field, defs) for name, field in properties.items()}


def _kind(field: dict[str, object], defs: dict[str, dict[str, object]]) -> object:
    options = field.get("anyOf") or field.get("allOf") or [field]
    assert isinstance(options, list)
    for option in options:
        if "$ref" in option:
            target = defs[str(option["$ref"]).rpartition("/")[2]]
            return _object(target, defs) if "properties" in target else "value"
        if option.get("type") == "array":
            kind = _kind(option["items"], defs)
            return "values" if kind == "value" else [kind]
    return "value"


def test_the_keys_of_the_hook_are_those_of_a_case() -> None:
    expected = _keys_of(Case)
    assert expected == CASE
    assert list(expected) == list(CASE)
    written = json.loads(dumps(_forbidding()))["facts"]["forbidden"][0]
    assert list(FORBIDDEN) == list(written)


def _forbidding() -> Case:
    forbidden = [{"id": "f9", "text": "31 s"}]
    return Case.model_validate(
        {**make_case("q-1x").model_dump(by_alias=True), "facts": {"forbidden": forbidden}}
    )


@given(text=st.text(max_size=40), weight=st.sampled_from([1, 0.5, 1e-05, 0.1, 99.999, 3]))
@settings(max_examples=200, deadline=None)
def test_what_the_codec_writes_has_a_good_form(text: str, weight: float) -> None:
    if any("\ud800" <= char <= "\udfff" for char in text):
        return
    case = make_case("q-0001", question=text, notes=text, weight=weight)
    assert form_problem(case_path("q-0001"), dumps(case)) is None
