"""The walk along the commits, in memory: what is judged by the parent, and what is taken in."""

import json
from copy import deepcopy
from typing import Any

import pytest

from curation.golden.approvals import Approvals, judge_approvals
from curation.golden.chain import Chain, Notice, Rulebook, needed_blobs, read_rulebook
from curation.golden.kinds import kind_of
from curation.golden.record import Commit, Touched
from tests.golden.in_memory import ANA, CASE, OTHER, ROB, blobs_of, change, commit, touch

POLICY, BASELINE = "golden.toml", "experiments/baseline.json"
FIRST, NUMBERS = "experiments/exp-001.json", "experiments/exp-001.cases.jsonl"
MIA = "Mia Kim <mia@example.org>"
SOURCE = f"a.jsonl sha256:{'0' * 64}"
ROOT = commit(touch(POLICY, "A"), touch(".mailmap", "A", new="e"), Release="golden/v1")
OPEN = {"state": "open"}
CLOSED = {"state": "closed", "decision": "reject"}
PASSED = {"results": [{"gate": {"result": "fail"}}, {"gate": {"result": "pass"}}]}


def begun(**known: Any) -> Chain:
    return Chain(begun=True, version=2, **known)


def judged(chain: Chain, made: Commit, **contents: str) -> list[tuple[str, str]]:
    """What is wrong with a commit; `b="…"` is what the blob b…b holds."""
    said = deepcopy(chain).take(made, blobs_of(contents))
    return [(found.rule, found.message) for found in said.rulings] if said else []


def noticed(chain: Chain, made: Commit, **contents: str) -> list[Notice]:
    said = deepcopy(chain).take(made, blobs_of(contents))
    return list(said.notices) if said else []


def after(chain: Chain, *commits: Commit, **contents: str) -> Chain:
    for made in commits:
        chain.take(made, blobs_of(contents))
    return chain


def known(chain: Chain) -> dict[str, Any]:
    """What a chain knows, but for what it has derived from that."""
    return {name: value for name, value in vars(chain).items() if not name.startswith("_")}


def edit(*touched: Touched, reviewed: tuple[str, ...] = (ANA,), **more: Any) -> Commit:
    return change(*touched, reviewed=reviewed, **more)


def trial(*touched: Touched, name: str = "exp-001", state: str = "open", **more: Any) -> Commit:
    return commit(*touched, Experiment=name, Experiment_State=state, **more)


@pytest.mark.parametrize(
    ("authors", "approvers", "needed", "own", "expected"),
    [
        ("a", "b", 1, False, Approvals(("b",), False, True)),
        ("a", "", 1, False, Approvals((), False, False)),
        ("a", "a", 1, False, Approvals((), False, False)),
        ("a", "bb", 2, False, Approvals(("b",), False, False)),
        ("a", "bc", 2, False, Approvals(("b", "c"), False, True)),
        ("a", "cba", 1, False, Approvals(("c", "b"), False, True)),
        ("a", "a", 1, True, Approvals((), True, True)),
        ("a", "ab", 1, True, Approvals(("b",), False, True)),
        ("a", "ab", 2, True, Approvals(("b",), True, True)),
        ("ad", "ad", 2, True, Approvals((), True, False)),
        ("a", "b", 2, True, Approvals(("b",), False, False)),
    ],
)
def test_an_author_counts_once_where_the_policy_lets_them_and_they_are_needed(
    authors: str, approvers: str, needed: int, own: bool, expected: Approvals
) -> None:
    found = judge_approvals(authors=authors, approvers=approvers, needed=needed, self_allowed=own)
    assert found == expected


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", Rulebook(1, self_approval=False)),
        ("approvals = 2", Rulebook(2, self_approval=False)),
        ("self_approval = true", Rulebook(1, self_approval=True)),
        ("approvals = 0", None),
        ("approvals = '2'", None),
        ("self_approval = 1", None),
        ("approvals = ", None),
    ],
)
def test_what_a_policy_says_of_approvals(text: str, rules: Rulebook | None) -> None:
    assert read_rulebook(text) == rules


def test_what_comes_before_the_set_is_neither_judged_nor_taken_in() -> None:
    for made in (commit(touch(CASE, "A"), parents=2), commit(touch(POLICY), Change="policy")):
        assert judged(Chain(), made) == []
        assert noticed(Chain(), commit(touch(CASE, "A"), Self_approved="yes")) == []
        assert after(Chain(), made) == Chain()


