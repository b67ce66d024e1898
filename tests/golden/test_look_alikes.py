"""Who may be one person under two addresses is told, and nobody else."""

import pytest

from curation.golden.look_alike import look_alikes

MIA = "Mia Kim <mia.kim@example.org>"


@pytest.mark.parametrize(
    "approver",
    [
        "Mia Kim <mia@home.example>",
        "MIA  KIM <m@x.org>",
        "M. K. <mia.kim+2@example.org>",
        "M. K. <miakim@example.org>",
        "M. K. <m\u0456a.kim@example.org>",
        "M. K. <mia.kim@examp\u217ce.org>",
        "M. K. <\uff4dia.kim@example.org>",
        "M\u00eda Kim <m@x.org>",
    ],
)
def test_who_looks_like_the_writer_is_told(approver: str) -> None:
    told = f"{approver} approved what {MIA} wrote, and both look like one person"
    assert list(look_alikes([MIA], [approver])) == [told]
    assert list(look_alikes(["Ana Ruiz <ana@example.org>", MIA], [approver])) == [told]


@pytest.mark.parametrize(
    "approver",
    [
        "Ana Ruiz <ana@example.org>",
        "Mia Kimura <mia@example.org>",
        "M. K. <mia.kim@example.com>",
        "Kim Mia <kim.mia@example.org>",
        "Mia Kim <Mia.Kim@Example.org>",  # that is the same address, and a finding
        "",
        "nobody",
    ],
)
def test_who_does_not_is_not(approver: str) -> None:
    assert list(look_alikes([MIA], [approver])) == []


def test_names_without_a_letter_are_not_one_name() -> None:
    assert list(look_alikes(["- <a@x.org>"], [". <b@x.org>"])) == []
