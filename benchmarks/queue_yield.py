"""The queue's yield on logs with absolute labels, and what the program's own evidence would add.

Run with a home into which the logs were ingested, and the tags of the logs:
`python benchmarks/queue_yield.py HOME mtrag expertqa alce`.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.config import load_settings
from curation.domain.answer import Answer, Outcome
from curation.domain.judging import PROXY
from curation.domain.priority import shortfall
from curation.metrics.abstention import outcome_of
from curation.metrics.proxies import proxy_grades
from curation.metrics.queue_yield import JudgedAnswer
from curation.metrics.support import faithfulness
from curation.services.judge_subjects import logged_material
from curation.services.priority import priority_weights
from curation.services.queue_yield import _levels
from curation.services.workspace import open_workspace
from curation.store.answers import load_answers
from curation.store.judged_answers import judged_answers

DRAWS, FIRST = 400, 50


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What an order may look at of one answer; `bad` and `not_good` are people's word."""

    group: str
    tag: str
    bad: bool
    not_good: bool
    users: float
    worst: float
    mean: float
    declined: float
    unsupported: float
    no_chunks: float
    off_topic: float
    uncited: float
    short: float


Order = Callable[[Evidence], tuple[float, float]]
ORDERS: dict[str, Order] = {
    "judge": lambda e: (e.worst, 0),
    "judge, ties by the mean": lambda e: (e.worst, e.mean),
    "mean": lambda e: (e.mean, 0),
    "judge + declined": lambda e: (e.worst + e.declined, 0),
    "judge + declined, ties by the mean": lambda e: (e.worst + e.declined, e.mean),
    "mean + declined": lambda e: (e.mean + e.declined, 0),
    "judge + unsupported": lambda e: (e.worst + e.unsupported, 0),
    "judge + no chunks": lambda e: (e.worst + e.no_chunks, 0),
    "judge + no chunk near the question": lambda e: (e.worst + e.off_topic, 0),
    "judge + uncited": lambda e: (e.worst + e.uncited / 2, 0),
    "judge + short": lambda e: (e.worst + e.short, 0),
}


def by_priority(evidence: Evidence) -> tuple[float, float]:
    """Return the place of an answer whose question was asked once."""
    return max(0.0, evidence.users + 3 * evidence.worst), 0


def read(home: Path, tags: Sequence[str]) -> list[Evidence]:
    """Return the answers that people judged."""
    workspace = open_workspace(load_settings(home))
    with workspace.store.reading() as session:
        judged = judged_answers(session, _levels(session, "verdict"), tags)
        answers = load_answers(session, [one.answer_id for one in judged], fill=True)
    signals = priority_weights(workspace.settings.priority).signals
    workspace.store.dispose()
    return [
        _evidence(answers[one.answer_id], one, sum(signals.get(kind, 0) for kind in one.kinds))
        for one in judged
    ]


def _evidence(answer: Answer, judged: JudgedAnswer, users: float) -> Evidence:
    material = logged_material(answer)
    shown = [passage.text for passage in material.passages if passage.text]
    held = faithfulness(answer.answer, [*shown, answer.question])
    near = [grade.value for grade in proxy_grades(material) if grade.chunk_id is not None]
    said = answer.outcome or outcome_of(answer.answer)
    whole = [s for s in answer.scores if s.chunk_id is None and s.judge != PROXY]
    falls = [shortfall(score) for score in whole]
    known = [value for value in falls if value is not None]
    return Evidence(
        group=judged.group_id,
        tag=answer.tags[0],
        bad=judged.bad,
        not_good=judged.not_good,
        users=users,
        worst=judged.shortfall or 0,
        mean=sum(known) / max(len(known), 1),
        declined=float(said in {Outcome.ABSTAINED, Outcome.CLARIFIED}),
        unsupported=len(held.unsupported) / max(held.n_checked, 1),
        no_chunks=float(not shown),
        off_topic=1 - max(near, default=2) / 2,
        uncited=float(not answer.citations),
        short=1 / (1 + len(answer.answer) / 200),
    )


def found(drawn: Iterable[tuple[Evidence, float]], order: Order, first: int) -> tuple[int, int]:
    """Return how many of the first are bad and not good; lots break ties."""
    top = sorted(drawn, key=lambda pair: (order(pair[0]), pair[1]), reverse=True)[:first]
    return sum(e.bad for e, _ in top), sum(e.not_good for e, _ in top)


def draw(
    groups: dict[str, list[Evidence]], names: Sequence[str], dice: random.Random
) -> list[tuple[Evidence, float]]:
    """Return one answer of each of these questions, with its lot."""
    return [(dice.choice(groups[name]), dice.random()) for name in names]


def against_judge(groups: dict[str, list[Evidence]]) -> list[tuple[tuple[int, int], ...]]:
    """Return what priority and judge find in bootstrap draws of the questions."""
    names, pairs = sorted(groups), []
    for seed in range(DRAWS):
        dice = random.Random(seed)
        drawn = draw(groups, dice.choices(names, k=len(names)), dice)
        pairs.append(tuple(found(drawn, o, FIRST) for o in (by_priority, ORDERS["judge"])))
    return pairs


def chosen_on_a_half(groups: dict[str, list[Evidence]]) -> list[tuple[tuple[int, int], ...]]:
    """Return what the best order of one half, and the judge, find in the other half."""
    names, pairs = sorted(groups), []
    for seed in range(DRAWS // 2):
        dice = random.Random(seed)
        dice.shuffle(names)
        half = len(names) // 2
        tried = [draw(groups, names[:half], dice) for _ in range(6)]
        best = max(ORDERS, key=lambda o: sum(sum(found(d, ORDERS[o], FIRST // 2)) for d in tried))
        drawn = draw(groups, names[half:], dice)
        orders = (ORDERS[best], ORDERS["judge"])
        pairs.append(tuple(found(drawn, order, FIRST // 2) for order in orders))
    return pairs


def told(title: str, pairs: Sequence[tuple[tuple[int, int], ...]]) -> Iterable[str]:
    """Yield the means of both orders and the 95 % interval of their difference."""
    for at, what in enumerate(("bad", "not good")):
        mine, judge = ([pair[side][at] for pair in pairs] for side in (0, 1))
        apart = sorted(a - b for a, b in zip(mine, judge, strict=True))
        low, high = apart[len(apart) // 40], apart[-1 - len(apart) // 40]
        means = [sum(side) / len(side) for side in (mine, judge, apart)]
        yield (
            f"  {title}, {what}: {means[0]:.1f} against {means[1]:.1f} by the judge, "
            f"{means[2]:+.1f} ({low:+d} to {high:+d})"
        )


def main(home: str, *tags: str) -> None:
    """Print both comparisons for every log and for all of them."""
    answers = read(Path(home), tags)
    for some in (*((tag,) for tag in tags), tags):
        groups: dict[str, list[Evidence]] = defaultdict(list)
        for one in answers:
            if one.tag in some:
                groups[one.group].append(one)
        print(f"{' and '.join(some)}: {len(groups)} questions")
        print(*told("priority", against_judge(groups)), sep="\n")
        print(*told("best on the other half", chosen_on_a_half(groups)), sep="\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
