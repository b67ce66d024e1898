"""The starter: what it has, that it is current, and that its examples are right."""

import json
import re
from pathlib import Path

import pytest

from curation.codec import (
    case_schema,
    content_problems,
    dumps,
    form_problems,
    loads,
)
from curation.domain.case import Answerable, Case, FactRole
from curation.domain.policy import Policy, parse_policy
from curation.golden import audit, read_version, validate
from curation.golden.create import empty_manifest
from tests.golden.desk import Desk

STARTER = Path(__file__).parents[2] / "golden_repo"
EXAMPLES = sorted((STARTER / "examples").glob("*.json"))


def example(name: str) -> Case:
    return loads((STARTER / "examples" / name).read_bytes(), name)


def test_it_has_what_a_set_begins_with() -> None:
    files = {f.relative_to(STARTER).as_posix() for f in STARTER.rglob("*") if f.is_file()}
    assert {
        "golden.toml", "schema/case.schema.json", "README.md", ".gitattributes", ".mailmap",
        "golden.jsonl", "MANIFEST.json", "ci/audit.sh", "ci/gate.sh",
    } <= files  # fmt: skip
    assert not any(name.startswith(("cases/", "experiments/")) for name in files)
    assert (STARTER / ".gitattributes").read_text() == "* text eol=lf\ncases/** -filter\n"
    assert (STARTER / ".mailmap").read_bytes() == b""
    assert (STARTER / "golden.jsonl").read_bytes() == b""


def test_its_policy_says_the_defaults() -> None:
    assert parse_policy((STARTER / "golden.toml").read_text()) == Policy()


def test_what_its_policy_offers_in_comments_is_right_too() -> None:
    text = (STARTER / "golden.toml").read_text().replace("tolerance = 0.0\n", "", 1)
    offered = re.sub(r"(?m)^# (?=\[|[a-z0-9_]+ = )", "", text)
    policy = parse_policy(offered)
    assert policy.tolerance == {"recall@k": 0.0, "faithfulness": 0.005}
    assert (policy.max_self_approved, policy.protected) == (0.2, ("billing",))
    assert policy.category_of("handbook-travel") == "handbook"
    assert policy.components[-1] == "router"
    assert set(policy.gate) == {"ci", "deploy"}
    assert (policy.pytest, policy.coverage) == (
        {"criteria": ["answer", "abstention"]}, {"per_cell": 3},
    )  # fmt: skip


def test_its_schema_is_the_models() -> None:
    assert (STARTER / "schema" / "case.schema.json").read_bytes() == case_schema()


def test_its_manifest_counts_no_case() -> None:
    data = (STARTER / "MANIFEST.json").read_bytes()
    assert data == empty_manifest(like="0" * 40)
    assert json.loads(data)["cases_tree"] == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_each_example_is_a_good_case(file: Path) -> None:
    data = file.read_bytes()
    case = loads(data, file.name)
    assert dumps(case) == data
    assert form_problems(case) == ()
    assert content_problems(case, Policy()) == ()


def test_the_examples_show_three_things() -> None:
    assert len(EXAMPLES) == 3
    assert validate(STARTER / "examples").problems == ()
    mixed = example("version-mix-up.json")
    assert mixed.facts.forbidden[0].value_of == "3.9" != mixed.doc_version
    two = example("two-documents.json")
    assert len({item.doc_id for item in two.gold}) > 1
    assert [fact.role for fact in two.facts.required].count(FactRole.CONCLUSION) == 1
    none = example("unanswerable.json")
    assert (none.answerable, none.gold) == (Answerable.UNANSWERABLE, ())


def test_a_new_set_is_the_starter_and_proves_it(desk: Desk) -> None:
    golden = read_version(desk.location)
    assert (golden.version, golden.cases, golden.policy) == ("golden/v1", {}, Policy())
    assert golden.cases_tree == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    for file in STARTER.rglob("*"):
        if file.is_file():
            copied = desk.location.path / file.relative_to(STARTER)
            assert copied.read_bytes() == file.read_bytes(), file
    assert desk.git("log", "-1", "--format=%(trailers:only)").strip() == "Release: golden/v1"
    report = audit(desk.location)
    assert (report.findings, [n.kind for n in report.notices]) == ((), ["root"])
    assert validate(desk.location.path).lines == ["loaded 0 cases"]
