"""The cases along the commits, in memory: each file judged once, each version built again."""

from typing import Any

import pytest

from curation.codec import dumps
from curation.domain.case import CaseStatus, Facts, Retired, RetireReason
from curation.domain.policy import Policy
from curation.golden.case_book import CaseBook
from curation.golden.kinds import Kind, Ruling
from curation.golden.parsed import ParsedCase
from curation.golden.record import Commit, Touched
from curation.golden.release import built_files
from curation.golden.tree import blob_id
from tests.golden.desk import make_case
from tests.golden.in_memory import CASE, OTHER, blobs_of, change, commit, touch

ONE, TWO = make_case("q-0001"), make_case("q-0002")
RETIRED = make_case("q-0001", status=CaseStatus.RETIRED, retired=Retired(reason=RetireReason.WRONG))
TREE = "d" * 40


def taken(
    book: CaseBook, made: Commit, kind: Kind | None = Kind.FREE, **contents: bytes
) -> list[Ruling]:
    return list(book.take(made, kind, blobs_of(contents)))


def holding(*cases: Any) -> CaseBook:
    return CaseBook(policy=Policy(), cases={case.id: ParsedCase(case) for case in cases})


def test_a_case_in_order_is_taken_in_and_nothing_is_said() -> None:
    book = holding()
    assert taken(book, commit(touch(CASE, "A")), b=dumps(ONE)) == []
    assert book.cases == {"q-0001": ParsedCase(ONE)}


def test_a_case_that_is_taken_away_is_not_there_any_more() -> None:
    book = holding(ONE, TWO)
    assert taken(book, commit(touch(CASE, "D"))) == []
    assert list(book.cases) == ["q-0002"]
    assert taken(book, commit(touch(CASE, "D"), touch(OTHER, "D"))) == []
    assert book.cases == {}


@pytest.mark.parametrize(
    ("path", "data", "rule", "said"),
    [
        ("cases/00/q-0001.json", dumps(ONE), "case_place", "cases/00/q-0001.json is no place of a"),
        (CASE, dumps(ONE) + b"\n", "case_form", f"{CASE} is not in canonical form"),
        (CASE, dumps(TWO), "case_form", f"{CASE} says that it is q-0002"),
        (CASE, b"{}\n", "case_form", CASE),
        (CASE, dumps(make_case("q-0001", slice="x")), "case_rules", "q-0001: "),
        (CASE, dumps(make_case("q-0001", facts=Facts())), "case_rules", "q-0001: "),
    ],
)
def test_what_is_wrong_with_the_file_of_a_case_is_said(
    path: str, data: bytes, rule: str, said: str
) -> None:
    book = holding()
    (found,) = taken(
        book, commit(touch(path, "A"), touch(OTHER, "A", new="c")), b=data, c=dumps(TWO)
    )
    assert (found.rule, found.message[: len(said)]) == (rule, said)
    assert "q-0002" in book.cases, "what comes after it is judged as well"


def test_a_file_that_is_no_case_is_no_case_of_the_set_any_more() -> None:
    book = holding(ONE)
    assert [found.rule for found in taken(book, commit(touch(CASE)), b=b"{")] == ["case_form"]
    assert book.cases == {}


@pytest.mark.parametrize(
    ("kind", "does", "before", "data", "said"),
    [
        (Kind.CHANGE, "edit", ONE, dumps(RETIRED), "q-0001: an edit changes its status"),
        (Kind.CHANGE, "retire", ONE, dumps(ONE), "q-0001: a retirement leaves it active"),
        (Kind.CHANGE, "restore", ONE, dumps(ONE), "q-0001: it is active already"),
        (Kind.CHANGE, "add", None, dumps(ONE), None),
        (Kind.CHANGE, "edit", ONE, dumps(make_case("q-0001", notes="n")), None),
        (Kind.IMPORT, "edit", ONE, dumps(RETIRED), None),
        (None, "edit", ONE, dumps(RETIRED), None),
    ],
)
def test_a_change_does_what_it_says_to_the_case_before_it(
    kind: Kind | None, does: str, before: Any, data: bytes, said: str | None
) -> None:
    book = holding(before) if before else holding()
    found = taken(book, change(touch(CASE), Change=does), kind, b=data)
    assert found == ([Ruling("case_rules", said)] if said else [])


