"""Keeping a long history quick, and a work tree up to date, without touching what is there."""

from curation.golden import audit, case_history, maintain
from tests.golden.desk import Desk


def test_maintenance_indexes_the_history_and_changes_nothing(desk: Desk) -> None:
    desk.publish(desk.add("q-0001"), desk.add("q-0002"))
    desk.publish(desk.edit("q-0001", change={"notes": "n"}))
    before = desk.git("for-each-ref")
    maintain(desk.location)
    assert (desk.location.path / ".git" / "objects" / "info" / "commit-graph").is_file()
    assert desk.git("for-each-ref") == before
    assert [event.change for event in case_history(desk.location, "q-0001")] == ["edit", "add"]
    desk.publish(desk.add("q-0003"))
    assert audit(desk.location).findings == ()
