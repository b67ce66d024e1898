"""What commits by hand say of their day, where no calendar has it."""

from datetime import UTC

from curation.domain.diff import diff_cases
from curation.domain.person import Person
from curation.golden import CaseEvent, VersionInfo
from curation.ui.golden_view import event_line
from curation.ui.history_view import draw_versions
from curation.ui.tree import words
from tests.golden.desk import make_case

MIA = Person(name="Mia Kim", email="mia@example.org")


def test_an_event_and_a_version_of_no_day_say_so() -> None:
    event = CaseEvent(
        commit="c" * 40,
        version="golden/v3",
        change="edit",
        author=MIA,
        approvers=(),
        committer=MIA,
        date=None,
        reason="",
        answer_id=None,
        failure=None,
        diff=diff_cases(None, make_case("q-0001")),
    )
    version = VersionInfo(
        version="golden/v3", commit="c" * 40, date=None, cases=1, changes=1, released_by=MIA
    )
    assert event_line(event, UTC).startswith("golden/v3 · no date · Edit")
    assert "golden/v3 · no date" in words(draw_versions([version], "", UTC))
