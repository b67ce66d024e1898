"""What a case guards alone, and what another one still guards beside it."""

import pytest

from curation.domain.case import Answerable
from curation.domain.guard import guards_alone

YES, NO = Answerable.ANSWERABLE, Answerable.UNANSWERABLE


@pytest.mark.parametrize(
    ("slice_", "answerable", "others", "what"),
    [
        ("billing", YES, [("policy", YES)], "the last case of the protected slice billing"),
        ("billing", YES, [("billing", YES)], None),
        ("policy", YES, [], None),
        ("policy", NO, [("policy", YES)], "the last unanswerable case"),
        ("policy", NO, [("billing", NO)], None),
        ("billing", NO, [], "the last case of the protected slice billing"),
    ],
)
def test_the_last_one_of_its_kind_is_named(slice_, answerable, others, what):
    assert guards_alone(slice_, answerable, others, ("billing",)) == what
