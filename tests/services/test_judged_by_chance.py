"""A judge that scored a sample: its chance is in the weights of the corrected figures."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from curation.config import JudgeSettings
from curation.domain.review import Verdict
from curation.domain.sample import SampleRequest, chance_of_any
from curation.services import sampling
from curation.services.agreement import AgreementQuery, judge_reports
from curation.services.agreement_lines import caveats
from curation.services.agreement_report import JudgeReport
from curation.services.intake import ingest
from curation.services.judging import JudgeOptions, prepare, real_means, work
from curation.services.triage import QueueFilter, next_answer
from curation.services.verdicts import Dismissal, dismiss
from curation.services.workspace import Workspace
from curation.store.sampled_reviews import drawn_with
from curation.store.scores_by_judge import JudgedItem, items_of
from tests.services.home import MIA, NOW, log, record

LATER = NOW + timedelta(days=1)
PROXY = JudgeSettings()


def bring(home: Workspace, names: Sequence[str], *, days: int = 0) -> None:
    """Answers of which every second one holds none of its question's words."""
    lines = [
        record(
            name,
            question=f"Which timeout does relay {name} have?",
            answer=f"The timeout of relay {name} is 30 s." if n % 2 else "Yes.",
            asked_at=(NOW + timedelta(days=days, minutes=n)).isoformat(),
        )
        for n, name in enumerate(names)
    ]
    moment = NOW + timedelta(days=days)
    assert ingest(home, [log(home.settings.home, *lines, name=f"{days}.jsonl")], now=moment).stored


def judge(home: Workspace, *, days: int = 0, **options: object) -> int:
    moment = NOW + timedelta(days=days, hours=1)
    asked = JudgeOptions(**{"limit": None, **options})  # type: ignore[arg-type]
    prepared = prepare(home, PROXY, asked, now=moment)
    return work(home, prepared, real_means(None), concurrency=1).judged


def call_all_right(home: Workspace) -> dict[str, float]:
    """Draw a sample, call each answer of it right, return how probable the draw of each was."""
    sampling.draw(home, MIA, SampleRequest(n=30, control=0.5, seed=2), now=LATER)
    reviewed: list[str] = []
    while (name := next_answer(home, MIA, QueueFilter(sample=True), now=LATER)) is not None:
        right = Dismissal(verdict=Verdict.RIGHT, reason="It is.")
        dismiss(home, MIA, name, right, now=LATER)
        reviewed.append(name)
    with home.store.reading() as session:
        drawn = drawn_with(session)
    return {name: drawn[name] for name in reviewed}


def relevancy(home: Workspace) -> JudgeReport:
    (found,) = judge_reports(home, AgreementQuery(metric="answer_relevancy"))
    return found


def test_a_chance_and_a_rule_together_weigh_each_by_its_own(home: Workspace) -> None:
    early, late = [f"e{n}" for n in range(40)], [f"l{n}" for n in range(10)]
    bring(home, early)
    chosen = judge(home, sample=0.5, seed=3)
    assert 10 < chosen < 30
    bring(home, late, days=1)
    assert judge(home, days=1, limit=10) == 10
    drawn = call_all_right(home)
    found = relevancy(home)
    assert found.by_chance + sum(name in late for name in drawn) == found.figures.n
    scored = [(one.answer_id, one.value) for one in _scores(home) if one.answer_id in drawn]
    weights = {name: 1 / drawn[name] * (1 if name in late else 2) for name, _ in scored}
    good = sum(weights[name] for name, value in scored if value == 2)
    assert found.figures.corrected is not None
    assert found.figures.corrected.raw == pytest.approx(good / sum(weights.values()))
    assert "by chance (--sample)" in " ".join(caveats(found))


def _scores(home: Workspace) -> list[JudgedItem]:
    with home.store.reading() as session:
        return items_of(session, relevancy(home).key)


def test_a_later_run_on_all_leaves_nothing_to_chance(home: Workspace) -> None:
    bring(home, [f"e{n}" for n in range(40)])
    judge(home, sample=0.5, seed=3)
    judge(home, days=1)
    call_all_right(home)
    assert relevancy(home).by_chance == 0


@pytest.mark.parametrize(
    ("draws", "chance"),
    [
        ([], 0),
        ([(1, 0.5)], 0.5),
        ([(1, 0.5), (1, 0.2)], 0.5),
        ([(1, 0.5), (2, 0.5)], 0.75),
        ([(1, 0.3), (7, 1.0)], 1),
    ],
)
def test_draws_of_one_seed_hold_each_other(draws: list[tuple[int, float]], chance: float) -> None:
    assert chance_of_any(draws) == pytest.approx(chance)