def test_the_root_begins_the_set_and_needs_no_approver() -> None:
    assert judged(Chain(), ROOT) == []
    assert noticed(Chain(), ROOT) == [
        Notice("root", "the first commit of the set has no approvers")
    ]
    chain = after(Chain(), ROOT, b="approvals = 2\nself_approval = true", e="A <a@b> <c@d>")
    assert (chain.begun, chain.version) == (True, 1)
    assert chain.rulebook == Rulebook(2, self_approval=True)
    assert chain.mailmaps == {".mailmap": "A <a@b> <c@d>"}


def test_a_change_that_keeps_every_rule_is_left_alone() -> None:
    assert judged(begun(), edit()) == []
    assert judged(begun(), commit(touch("README.md"))) == []
    assert noticed(begun(), edit()) == []


def test_a_policy_that_is_put_back_is_a_policy_and_no_second_root() -> None:
    made = commit(touch(POLICY, "A"), Change="policy", Change_Id="x", reviewed=(ANA,))
    assert judged(begun(), made) == []
    assert noticed(begun(), made) == []
    assert after(begun(), trial(touch(POLICY, "A"), Release="golden/v7")).version == 2


TAKEN = [
    edit(reviewed=(), Self_approved="yes"),
    commit(touch("README.md"), touch(FIRST, "D")),
    trial(touch("README.md"), touch(FIRST), state="closed"),
    commit(touch(CASE, "A"), touch(OTHER, "A"), Change="import", Import=SOURCE),
    commit(Release="golden/v3"),
    commit(touch("README.md")),
    ROOT,
]


@pytest.mark.parametrize("made", TAKEN)
@pytest.mark.parametrize("open_ones", [{}, {"exp-001": {}}])
def test_a_commit_is_taken_as_it_is_judged_noticed_and_taken_in(
    made: Commit, open_ones: dict[str, Any]
) -> None:
    void = json.dumps(CLOSED | {"decision": "void"})
    one, other = (begun(experiments=dict(open_ones)) for _ in range(2))
    found = one.take(made, blobs_of({"b": void}))
    assert found is not None
    assert [tuple(ruling) for ruling in found.rulings] == judged(other, made, b=void)
    assert list(found.notices) == noticed(other, made, b=void)
    assert found.frozen is bool(open_ones)
    assert found.kind is kind_of(made, begun=True)
    assert known(one) == known(after(other, made, b=void))


def test_what_comes_before_the_set_is_not_taken() -> None:
    assert Chain().take(commit(touch("README.md")), blobs_of({})) is None


def test_a_merge_breaks_the_line_but_beside_the_set_when_it_is_a_part() -> None:
    merged = [("merge", "a merge brought changes past the line of commits")]
    free = commit(touch("README.md"), parents=2)
    assert judged(begun(), free) == merged
    assert judged(begun(linear=False), free) == []
    assert judged(begun(linear=False), edit(parents=2)) == merged
    assert judged(Chain(), ROOT._replace(parents=("a", "b"))) == merged


def test_a_commit_of_no_kind_is_said_to_be_of_none() -> None:
    unknown = ("unknown_kind", "it is of no kind that the golden set knows")
    assert judged(begun(), commit(touch(CASE))) == [unknown]
    assert judged(begun(), commit(touch(CASE), parents=2))[1] == unknown


LACKS_ONE = ("approvals", "0 who did not write it approved it, 1 are needed")


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (edit(reviewed=()), [LACKS_ONE]),
        (
            edit(reviewed=("Ana",)),
            [("trailer", "a Reviewed-by names nobody"), LACKS_ONE],
        ),
        (
            edit(reviewed=("Ana", ANA)),
            [("trailer", "a Reviewed-by names nobody")],
        ),
        (
            edit(reviewed=("M <MIA@Example.org>",)),
            [
                ("own_approval", "mia@example.org wrote it and is named as its reviewer"),
                LACKS_ONE,
            ],
        ),
        (
            edit(reviewed=(ANA, ROB), also_by=(ANA,)),
            [("own_approval", "ana@example.org wrote it and is named as its reviewer")],
        ),
        (
            edit(Self_approved="yes"),
            [("self_approval", "it was self-approved, which the policy does not allow")],
        ),
        (edit(Self_approved="no"), []),
    ],
)
def test_whose_approval_does_not_count_is_said(made: Commit, found: list[tuple[str, str]]) -> None:
    assert judged(begun(), made) == found


