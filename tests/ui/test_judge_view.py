"""The Judge page as it is drawn: words first, figures with intervals, nothing of a hidden judge."""

from datetime import date

from curation.domain.trends import FailureWeek, MetricWeek
from curation.metrics.agreement import Pair, agreement
from curation.metrics.agreement_verdict import judge_verdict
from curation.services.agreement_report import (
    BetweenPeople,
    Disagreement,
    JudgeReport,
    LabelCounts,
    SliceAgreement,
    Tie,
)
from curation.services.judge_blindness import Seen
from curation.ui.judge_view import JudgeLook, draw_empty, draw_judge, draw_judges, row_id
from curation.ui.tree import Child, words

DIFFERS = Disagreement(answer_id="a-7", question="Why?", human=0, judge=2, score=2)


def report(*levels: tuple[int, int], **fields: object) -> JudgeReport:
    pairs = [Pair(cluster=str(at), human=h, judge=j) for at, (h, j) in enumerate(levels)]
    figures = agreement(pairs, draws=50)
    whole: dict[str, object] = {
        "judge": "openai/gpt-5-mini",
        "metric": "faithfulness",
        "prompt_version": "3",
        "against": "faithfulness",
        "scores": 100,
        "failed": 4,
        "figures": figures,
        "verdict": judge_verdict(figures.clear),
        "people": BetweenPeople(items=0, raters=0),
    }
    return JudgeReport.model_validate({**whole, **fields})


def said(tree: list[Child]) -> str:
    return " ".join(words(part) for part in tree)


def test_the_verdict_stands_on_top_in_words() -> None:
    tree = draw_judge(JudgeLook(report=report(*[(0, 2)] * 3, *[(2, 2)] * 9), seen=Seen()))
    assert words(tree[0]) == "faithfulness by openai/gpt-5-mini, prompt 3"
    assert words(tree[1]).startswith("✕ Hands out good marks to bad answers: it gives 2 to 3 of 3")


def test_nothing_compared_draws_no_figures_and_says_how_many_labels_are_needed() -> None:
    text = said(draw_judge(JudgeLook(report=report(), seen=Seen())))
    assert "Needs about 93 more labels" in text
    assert "Weighted kappa" not in text


def test_one_class_is_undefined_and_never_a_number() -> None:
    text = said(draw_judge(JudgeLook(report=report(*[(2, 2)] * 12), seen=Seen())))
    assert "Weighted kappaundefined" in text
    assert "Recall of “judge says bad”undefined" in text
    assert "nan" not in text.casefold()


def test_what_a_reader_must_know_is_said() -> None:
    text = said(
        draw_judge(
            JudgeLook(
                report=report(
                    (2, 2),
                    stale="Since 28 Nov 2026 faithfulness is scored by another.",
                    own_kind=1,
                    compared_failed=2,
                    read_as_levels=True,
                    labels=LabelCounts(spot_check=3, not_blind=5, relative=7),
                ),
                seen=Seen(),
            )
        )
    )
    for part in (
        "Stale: these figures are of a judge that is not in use. Since 28 Nov 2026",
        "Same family: 1 of the 1 answers",
        "The judge failed on 2 labelled items",
        "5 labels were given with the judge in view",
        "7 labels are relative",
        "read as 0, 1 and 2",
        "3 from spot checks",
    ):
        assert part in text


def test_hidden_disagreements_are_counted_and_not_drawn() -> None:
    one = report((0, 2), disagreements=(DIFFERS,))
    hidden = said(draw_judge(JudgeLook(report=one, seen=Seen(hidden=1))))
    assert "Where they differ · 1" in hidden
    assert "1 item of these you gave no word on" in hidden
    assert "Why?" not in hidden
    shown = said(draw_judge(JudgeLook(report=one, seen=Seen(shown=(DIFFERS,)))))
    assert "people 0, judge 2 · Open Why?" in shown


def test_slices_ties_weeks_and_failures_by_kind_are_there() -> None:
    one = report(
        (2, 2),
        (0, 0),
        slices=(SliceAgreement(slice="billing", figures=agreement([])),),
        ties=(Tie(answer_id="a", raters=2),),
    )
    monday = date(2026, 11, 2)
    look = JudgeLook(
        report=one,
        seen=Seen(),
        weeks=(MetricWeek(week=monday, metric="faithfulness", scored=9, failed=1, mean=1.25),),
        failures=(FailureWeek(week=monday, kinds={"time_out": 3, "parse": 1}, scores=40),),
    )
    text = said(draw_judge(look))
    assert "billing0undefined" in text
    assert "Without a majority · 1" in text
    assert "2 Nov 2026911.25" in text
    assert "WeekFailedparsetime out" in text
    assert "2 Nov 20264 of 4013" in text


def test_the_list_names_every_judge_with_its_verdict() -> None:
    reports = [report((2, 2)), report(judge=None, metric="a|b/c", prompt_version=None)]
    listed = words(draw_judges(reports, row_id(reports[0])))
    assert "○ needs about" in listed
    assert "1 item labelled of 100 scored" in listed
    assert "a|b/c by an unnamed judge" in listed
    assert row_id(reports[0]) == "openai%2Fgpt-5-mini|faithfulness|3"
    assert "No judge has scored anything yet." in words(draw_empty())
