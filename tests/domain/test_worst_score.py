"""Which of an answer's scores its place in the queue rests on."""

import pytest

from curation.domain.answer import Answer, Score
from curation.domain.judging import PROXY
from curation.domain.priority import judged


def score(metric: str, value: float | None, judge: str, chunk: str | None = None) -> Score:
    status = "failed" if value is None else "ok"
    return Score.model_validate(
        {
            "metric": metric,
            "value": value,
            "scale": (0, 2),
            "judge": judge,
            "status": status,
            "error_kind": None if value is not None else "parse",
            "chunk_id": chunk,
        }
    )


def answer(*scores: Score) -> Answer:
    return Answer(id="a", question="Q?", answer="A.", scores=scores)


BAD_PROXY, FAIR, FAILED = score("p", 0, PROXY), score("m", 1, "gpt"), score("m", None, "gpt")


@pytest.mark.parametrize(
    ("scores", "shortfall", "metric", "failed"),
    [
        ((), None, None, False),
        ((BAD_PROXY,), 1.0, "p", False),
        ((BAD_PROXY, FAIR), 0.5, "m", False),
        ((FAIR, score("n", 0, "other")), 1.0, "n", False),
        # A judge that only failed leaves the word to the proxy, and is still said.
        ((FAILED, BAD_PROXY), 1.0, "p", True),
        ((FAILED, FAIR), 0.5, "m", True),
        ((score("relevance", 0, "gpt", chunk="c"), BAD_PROXY), 1.0, "p", False),
    ],
)
def test_the_proxy_counts_where_nobody_else_scored(
    scores: tuple[Score, ...], shortfall: float | None, metric: str | None, failed: bool
) -> None:
    found = judged(answer(*scores))
    assert (found.shortfall, found.metric, found.failed) == (shortfall, metric, failed)