def test_the_policy_says_how_many_approve_and_an_import_needs_one() -> None:
    two = begun(rulebook=Rulebook(2))
    lacks = [("approvals", "1 who did not write it approved it, 2 are needed")]
    assert judged(two, edit()) == lacks
    assert judged(two, edit(reviewed=(ANA, ANA))) == lacks
    assert judged(two, edit(reviewed=(ANA, ROB))) == []
    came = commit(touch(CASE, "A"), Change="import", Change_Id="x", Import=SOURCE, reviewed=(ANA,))
    assert judged(two, came) == []


def test_where_the_policy_lets_them_an_author_is_one_of_two() -> None:
    chain = begun(rulebook=Rulebook(2, self_approval=True))
    assert judged(chain, edit(Self_approved="yes")) == []
    assert judged(chain, edit())[0][0] == "approvals"


def test_people_are_told_apart_by_the_mailmap_before_the_commit() -> None:
    whole = {"/.mailmap": "Mia <mia@example.org> <kim@home.example>"}
    home = edit(reviewed=("Kim <KIM@home.example>",))
    found = judged(begun(mailmaps=whole), home)
    assert [rule for rule, _ in found] == ["own_approval", "approvals"]
    own = {".mailmap": "Kim <kim@else.example> <kim@home.example>"}
    assert judged(begun(mailmaps=own | whole), home) == []
    learnt = begun()
    assert judged(learnt, home) == []
    after(learnt, commit(touch(".mailmap"), Change="policy"), b=whole["/.mailmap"])
    assert judged(learnt, home) == found
    gone = after(begun(), commit(touch(".mailmap", "D"), Change="policy"))
    assert gone.mailmaps == {".mailmap": ""}
    shared = begun(mailmaps={".mailmap": "Mia <mia@example.org> Kim <team@example.org>"})
    team = "{} <team@example.org>"
    assert judged(shared, edit(reviewed=(team.format("Rob"),))) == []
    assert judged(shared, edit(reviewed=(team.format("Kim"),))) != []


def test_ids_of_changes_and_cases_are_used_once() -> None:
    chain = after(begun(), edit(touch(OTHER, "A"), Change_Id="one"))
    assert (chain.used_ids, chain.change_ids) == ({"q-0002"}, {"one"})
    assert judged(chain, edit()) == [("change_id", "the change one is on the branch twice")]
    again = edit(touch(OTHER, "A"), Case="q-0002", Change="add", Change_Id="two", Base_Blob="none")
    assert judged(chain, again) == [("id_reused", "the id q-0002 was used before")]
    assert judged(begun(), again) == []
    edited = edit(touch(OTHER), Case="q-0002", Change_Id="two")
    assert judged(chain, edited) == []


def test_taking_a_case_away_is_said_whatever_the_commit_calls_itself() -> None:
    found = judged(begun(), commit(touch(CASE, "D"), touch("README.md", "D")))
    assert found[1:] == [("case_removed", "it takes the case q-0001 away")]


def test_versions_come_one_by_one() -> None:
    assert judged(begun(), commit(Release="golden/v3")) == []
    for number in (2, 4):
        said = f"it releases v{number} after v2"
        assert judged(begun(), commit(Release=f"golden/v{number}")) == [("version_order", said)]
    assert judged(begun(), commit(Release="no")) == [("trailer", "'no' names no version")]
    assert after(begun(), commit(Release="golden/v3")).version == 3
    assert after(begun(), commit(Release="golden/v1")).version == 2
    assert after(begun(), commit(Release="no")).version == 2
    assert after(Chain(begun=True), commit(Release="no")).version == 0
    assert after(begun(), trial(Release="golden/v7")).version == 2
    other = judged(begun(), trial(touch(FIRST, "A"), Release="golden/v7"), b=json.dumps(OPEN))
    assert other == [("trailer", "a commit of kind experiment may not carry Release")]


