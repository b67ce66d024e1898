"""What an insider would try: the hook refuses it, the audit finds it, and neither falls over."""

from pathlib import Path

import pytest

from tests.golden.forging import begun, edited, forge, one, ruled
from tests.golden.line import Line


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return begun(tmp_path)


def test_a_good_edit_is_good(line: Line) -> None:
    forge(line.path, edited(), one())
    assert ruled(line) == (set(), set())


def test_a_number_of_an_experiment_that_no_machine_counts_to(line: Line) -> None:
    forge(line.path, f"Open\n\nExperiment: exp-{'9' * 5000}\nExperiment-State: open\n")
    assert ruled(line) == ({"experiment_order"}, {"experiment_order", "experiment_form"})


@pytest.mark.parametrize(
    "address",
    ["", " mia@example.org", "mia @example.org", "mia\u200b@example.org", "m\u00adia@x.org"],
)
def test_an_author_whose_address_is_nobodys_is_not_somebody_elses_author(
    line: Line, address: str
) -> None:
    own = edited(reviewed="Reviewed-by: Mia Kim <mia@example.org>")
    forge(line.path, own, one(), author=f"Mia Kim <{address}>".encode())
    assert ruled(line) == ({"author"}, {"author"})


def test_an_approver_whose_address_has_a_sign_that_nobody_sees_is_nobody(line: Line) -> None:
    forge(line.path, edited(reviewed="Reviewed-by: Mia <mia\u200d@example.org>"), one())
    assert ruled(line) == ({"trailer", "approvals"}, {"trailer", "approvals"})
