"""`curation golden coverage`: the grid as a document and as a table."""

from tests.cli.conftest import CommandLine
from tests.cli.world import ANA, CASE, ROB

POLICY = """
question_types = ["value", "why"]
[[documents]]
pattern = "guide"
category = "operations"
[coverage]
per_cell = 2
"""


def publish_a_case(line: CommandLine) -> None:
    """Publish the policy and one case of type value on a document of the guide."""
    policy = line.json(
        "change", "propose", "--policy", line.file("golden.toml", POLICY), "--reason", "x",
        "--as", ANA,
    )  # fmt: skip
    case = CASE | {"question": "How long?", "question_type": "value"}
    added = line.json(
        "change", "propose", "--case", line.file("case.json", case), "--reason", "New.",
        "--as", ANA,
    )  # fmt: skip
    for change in (policy, added):
        line.run("change", "approve", change["change_id"], "--as", ROB)
    line.run("publish", "--as", ROB)


def test_the_grid_counts_cases_and_names_the_holes(logged: CommandLine) -> None:
    publish_a_case(logged)
    grid = logged.json("golden", "coverage")
    assert grid["version"] == "golden/v2"
    assert (grid["rows"], grid["columns"]) == (["value", "why"], ["operations"])
    assert grid["cells"] == {"value": {"operations": 1}, "why": {"operations": 0}}
    assert (grid["target"], grid["cases"], grid["uncategorised"]) == (2, 1, 0)
    assert grid["holes"] == [
        {"row": "value", "column": "operations", "cases": 1, "wanted": 2},
        {"row": "why", "column": "operations", "cases": 0, "wanted": 2},
    ]
    said = logged.run("golden", "coverage").splitlines()
    assert said[0].split() == ["type", "operations"]
    assert said[1].split() == ["value", "1"]
    assert said[2].split() == ["why", "0"]
    assert said[3] == "1 case, 2 holes (the policy asks for 2 a cell)"


def test_an_older_version_has_its_own_grid(logged: CommandLine) -> None:
    publish_a_case(logged)
    assert logged.json("golden", "coverage", "--version", "golden/v1")["cases"] == 0
    logged.run("golden", "coverage", "--version", "golden/v9", status=2)


def test_questions_to_cover_first_are_named_with_the_cells_that_they_fill(
    logged: CommandLine,
) -> None:
    publish_a_case(logged)
    first = logged.json("golden", "coverage", "--propose", "3")["cover_first"]
    assert {(one["row"], one["column"], one["cases"], one["wanted"]) for one in first} == {
        ("value", "operations", 1, 2)
    }
    assert "Cover first:" in logged.run("golden", "coverage", "--propose", "3")
    assert "cover_first" not in logged.json("golden", "coverage")