def test_nothing_but_experiments_changes_while_one_is_open() -> None:
    chain = begun(experiments={"exp-002": OPEN, "exp-001": {}, "exp-003": CLOSED})
    assert list(chain.open) == ["exp-001", "exp-002"]
    said = f"{CASE} changed while exp-001, exp-002 was open"
    assert judged(chain, edit()) == [("frozen", said)]
    assert judged(chain, commit(touch("README.md"), touch("x")))[0] == (
        "frozen",
        "README.md changed while exp-001, exp-002 was open",
    )
    assert judged(chain, commit(touch("experiments/notes.md")))[0][0] == "unknown_kind"
    assert judged(chain, commit()) == []
    assert judged(begun(experiments={"exp-003": CLOSED}), edit()) == []


def test_no_baseline_is_set_while_an_experiment_is_open() -> None:
    made = commit(touch(BASELINE), Change="baseline", Change_Id="x", reviewed=(ANA,))
    said = "experiments/baseline.json changed while exp-001, exp-002 was open"
    both = {"exp-002": OPEN, "exp-001": OPEN}
    assert judged(begun(experiments=both), made) == [("frozen", said)]
    assert judged(begun(experiments={"exp-001": CLOSED}), made) == []


def test_a_commit_that_opens_an_experiment_freezes_itself() -> None:
    made = trial(touch("README.md"), touch(FIRST, "A"))
    found = judged(begun(), made, b=json.dumps(OPEN))
    assert ("frozen", "README.md changed while exp-001 was open") in found
    root = ROOT._replace(touched=(*ROOT.touched, touch(FIRST, "A")))
    assert judged(Chain(), root, b=json.dumps(OPEN)) == []


@pytest.mark.parametrize(
    "touched",
    [touch(FIRST, "D"), touch(FIRST, mode="120000"), touch(FIRST, new="z")],
    ids=["taken away", "a link", "not to be read"],
)
def test_what_does_not_say_that_it_is_closed_is_open(touched: Touched) -> None:
    chain = after(begun(experiments={"exp-001": CLOSED}), trial(touched), b=json.dumps(CLOSED))
    assert list(chain.open) == ["exp-001"]


def test_only_the_files_of_experiments_are_experiments() -> None:
    paths = [NUMBERS, BASELINE, "x/exp-004.json", "experiments/deep/exp-004.json", "exp-004.json"]
    chain = after(begun(), commit(*(touch(path) for path in paths)), b=json.dumps(OPEN))
    assert chain.experiments == {}


NEXT = (
    "is not the next number: {} in the commit before it; if the file of an experiment was "
    "removed, put it back from git's history first"
)


@pytest.mark.parametrize(
    ("known", "name", "said"),
    [
        ((), "exp-001", None),
        ((), "exp-002", "there is no experiment"),
        (("exp-001", "exp-002"), "exp-003", None),
        (("exp-009", "exp-002"), "exp-003", "exp-009 is the highest"),
        (("exp-999",), "exp-1000", None),
        (("exp-x", "exp-001"), "exp-002", None),
        (("exp-x",), "exp-001", None),
    ],
)
def test_experiments_are_numbered_one_by_one(
    known: tuple[str, ...], name: str, said: str | None
) -> None:
    chain = begun(experiments=dict.fromkeys(known, CLOSED))
    made = trial(touch(f"experiments/{name}.json", "A"), name=name)
    found = judged(chain, made, b=json.dumps(OPEN))
    expected = [("experiment_order", f"{name} {NEXT.format(said)}")] if said else []
    assert found == expected


def test_what_a_closed_experiment_says_is_final() -> None:
    chain = begun(experiments={"exp-001": CLOSED})
    found = judged(chain, trial(touch(FIRST), state="closed"), b=json.dumps(CLOSED | {"why": "x"}))
    assert found == [("experiment_closed", "exp-001 was closed and changed")]


