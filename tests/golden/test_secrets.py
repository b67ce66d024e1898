"""No secret goes into a message or a provenance; one that is there already is told by the audit."""

import pytest

from curation.domain.case import Provenance
from curation.domain.change import ChangeKind
from curation.golden import audit
from curation.golden.outcome import ConflictReason
from tests.golden.desk import Desk, make_case

SECRET = "password: hunter2-Blue!9"


def test_a_secret_in_a_reason_is_not_published(desk: Desk) -> None:
    tip = desk.git("rev-parse", "main")
    bad = desk.of_case(ChangeKind.ADD, make_case("q-0001"), reason=f"Ask with {SECRET}.")
    outcome = desk.publish(bad, desk.add("q-0002"))
    assert [(c.reason, c.message) for c in outcome.conflicts] == [
        (ConflictReason.INVALID, "A password is in its message")
    ]
    assert len(outcome.published) == 1
    assert "hunter2" not in desk.git("log", "-p", f"{tip}..main")


@pytest.mark.parametrize("field", ["answer_id", "external_id", "signals"])
def test_a_secret_in_a_provenance_is_not_published(desk: Desk, field: str) -> None:
    value = (SECRET,) if field == "signals" else SECRET
    case = make_case("q-0001", provenance=Provenance.model_validate({field: value}))
    (conflict,) = desk.publish(desk.of_case(ChangeKind.ADD, case)).conflicts
    assert conflict.message.startswith("A password is in the provenance of cases/")


def test_a_mail_address_and_a_placeholder_are_no_secrets(desk: Desk) -> None:
    fine = desk.of_case(
        ChangeKind.ADD, make_case("q-0001"), reason="ana@example.org: set password=<your-password>."
    )
    assert desk.publish(fine).conflicts == ()


def test_a_secret_that_got_in_by_hand_is_noticed(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"))
    assert "secret" not in {notice.kind for notice in audit(desk.location).notices}
    tree, tip = desk.git("rev-parse", "main^{tree}"), desk.git("rev-parse", "main")
    oid = desk.git("commit-tree", tree, "-p", tip, "-m", f"By hand, {SECRET}")
    desk.git("update-ref", "refs/heads/main", oid)
    (notice,) = [n for n in audit(desk.location).notices if n.kind == "secret"]
    assert (notice.commit, "hunter2" in notice.message) == (oid, False)
    assert notice.message.startswith("A password is in its message")
