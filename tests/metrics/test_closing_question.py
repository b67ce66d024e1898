"""What mutants showed that no example held: closing questions, reasons, the bounds of a rank."""

import pytest

from curation.domain.case import Case, Fact, Facts, ForbiddenFact
from curation.metrics.abstention import outcome_of
from curation.metrics.latency import nearest_rank
from curation.metrics.lookup import look_up
from curation.metrics.verdict import judge_answer


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("The timeout is 60 s. Which version do you use?", "answered"),
        ("It depends on the release. Which version do you use?", None),
    ],
)
def test_a_closing_question_leaves_open_whether_little_was_an_answer(
    answer: str, told: str | None
) -> None:
    assert outcome_of(answer) == told


def test_a_failed_answer_says_what_it_lacks_and_what_it_holds() -> None:
    case = Case(
        id="q-0001",
        question="What is the timeout of the gateway?",
        reference="It is 60 s.",
        facts=Facts(
            required=(Fact(id="f1", text="60 s"),),
            forbidden=(ForbiddenFact(id="f2", text="30 s"),),
        ),
    )
    lacks = judge_answer(case, look_up(case, "The timeout is 45 s.")).reason
    assert lacks.startswith("it lacks ")
    assert "holds" not in lacks
    holds = judge_answer(case, look_up(case, "It is 60 s. It is 30 s.")).reason
    assert holds.startswith("it holds ")
    assert "lacks" not in holds
    both = judge_answer(case, look_up(case, "The timeout is 30 s.")).reason
    assert both.startswith("it lacks ")
    assert " and it holds " in both
    right = judge_answer(case, look_up(case, "The timeout is 60 s.")).reason
    assert right == "it has every required fact and no forbidden one"


def test_the_lowest_rank_is_the_first() -> None:
    assert nearest_rank([3.0, 1.0, 2.0], 1) == 1.0