def test_what_an_opening_pinned_stays_and_the_first_baseline_too() -> None:
    pinned = OPEN | {"hypothesis": "a", "version": "golden/v2", "baseline": None}
    chain = begun(experiments={"exp-001": pinned})
    made = trial(touch(FIRST))
    first = pinned | {"baseline": {"run": 1}, "results": [1]}
    assert judged(chain, made, b=json.dumps(first)) == []
    other = json.dumps(pinned | {"hypothesis": "b", "version": "golden/v3"})
    assert judged(chain, made, b=other) == [
        ("experiment_pinned", "version of exp-001 changed after it was opened"),
        ("experiment_pinned", "hypothesis of exp-001 changed after it was opened"),
    ]
    later = begun(experiments={"exp-001": first})
    assert judged(later, made, b=json.dumps(first | {"results": [1, 2]})) == []
    assert judged(later, made, b=json.dumps(pinned)) == [
        ("experiment_pinned", "baseline of exp-001 changed after it was opened"),
        ("experiment_pinned", "a result of exp-001 changed after it was opened"),
    ]
    for results in ([], [2], [2, 1], "1"):
        found = judged(later, made, b=json.dumps(first | {"results": results}))
        assert [message.split(" of ")[0] for _, message in found] == ["a result"]
    assert judged(chain, trial()) == []


def test_the_state_in_the_message_is_the_files() -> None:
    chain = begun(experiments={"exp-001": OPEN})
    said = "its Experiment-State is not {}, as exp-001 says"
    assert judged(chain, trial(touch(FIRST)), b=json.dumps(CLOSED)) == [
        ("trailer", said.format("closed"))
    ]
    assert judged(chain, trial(touch(FIRST), state="closed"), b=json.dumps(OPEN)) == [
        ("trailer", said.format("open"))
    ]


def promote(record: dict[str, Any], *touched: Touched, **more: Any) -> list[tuple[str, str]]:
    """What is wrong with a promote of exp-001 by that record."""
    text = json.dumps(CLOSED | {"decision": "promote"} | record)
    made = trial(touch(FIRST), *touched, state="closed", **more)
    return judged(begun(experiments={"exp-001": OPEN}), made, b=text)


NO_GATE = ("gate", "exp-001 was promoted, and its record has no gate that passes")


def test_a_promote_has_a_gate_that_passes_last_and_sets_the_baseline() -> None:
    assert promote(PASSED, touch(BASELINE)) == []
    assert promote(PASSED) == [
        ("wrong_change", "exp-001 was promoted and experiments/baseline.json is as before")
    ]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"results": []},
        {"results": "pass"},
        {"results": ["pass"]},
        {"results": [{"gate": "pass"}]},
        {"results": [{}]},
        {"results": [{"gate": {"result": "undecided"}}]},
        {"results": [*PASSED["results"], {"gate": {"result": "fail"}}]},
    ],
)
def test_a_promote_whose_record_has_no_gate_that_passes_needs_who_overrode_it(
    record: dict[str, Any],
) -> None:
    assert promote(record, touch(BASELINE)) == [NO_GATE]
    given = promote(record, touch(BASELINE), Override="Legal needs it.", reviewed=(ANA,))
    assert given == []
    nobody = promote(record, touch(BASELINE), Override="Legal needs it.")
    assert nobody == [("trailer", "an Override names nobody who gave it")]


def test_only_a_promote_touches_the_baseline() -> None:
    chain = begun(experiments={"exp-001": OPEN})
    made = trial(touch(FIRST), touch(BASELINE), state="closed")
    found = judged(chain, made, b=json.dumps(CLOSED | {"decision": "reject"}))
    assert found == [("wrong_path", "it touches experiments/baseline.json without promoting")]


@pytest.mark.parametrize(
    ("made", "notices"),
    [
        (
            commit(touch(CASE, "A"), touch(OTHER, "A"), Change="import", Import=SOURCE),
            [Notice("import", f"2 cases came in one import: {SOURCE}")],
        ),
        (
            edit(Self_approved="yes"),
            [Notice("self_approved", "an author's own approval counted")],
        ),
        (edit(Self_approved="no", Baseline_Fails="no"), []),
        (
            edit(Baseline_Fails="yes"),
            [Notice("baseline_fails", "the baseline failed the case that this changed")],
        ),
        (
            trial(touch(FIRST), Override="Legal needs it."),
            [Notice("override", "promoted against the gate: Legal needs it.")],
        ),
    ],
)
def test_what_is_allowed_and_worth_knowing(made: Commit, notices: list[Notice]) -> None:
    assert noticed(begun(), made) == notices


def test_an_experiment_that_was_declared_void_is_noticed() -> None:
    made = trial(touch(FIRST), state="closed")
    void = json.dumps(CLOSED | {"decision": "void"})
    assert noticed(begun(), made, b=void) == [Notice("void", "exp-001 was declared void")]
    assert noticed(begun(), made, b=json.dumps(CLOSED | {"decision": "reject"})) == []


