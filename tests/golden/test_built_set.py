"""What a version builds is kept along while cases change, and read once from each blob."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.codec import case_id_of
from curation.codec.built import golden_jsonl, manifest
from curation.domain.case import Case, CaseStatus, Retired, RetireReason
from curation.golden import audit
from curation.golden.built_set import BuiltSet
from curation.golden.parsed import ParsedCase
from tests.golden.desk import Desk, make_case

TREE = "d" * 40
GONE = {"status": CaseStatus.RETIRED, "retired": Retired(reason=RetireReason.WRONG)}
CASES = st.builds(
    lambda number, slice_, weight, retired: make_case(
        f"q-{number:04d}", slice=slice_, weight=weight, **(GONE if retired else {})
    ),
    st.integers(1, 5),
    st.sampled_from(["general", "billing"]),
    st.sampled_from([1, 0.5, 3]),
    st.booleans(),
)
# What takes the place of a case: another state of it, or nothing.
STEPS = st.lists(st.tuples(CASES, st.booleans()), max_size=12)


def expected(cases: dict[str, Case]) -> tuple[bytes, bytes]:
    """What a build from nothing gives."""
    lines = golden_jsonl(cases.values())
    digest = hashlib.sha256(lines).hexdigest()
    listed = manifest(
        version="golden/v2", cases=cases.values(), golden_sha256=digest, cases_tree=TREE
    )
    return lines, listed


@given(STEPS, STEPS)
def test_what_is_kept_along_is_what_a_build_from_nothing_gives(
    first: list[tuple[Case, bool]], then: list[tuple[Case, bool]]
) -> None:
    cases = {case.id: case for case, _ in first}
    built = BuiltSet({name: ParsedCase(case) for name, case in cases.items()})
    for case, stays in then:
        before = cases.pop(case.id, None)
        if stays:
            cases[case.id] = case
        built.replace(
            case.id,
            ParsedCase(before) if before else None,
            ParsedCase(case) if stays else None,
        )
        files = dict(built.files("golden/v2", cases_tree=TREE))
        assert (files["golden.jsonl"], files["MANIFEST.json"]) == expected(cases)


def test_an_audit_parses_each_changed_blob_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.publish(*(desk.add(f"q-{n:04d}") for n in range(1, 6)))
    for word in ("one", "two"):
        desk.publish(*(desk.edit(f"q-{n:04d}", change={"notes": word}) for n in (1, 2)))
    changed = desk.git("log", "--first-parent", "--name-only", "--format=", "main").split()
    parsed: list[bytes] = []
    real = Case.model_validate_json

    def counted(data: bytes, **options: Any) -> Case:
        parsed.append(data)
        return real(data, **options)

    monkeypatch.setattr(Case, "model_validate_json", counted)
    assert audit(desk.location).findings == ()
    assert len(parsed) == sum(case_id_of(path) is not None for path in changed) == 9
    assert len(set(parsed)) == 9
