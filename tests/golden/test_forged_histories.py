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
