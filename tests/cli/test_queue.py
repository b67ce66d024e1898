"""`curation queue list` on the command line."""

import pytest

from tests.cli.world import MIA, answer


@pytest.fixture
def queue(curation):
    log = [
        answer(1, signals=[{"kind": "thumbs_down"}], slice="billing"),
        answer(2, signals=[], scores=[{"metric": "f", "value": 0.25, "scale": [0, 1]}]),
        answer(3, question=answer(1)["question"], signals=[]),
    ]
    curation.run("ingest", curation.file("log.jsonl", log))
    return curation


def test_the_document(queue):
    document = queue.json("queue", "list", "--limit", "1")
    assert document["items"] == [
        {
            "answer_id": "a-1",
            "question": answer(1)["question"],
            "priority": 6.0,
            "reasons": ["thumbs down"],
            "asked": 2,
            "slice": "billing",
            "date": "2026-11-01T10:00:00Z",
            "more": 1,
            "near": 0,
            "given": "",
            "state": "open",
            "held_by": None,
        }
    ]
    assert document["counts"] == {
        "open": 3,
        "held": 0,
        "done": 0,
        "dismissed": 0,
        "covered": 0,
        "all": 3,
    }
    assert (document["shown"], document["pages"]) == (2, 2)


def test_the_judges_part_is_left_out_unless_asked_for(queue):
    def second(*more):
        return queue.json("queue", "list", *more)["items"][1]

    assert (second()["priority"], second()["reasons"]) == (None, ["score or sample"])
    shown = second("--show-judge", "--as", MIA)
    assert (shown["priority"], shown["reasons"]) == (2.25, ["f 0.25"])
    assert second("--show-judge")["priority"] == 2.25


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--slice", "billing"], ["a-1"]),
        (["--signal", "thumbs_down"], ["a-1"]),
        (["--metric-below", "f=0.5"], ["a-2"]),
        (["--pipeline-version", "none"], []),
        (["--words", "RELAY 3 v4.2"], []),
        (["--state", "done"], []),
        (["--state", "mine", "--as", MIA], []),
        (["--page", "2", "--limit", "1"], ["a-2"]),
    ],
)
def test_filters_are_options(queue, options, expected):
    document = queue.json("queue", "list", *options)
    assert [item["answer_id"] for item in document["items"]] == expected


@pytest.mark.parametrize(
    "options",
    [
        ["--state", "lost"],
        ["--signal", "applause"],
        ["--metric-below", "f"],
        ["--metric-below", "=1"],
        ["--metric-below", "f=nan"],
        ["--limit", "0"],
        ["--as", "nobody"],
    ],
)
def test_an_option_that_means_nothing_ends_with_2(queue, options):
    queue.run("queue", "list", *options, status=2)


def test_people_read_rows_and_a_count_that_adds_up(queue):
    first, second, counts = queue.run("queue", "list").splitlines()
    assert first.split()[:2] == ["6.0", "a-1"]
    assert first.endswith("(and 1 more)  · thumbs down")
    assert second.split()[0] == "–"
    assert counts == (
        "2 shown, page 1 of 1 · 3 to review + 0 held + 0 done + 0 dismissed + 0 covered = 3 in all"
    )