def test_all_that_is_wrong_with_a_case_is_said() -> None:
    odd = make_case("q-0001", slice="x")
    found = taken(holding(ONE), change(touch(CASE), Change="retire"), Kind.CHANGE, b=dumps(odd))
    assert len(found) == 2
    assert found[1] == Ruling("case_rules", "q-0001: a retirement leaves it active")


def test_a_policy_holds_for_the_cases_of_later_commits() -> None:
    book = holding()
    made = commit(touch("golden.toml", new="e"), touch(CASE, "A"))
    own = make_case("q-0001", slice="mine")
    policy = b"[slices.mine]\n"
    assert [found.rule for found in taken(book, made, b=dumps(own), e=policy)] == ["case_rules"]
    assert taken(book, made, b=dumps(own), e=policy) == []


@pytest.mark.parametrize(
    ("data", "said"), [(b"approvals = -1\n", "approvals"), (b"approvals = \xff\n", "utf-8")]
)
def test_a_policy_that_is_none_is_said_and_the_one_before_holds(data: bytes, said: str) -> None:
    book = holding()
    (found,) = taken(book, commit(touch("golden.toml")), b=data)
    assert found.rule == "policy"
    assert said in found.message
    assert book.policy == Policy()


def test_a_policy_that_is_taken_away_leaves_the_plainest() -> None:
    book = holding()
    taken(book, commit(touch("golden.toml")), b=b"approvals = 2\n")
    assert taken(book, commit(touch("golden.toml", "D"))) == []
    assert book.policy == Policy()


def built(version: str, *cases: Any) -> list[Touched]:
    """The files that those cases make, as a commit writes them."""
    kept = {case.id: ParsedCase(case) for case in cases}
    files = built_files(version, kept, cases_tree=TREE)
    return [touch(path)._replace(new=blob_id(data, like=TREE)) for path, data in files]


def test_the_built_files_are_those_of_its_cases_and_its_version() -> None:
    book = holding(TWO, ONE)
    assert taken(book, commit(*built("golden/v3", ONE, TWO), touch("README.md"))) == []
    assert list(book.judge_version("golden/v3", cases_tree=TREE)) == []
    assert list(book.judge_version("golden/v4", cases_tree=TREE)) == [
        Ruling("built_files", "MANIFEST.json of golden/v4 is not what its cases make")
    ]
    other = [found.message for found in book.judge_version("golden/v3", cases_tree="e" * 40)]
    assert other == ["MANIFEST.json of golden/v3 is not what its cases make"]
    taken(book, commit(touch(OTHER, "D")))
    assert [found.message for found in book.judge_version("golden/v3", cases_tree=TREE)] == [
        "golden.jsonl of golden/v3 is not what its cases make",
        "MANIFEST.json of golden/v3 is not what its cases make",
    ]


def test_a_version_after_an_edit_is_made_of_the_edited_case() -> None:
    edited = make_case("q-0001", question="And of the others?")
    book = holding(ONE, TWO)
    assert taken(book, commit(*built("golden/v3", ONE, TWO))) == []
    assert list(book.judge_version("golden/v3", cases_tree=TREE)) == []
    taken(book, commit(touch(CASE)), b=dumps(edited))
    taken(book, commit(*built("golden/v4", edited, TWO)))
    assert list(book.judge_version("golden/v4", cases_tree=TREE)) == []
    taken(book, commit(touch(CASE)), b=dumps(RETIRED))
    taken(book, commit(*built("golden/v5", RETIRED, TWO)))
    assert list(book.judge_version("golden/v5", cases_tree=TREE)) == []
