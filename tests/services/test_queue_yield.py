"""The queue's yield: what people called bad among the first rows of an order."""

import gzip
import json
import random
from collections import defaultdict
from pathlib import Path

import pytest

from curation.config import PrioritySettings
from curation.domain.review import FailureCategory, Verdict
from curation.services.intake import ingest
from curation.services.queue_yield import what_if
from tests.services.home import NOW, log, record
from tests.store.logs import finish

SHARED = Path(__file__).parents[3] / "shared" / "data" / "answers.jsonl.gz"
ABSOLUTE = ("mtrag", "expertqa", "alce")  # the labels of the others compare two answers


def bring(home, *records):
    assert ingest(home, [log(home.settings.home, *records)], now=NOW).refused == 0


def labelled(name, word, *, signal=None, value=1.0, **fields):
    return record(
        name,
        signals=[{"kind": signal}] if signal else [],
        scores=[{"metric": "m", "value": value, "scale": [0, 1]}],
        labels=[{"metric": "verdict", "label": word, "person": "p"}],
        **fields,
    )


def test_the_orders_are_counted_apart_and_chance_is_what_it_is(home):
    bring(
        home,
        labelled("a", "bad", signal="correction"),
        labelled("b", "good", value=0.0),
        labelled("c", "partial", value=0.5),
        labelled("d", "good", signal="thumbs_up"),
        record("e", signals=[{"kind": "correction"}]),  # nobody judged it
    )
    found = what_if(home, None, first=1).after
    assert (found.rows, found.answers, found.bad, found.not_good) == (4, 4, 1, 2)
    assert found.by_priority.answers == ("a",)
    assert found.by_judge.answers == ("b",)
    assert (found.by_priority.found.bad, found.by_judge.found.bad) == (1, 0)
    assert (found.at_random.bad, found.at_random.not_good) == (0.25, 0.5)


@pytest.mark.parametrize(
    ("verdict", "failure", "answers", "bad"),
    [
        (Verdict.RIGHT, None, 1, 0),
        (Verdict.PROPOSED, FailureCategory.CONTEXT_RECALL, 1, 1),
        (Verdict.PROPOSED, FailureCategory.NONE, 1, 0),
        (Verdict.DUPLICATE, None, 1, 1),
        (Verdict.NOT_ACTIONABLE, None, 1, 1),  # its label is left
    ],
)
def test_a_review_goes_before_labels(home, verdict, failure, answers, bad):
    bring(home, labelled("a", "bad"))
    finish(home.store, "a", verdict, failure=failure)
    found = what_if(home, None).after
    assert (found.answers, found.bad) == (answers, bad)


def test_a_row_leads_to_its_worst_looking_answer(home):
    same = {"question": "Same?"}
    bring(home, labelled("a", "good", **same), labelled("b", "bad", signal="thumbs_down", **same))
    assert what_if(home, None).after.by_priority.answers == ("b",)


def test_other_weights_say_what_moves_and_write_nothing(home):
    bring(home, labelled("a", "good", signal="correction"), labelled("b", "bad", value=0.4))
    tried = PrioritySettings(judge_weight=9, slice_weight={"gov": 2})
    found = what_if(home, tried, first=1)
    assert (found.before.by_priority.found.bad, found.after.by_priority.found.bad) == (0, 1)
    moves = {m.answer_id: (m.before, m.after) for m in found.moved}
    assert moves == {"b": (None, 1), "a": (1, None)}
    assert found.lines == (
        "[priority]",
        "judge_weight = 9",
        "[priority.slice_weight]",
        '"gov" = 2',
    )
    assert what_if(home, None).lines == ()
    assert what_if(home, None, first=1).after.by_priority.found.bad == 0


def one_per_question(seed):
    """Return the labelled answers of the shared data as traffic: each question asked once."""
    with gzip.open(SHARED, "rt", encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line) for line in file]
    groups = defaultdict(list)
    for row in rows:
        if row["tags"][0] in ABSOLUTE and any(x["metric"] == "verdict" for x in row["labels"]):
            groups[row["question"].casefold(), str(row["conversation"][-2:])].append(row)
    dice = random.Random(seed)
    return [dice.choice(groups[key]) for key in sorted(groups)]


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared data is not here")
def test_on_real_answers_the_queue_beats_the_judge_alone_and_chance(home):
    bring(home, *one_per_question(7))
    found = what_if(home, None).after
    assert found.answers == found.rows > 600
    queue, judge = found.by_priority.found, found.by_judge.found
    # measured with ten draws: docs/priority-and-samples.md
    assert (queue.bad, queue.not_good) == (22, 38)
    assert queue.not_good >= 1.5 * judge.not_good
    assert queue.bad >= 1.2 * judge.bad
    assert queue.not_good >= 2 * found.at_random.not_good
