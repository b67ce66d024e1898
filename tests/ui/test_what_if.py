"""The panel that tries other weights on the past."""

from curation.metrics.queue_yield import Found, Order, QueueYield
from curation.services.queue_yield import Moved, WhatIf
from curation.ui.tree import node, words
from curation.ui.what_if import NOBODY, draw_what_if


def found(bad, answers=("a",)):
    return QueueYield(
        first=50,
        rows=4,
        answers=len(answers) and 6,
        bad=2,
        not_good=3,
        by_priority=Order(answers=answers, found=Found(bad=bad, not_good=bad)),
        by_judge=Order(answers=answers, found=Found(bad=1, not_good=1)),
        at_random=Found(bad=0.5, not_good=0.75),
    )


def drawn(**fields):
    return words(node("div", *draw_what_if(WhatIf(**fields))))


def test_it_says_before_and_after_what_moves_and_what_to_write():
    moved = (Moved(answer_id="a", question="What\nis X?", before=None, after=1),)
    said = drawn(before=found(1), after=found(2), moved=moved, lines=("[priority]", "x = 2"))
    assert "As configured11With these weights22By judge score alone11At random0.50.8" in said
    assert "–1What is X?" in said
    assert "write in curation.toml[priority]\nx = 2" in said


def test_without_a_change_or_a_word_of_people_it_says_so():
    same = drawn(before=found(1), after=found(1), moved=(), lines=())
    assert "These are the weights of the configuration." in same
    nobody = found(0, answers=())
    assert drawn(before=nobody, after=nobody, moved=(), lines=()) == NOBODY
