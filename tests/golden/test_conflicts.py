"""What cannot go out comes back with its reason, and the rest goes out all the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.codec import case_path, dumps
from curation.domain.case import Answerable, CaseStatus, Facts, Retired, RetireReason
from curation.domain.change import ChangeKind
from curation.domain.person import Person
from curation.golden import ApprovedChange, ConflictReason, read_version
from tests.golden.desk import ANA, MIA, ROB, Desk, make_case

POLICY = (Path(__file__).parents[2] / "golden_repo" / "golden.toml").read_text()
UNANSWERABLE = make_case("q-0007", answerable=Answerable.UNANSWERABLE, facts=Facts(), evidence=())


def retired(case_id: str, **fields: Any) -> Any:
    gone = Retired(reason=RetireReason.WRONG, superseded_by=fields.pop("superseded_by", None))
    return make_case(case_id, status=CaseStatus.RETIRED, retired=gone, **fields)


def refused(desk: Desk, change: ApprovedChange) -> tuple[ConflictReason, str]:
    """Publish the change beside a good one and return why it did not go out."""
    good = desk.add("q-0999")
    done = desk.publish(change, good)
    assert [item.change_id for item in done.published] == [good.change.id]
    (conflict,) = done.conflicts
    assert conflict.change_id == change.change.id
    return conflict.reason, conflict.message


def test_a_case_that_changed_underneath_is_a_conflict_and_never_overwritten(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    mine = desk.edit("q-0001", change={"notes": "mine"})
    desk.publish(desk.edit("q-0001", change={"notes": "theirs"}))
    theirs = read_version(desk.location).blobs["q-0001"]
    done = desk.publish(mine)
    (conflict,) = done.conflicts
    assert (conflict.reason, conflict.theirs) == (ConflictReason.CHANGED_UNDERNEATH, theirs)
    assert (done.version, done.published) == (None, ())
    assert read_version(desk.location).cases["q-0001"].notes == "theirs"


def test_of_two_edits_of_one_case_in_a_batch_the_first_goes_out(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    one = desk.edit("q-0001", change={"notes": "one"})
    two = desk.edit("q-0001", change={"notes": "two"})
    done = desk.publish(one, two)
    assert [item.change_id for item in done.published] == [one.change.id]
    assert [c.reason for c in done.conflicts] == [ConflictReason.CHANGED_UNDERNEATH]


def test_an_id_that_is_taken_is_a_conflict(desk: Desk) -> None:
    one, two = desk.add("q-0001"), desk.add(make_case("q-0001", notes="another"))
    done = desk.publish(one, two)
    assert [c.reason for c in done.conflicts] == [ConflictReason.ID_TAKEN]
    assert refused(desk, two)[0] is ConflictReason.ID_TAKEN


def test_the_id_of_a_retired_case_is_taken_too(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    desk.publish(desk.of_case(ChangeKind.RETIRE, retired("q-0001")))
    assert refused(desk, desk.add("q-0001"))[0] is ConflictReason.ID_TAKEN


def test_an_import_with_a_taken_id_stays_out_as_a_whole(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    files = {case_path(i): dumps(make_case(i)).decode() for i in ("q-0001", "q-0002")}
    change = desk.change(ChangeKind.IMPORT, files, import_source=f"a sha256:{'0' * 64}")
    assert refused(desk, change) == (ConflictReason.ID_TAKEN, "q-0001 exists already")
    assert "q-0002" not in read_version(desk.location).cases


def test_an_edit_of_a_case_that_never_was_is_a_conflict(desk: Desk) -> None:
    change = desk.of_case(ChangeKind.EDIT, make_case("q-0001"), base="0" * 40)
    reason, message = refused(desk, change)
    assert (reason, message) == (
        ConflictReason.CHANGED_UNDERNEATH, "there is no case q-0001 any more",
    )  # fmt: skip


ALIAS = Person(name="M. Kim", email="Mia.Kim@Example.org")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"approvers": ()}, "1 person who did not write it and has 0"),
        ({"approvers": (MIA,)}, "has 0"),
        ({"approvers": (Person(name="Somebody", email="MIA@example.org"),)}, "has 0"),
        ({"approvers": (ANA,), "earlier_authors": (ANA,)}, "has 0"),
        ({"approvers": (ALIAS,)}, "has 0"),
    ],
)
def test_nobody_approves_what_they_have_a_part_in(
    desk: Desk, fields: dict[str, Any], words: str
) -> None:
    mailmap = "Mia Kim <mia@example.org> <mia.kim@example.org>\n"
    base = desk.git("rev-parse", "main:.mailmap")
    desk.publish(desk.change(ChangeKind.POLICY, {".mailmap": mailmap}, base=base, author=ROB))
    reason, message = refused(desk, desk.add("q-0001", **fields))
    assert reason is ConflictReason.NOT_APPROVED
    assert words in message


def test_the_policy_says_how_many_must_approve(desk: Desk) -> None:
    desk.publish(desk.policy(POLICY.replace("approvals = 1", "approvals = 2")))
    done = desk.publish(
        desk.add("q-0001", approvers=(ANA,)), desk.add("q-0002", approvers=(ANA, ROB))
    )
    assert [item.case_id for item in done.published] == ["q-0002"]
    assert [item.reason for item in done.conflicts] == [ConflictReason.NOT_APPROVED]


def test_a_policy_is_judged_by_the_one_it_replaces(desk: Desk) -> None:
    two = POLICY.replace("approvals = 1", "approvals = 2")
    desk.publish(desk.policy(two))
    loosen = desk.policy(POLICY, approvers=(ANA,))
    assert desk.publish(loosen).conflicts[0].reason is ConflictReason.NOT_APPROVED


def add_of(text: str, path: str = case_path("q-0001")) -> Callable[[Desk], ApprovedChange]:
    return lambda desk: desk.change(ChangeKind.ADD, {path: text}, case_id="q-0001")


def renamed(item: ApprovedChange, change_id: str) -> ApprovedChange:
    return replace(item, change=item.change.model_copy(update={"id": change_id}))


GOOD = dumps(make_case("q-0001")).decode()
INVALID: list[tuple[Callable[[Desk], ApprovedChange], str]] = [
    (add_of("{}"), "the field id is missing"),
    (add_of(GOOD, "cases/00/q-0001.json"), "cases/00/q-0001.json is not its place"),
    (add_of(GOOD, "../../x"), "../../x is not its place"),
    (add_of(GOOD.replace("\n", "\r\n")), "not in canonical form"),
    (add_of(GOOD.replace("q-0001", "q-0002"), case_path("q-0002")), "it writes the case q-0002"),
    (add_of(GOOD + "\ud800"), "half of a surrogate pair"),
    (lambda d: d.change(ChangeKind.ADD, {}, case_id="q-0001"), "it writes no file"),
    (
        lambda d: d.change(ChangeKind.ADD, {case_path("q-0001"): GOOD, "x": ""}, case_id="q-0001"),
        "it writes more than one case",
    ),
    (lambda d: d.add(make_case("q-0001", slice="nowhere")), "golden.toml has no slice 'nowhere'"),
    (lambda d: d.add(make_case("q-0001", question_type="riddle")), "no question type 'riddle'"),
    (lambda d: d.add(make_case("q-0001", reference=" ")), "the reference is empty"),
    (lambda d: d.add(make_case("q-0001", facts=Facts())), "the facts are missing"),
    (lambda d: d.add(make_case("q-0001", facts=Facts(), evidence=())), "the evidence is missing"),
    (lambda d: d.add(make_case("con")), "the id 'con'"),
    (lambda d: d.add(make_case("q-0001", category="x")), "only an unanswerable case"),
    (lambda d: d.edit("q-0002", change={"status": CaseStatus.RETIRED}), "retired without a reason"),
    (lambda d: d.of_case(ChangeKind.EDIT, retired("q-0002")), "an edit changes its status"),
    (lambda d: d.of_case(ChangeKind.RETIRE, make_case("q-0002")), "leaves it active"),
    (lambda d: d.of_case(ChangeKind.RESTORE, make_case("q-0002")), "it is active already"),
    (lambda d: d.of_case(ChangeKind.RESTORE, retired("q-0002")), "leaves it retired"),
    (
        lambda d: d.of_case(ChangeKind.RETIRE, retired("q-0002", weight=2)),
        "it changes weight as well",
    ),
    (
        lambda d: d.of_case(ChangeKind.RETIRE, retired("q-0002", superseded_by="q-0404")),
        "superseded by q-0404, which is no active case",
    ),
    (lambda d: d.of_case(ChangeKind.RETIRE, retired("q-0005", slice="billing")), "protected slice"),
    (lambda d: d.edit("q-0005", change={"slice": "general"}), "last case of the protected slice"),
    (
        lambda d: d.of_case(
            ChangeKind.RETIRE,
            UNANSWERABLE.model_copy(
                update={
                    "status": CaseStatus.RETIRED,
                    "retired": Retired(reason=RetireReason.WRONG),
                }
            ),
        ),
        "the last unanswerable case",
    ),
    (lambda d: d.policy("approvals = 0"), "approvals"),
    (lambda d: d.policy("approvals = "), "golden.toml is not a policy"),
    (lambda d: d.policy(POLICY), "q-0005 would be in a slice that it does not have"),
    (
        lambda d: d.policy("question_types = []\n[slices.billing]\n"),
        "q-0002, q-0005, q-0007 would be of a question type",
    ),
    (lambda d: d.change(ChangeKind.POLICY, {"README.md": "x"}), "is not a file of the policy"),
    (lambda d: d.change(ChangeKind.POLICY, {"schema/../x": ""}), "is not a file of the policy"),
    (lambda d: d.change(ChangeKind.POLICY, {"/.mailmap": ""}), "is not a file of the policy"),
    (lambda d: d.change(ChangeKind.BASELINE, {"experiments/exp-001.json": ""}), "may write exp"),
    (lambda d: d.add("q-0001", reason=" \n\u2028"), "it gives no reason"),
    (lambda d: d.change(ChangeKind.IMPORT, {case_path("q-0001"): GOOD}), "does not say its source"),
    (
        lambda d: d.change(ChangeKind.IMPORT, {case_path("q-0001"): GOOD}, import_source="a.jsonl"),
        "does not say its source",
    ),
    (lambda d: renamed(d.add("q-0001"), "a,b"), "'a,b' is no id of a change"),
    (lambda d: d.add("q-0001", author=Person(name="A\nB", email="a@b")), "does not name a person"),
    (lambda d: d.add("q-0001", author=Person(name=" A ", email="a@b")), "does not name a person"),
    (lambda d: d.add("q-0001", approvers=(Person(name="", email="a@b"),)), "not name a person"),
]


@pytest.mark.parametrize(("make", "words"), INVALID, ids=[words for _, words in INVALID])
def test_what_breaks_a_rule_stays_out(
    desk: Desk, make: Callable[[Desk], ApprovedChange], words: str
) -> None:
    desk.publish(
        desk.policy(POLICY + "\n[slices.billing]\nprotected = true\n"),
        desk.add("q-0002"),
        desk.add(make_case("q-0005", slice="billing")),
        desk.add(UNANSWERABLE),
    )
    reason, message = refused(desk, make(desk))
    assert reason is ConflictReason.INVALID
    assert words in message


def test_a_policy_that_changed_underneath_is_a_conflict(desk: Desk) -> None:
    mine = desk.policy(POLICY.replace("k = 5", "k = 6"))
    desk.publish(desk.policy(POLICY.replace("k = 5", "k = 7")))
    assert refused(desk, mine)[0] is ConflictReason.CHANGED_UNDERNEATH
    assert read_version(desk.location).policy.k == 7