def test_a_policy_that_cannot_be_read_leaves_the_rules_as_they_were() -> None:
    chain = begun(rulebook=Rulebook(3))
    made = commit(touch(POLICY), Change="policy")
    assert after(chain, made, b="approvals = ").rulebook == Rulebook(3)
    assert after(chain, made, b="approvals = 2 # \N{EM DASH}").rulebook == Rulebook(2)
    assert after(chain, commit(touch(POLICY, "D"), Change="policy")).rulebook == Rulebook(1)
    strange = blobs_of({"b": b"approvals = 4 # \xff", "c": b"A <a@b> # \xff"})
    chain.take(made, strange)
    chain.take(commit(touch(".mailmap", new="c")), strange)
    assert chain.rulebook == Rulebook(4)
    assert chain.mailmaps == {".mailmap": "A <a@b> # \ufffd"}


def test_the_blobs_that_a_walk_asks_for_are_few_and_each_once() -> None:
    commits = [
        commit(touch(POLICY, new="b"), touch(CASE, new="c"), touch("x/exp-001.json", new="d")),
        commit(touch(FIRST, new="e"), touch(".mailmap", new="f"), touch("/.mailmap", new="1")),
        commit(touch(POLICY, new="b"), touch(BASELINE, new="2")),
    ]
    assert needed_blobs(commits) == [letter * 40 for letter in "bef1"]


SEEN_TWICE = (
    edit(),
    edit(reviewed=()),
    edit(reviewed=(MIA,)),
    edit(reviewed=(ANA,), also_by=(ANA,)),
    edit(Self_approved="yes"),
    commit(touch(CASE, "A"), Change="import", Change_Id="x", Import=SOURCE, reviewed=(ANA,)),
)


@pytest.mark.parametrize("second", SEEN_TWICE)
@pytest.mark.parametrize("first", SEEN_TWICE)
def test_the_people_of_a_commit_are_judged_by_what_they_did_in_it(
    first: Commit, second: Commit
) -> None:
    """Alike people are judged once: never those of one commit for another's."""

    def of_people(chain: Chain) -> list[tuple[str, str]]:
        rules = {"approvals", "own_approval", "self_approval"}
        return [said for said in judged(chain, second) if said[0] in rules]

    two = Rulebook(2)
    assert of_people(after(begun(rulebook=two), first)) == of_people(begun(rulebook=two))


def test_an_approver_who_looks_like_a_writer_is_noticed_in_a_clause() -> None:
    twin = "Mia Kim <mia.kim@example.org>"
    (noticed_of_author,) = noticed(begun(), edit(reviewed=(twin,)))
    assert noticed_of_author.kind == "look_alike"
    assert "mia.kim@example.org" in noticed_of_author.message
    also = "Ana Ruiz <ana@elsewhere.example>"
    (noticed_of_another,) = noticed(begun(), edit(reviewed=(ANA, ROB), also_by=(also,)))
    assert "ana@elsewhere.example" in noticed_of_another.message
    assert noticed(begun(), edit(reviewed=(ANA, ROB))) == []


@pytest.mark.parametrize("email", ["", " ", "\u200b"])
def test_an_author_who_is_nobody_is_said(email: str) -> None:
    nobody = edit()._replace(author_email=email)
    found = [said for said in judged(begun(), nobody) if said[0] == "author"]
    assert found == [("author", f"its author's address <{email}> is nobody's")]


def test_cases_from_before_the_set_are_named_by_its_first_commit() -> None:
    early = commit(touch(OTHER, "A"), touch(CASE, "A"))
    chain = after(Chain(), early)
    assert judged(chain, ROOT) == [
        ("case_place", "the set begins with cases that were there before it, such as q-0001")
    ]
    gone = after(chain, commit(touch(CASE, "D")))
    assert "such as q-0002" in judged(gone, ROOT)[0][1]
    assert judged(after(gone, commit(touch(OTHER, "D"))), ROOT) == []


def test_the_root_says_how_many_cases_it_brings() -> None:
    root = ROOT._replace(touched=(*ROOT.touched, touch(CASE, "A"), touch(OTHER, "A")))
    (notice,) = noticed(Chain(), root)
    assert notice.message == "the first commit of the set has no approvers; case files in it: 2"
