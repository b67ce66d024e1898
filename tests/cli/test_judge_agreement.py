"""`curation judge agreement` and `spot-check`, by script and by keys."""

from typing import Any

import pytest
from typer.testing import CliRunner

from curation.cli.main import app
from tests.cli.world import MIA, ROB, answer


@pytest.fixture
def judged(curation: Any) -> Any:
    """A home with six answers that a judge gave 0, 1 or 2, a reason each."""
    scores = [
        {
            "metric": "faithfulness",
            "value": n % 3,
            "scale": [0, 2],
            "judge": "j",
            "reason": "SECRET",
        }
        for n in range(1, 7)
    ]
    log = [answer(n, scores=[scores[n - 1]]) for n in range(1, 7)]
    curation.run("ingest", curation.file("log.jsonl", log))
    return curation


def labels(curation: Any, document: dict[str, Any], level: int) -> str:
    rows = [{"position": i["position"], "level": level, "seconds": 3} for i in document["left"]]
    return str(curation.file("labels.jsonl", rows))


def test_two_people_label_the_same_items_by_script(judged: Any) -> None:
    begun = judged.json("judge", "spot-check", "--n", "6", "--seed", "4", "--as", MIA)
    assert (begun["items"], begun["done"], begun["summary"]) == (6, 0, None)
    assert "SECRET" not in str(begun)
    assert all("scores" not in item for item in begun["left"])
    file = labels(judged, begun, 2)
    ended = judged.json(
        "judge", "spot-check", "--n", "6", "--seed", "4", "--as", MIA, "--labels", file
    )
    assert (ended["done"], ended["summary"]["seconds_mean"]) == (6, 3.0)
    assert len(ended["summary"]["disagreements"]) == 4

    other = judged.json("judge", "spot-check", "--as", ROB)
    assert [i["answer_id"] for i in other["left"]] == [i["answer_id"] for i in begun["left"]]
    judged.run("judge", "spot-check", "--as", ROB, "--labels", labels(judged, other, 1))

    (report,) = judged.json("judge", "agreement", "--as", MIA)["judges"]
    assert (report["metric"], report["labels"]["spot_check"]) == ("faithfulness", 12)
    assert report["figures"]["n"] == 0  # everything is tied
    assert (len(report["ties"]), report["figures"]["kappa"]["value"]) == (6, None)
    assert report["verdict"]["more"] == 93


def test_keys_from_a_pipe_label_and_an_interruption_goes_on(judged: Any) -> None:
    command = ["--home", str(judged.home), "judge", "spot-check", "--n", "3", "--as", MIA]
    first = CliRunner().invoke(app, command, input="2\n7\nz\n0\nq\n")
    assert first.exit_code == 0
    assert "SECRET" not in first.output
    assert "That is none of 0, 1, 2, z and q." in first.stderr
    assert "1 labelled, 2 left" in first.stdout
    rest = CliRunner().invoke(app, command, input="0\n2\n")
    assert "[2 of 3]" in rest.stderr
    assert "is at its end: 3 items, 3 blind" in rest.stdout
    assert "seconds per item:" in rest.stdout
    told = judged.run("judge", "agreement", "--as", MIA)
    assert "faithfulness by j" in told.splitlines()[0]
    assert "weighted kappa" in told


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"position": 99, "level": 1}], "has no item 99"),
        ([{"position": 1, "level": 1.5}], "1.5 is not 0, 1 or 2"),
        ([{"position": 1, "level": True}], "True is not 0, 1 or 2"),
        ([{"position": "1", "level": 1}], "its position is not a whole number"),
    ],
)
def test_a_wrong_label_stores_nothing_and_says_why(judged: Any, rows: Any, said: str) -> None:
    file = judged.file("labels.jsonl", [{"position": 2, "level": 1}, *rows])
    refused = judged.json("judge", "spot-check", "--as", MIA, "--labels", file, status=2)
    assert said in refused["error"]
    assert judged.json("judge", "spot-check", "--as", MIA)["done"] == 0


def test_without_scores_nothing_is_drawn_and_nothing_is_compared(curation: Any) -> None:
    refused = curation.json("judge", "spot-check", "--as", MIA, status=1)
    assert refused["error"].startswith("Nothing was drawn: no judge has scored anything.")
    assert curation.json("judge", "agreement") == {"judges": []}
    assert "No judge has scored" in curation.run("judge", "agreement")
