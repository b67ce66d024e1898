"""Words that people read on pages: no names of the code, nothing said twice, always a way on."""

from datetime import date

from curation.domain.breaks import BaselineLook
from curation.domain.case import Case, Evidence, Fact, Facts
from curation.domain.diff import diff_cases
from curation.domain.trends import FailureWeek, Trends
from curation.ui.breaks_view import draw_baseline, draw_trends
from curation.ui.case_view import draw_case
from curation.ui.diff_view import draw_diff
from curation.ui.settle_view import draw_settle
from curation.ui.tree import Child, node, words

CASE = Case(
    id="q-0093",
    question="Is it?",
    reference="It is 7.",
    question_type="yes_no",
    facts=Facts(required=(Fact(id="f1", text="It is 7", evidence=("e1",)),)),
    evidence=(Evidence(id="e1", group="e1", chunk_id="c", doc_id="d"),),
)


def said(*parts: Child) -> str:
    return "|".join(words(part) for part in parts)


def test_a_question_type_and_a_kind_of_failure_read_as_words() -> None:
    assert "Question typeyes no" in said(node("div", *draw_case(CASE)))
    week = FailureWeek(week=date(2026, 11, 2), kinds={"nothing_to_score": 2}, scores=9)
    assert "nothing to score 2" in said(node("div", *draw_trends(Trends(failures=(week,)))))


def test_a_field_of_an_added_case_is_called_new_once() -> None:
    fields = [words(part) for part in draw_diff(diff_cases(None, CASE), None, CASE)]
    named = {text.partition("new")[0] for text in fields if text.startswith(("Question", "Ref"))}
    assert named == {"Question", "Question type", "Reference answer"}
    assert all(text.count("new") == 1 for text in fields if text.startswith(("Question", "Ref")))
    assert "Facts✓ must" in said(*fields)


def test_where_no_baseline_is_the_page_leads_to_where_one_is_made() -> None:
    assert said(*draw_baseline(BaselineLook(missing="There is none."))).endswith("Experiments")


def test_where_nothing_is_to_settle_a_key_leads_back_to_the_queue() -> None:
    empty = said(*draw_settle((), None))
    assert "Nothing is to settle." in empty
    assert empty.endswith("QueueQ")
