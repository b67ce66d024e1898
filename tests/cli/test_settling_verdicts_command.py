"""`curation review unsettled` and `settle`: two people differ, a third one lets a verdict stand."""

from tests.cli.world import ANA, CASE, MIA, ROB


def test_two_people_differ_and_a_third_one_settles_it(logged):
    logged.json("queue", "sample", "--n", "3", "--double", "1", "--as", ANA)
    case = logged.file("case.json", CASE)
    finish = ("review", "finish", "a-1")
    logged.json(*finish, "--case", case, "--reason", "The old value.", "--as", MIA)
    assert logged.json("review", "unsettled", "--as", ANA)["unsettled"] == []
    logged.json(*finish, "--dismiss", "right", "--as", ROB)

    (found,) = logged.json("review", "unsettled", "--as", ANA)["unsettled"]
    assert [(one["person"], one["verdict"]) for one in found["verdicts"]] == [
        (MIA, "proposed"),
        (ROB, "right"),
    ]
    settle = ("review", "settle", "a-1")
    usage = logged.json(*settle, "--as", ANA, status=2)
    assert "Give either --stands EMAIL or --take-back" in usage["error"]
    own = logged.json(*settle, "--stands", "rob@x.org", "--reason", "x", "--as", ROB, status=1)
    assert "so someone else says which stands" in own["error"]
    email = MIA.partition("<")[2].rstrip(">")
    done = logged.json(*settle, "--stands", email, "--reason", "It is wrong.", "--as", ANA)
    assert done["settled"]["reason"] == "It is wrong."
    assert [one["stands"] for one in done["verdicts"]] == [True, False]
    assert logged.json("review", "unsettled", "--as", ANA)["unsettled"] == []
    assert logged.json(*settle, "--take-back", "--as", ANA)["open"] is True
