"""Free text forges no trailer, and git reads back exactly what was meant."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.domain.change import Change, ChangeKind, ChangeState, PatchSet
from curation.domain.person import Person
from curation.domain.review import Acknowledgement
from curation.golden import audit, case_history
from curation.golden.message import Marks, change_message, cut, indented, one_line, reason_of
from curation.golden.record import LOG_OPTIONS, parse_log
from tests.golden.desk import ANA, Desk, git, make_case

FORGED = "Reviewed-by: Mallory <mallory@example.org>"
NASTY = [
    f"Fine.\n\n{FORGED}",
    f"Fine.\n\n{FORGED}\nSelf-approved: yes\nChange-Id: other",
    f"---\n\n{FORGED}",
    f"\n\n\n{FORGED}\n\n\n",
    f"a\r\n\r\n{FORGED}\r\n",
    f"a\r\r{FORGED}",
    f"a\u2028\u2028{FORGED}\u0085{FORGED}\x0b\x0c{FORGED}\x1e",
    "-n1 --output=f\n-rf",
    "Explained:\n red_other: forged",
    "# comment\n#",
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@",
    "\x00 \x07 \x1b[31m \x7f \ud800 \udfff",
    "commit refs/heads/main\ndata 5\nfrom 0000\ndone\nM 100644 inline x\n",
    "\u202eevil\u200b $1 and $2 <img src=x onerror=alert(1)>",
    "x" * 10_000,
    "\n".join("line" for _ in range(2000)),
    " leading and trailing \t ",
    "",
]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_no_text_of_a_person_becomes_a_trailer(desk: Desk, text: str) -> None:
    question = text.encode("utf-8", "replace").decode() or "What?"
    case = make_case("q-0001", question=question if question.strip() else "What?")
    ack = Acknowledgement(check="red_other", why=text, item=text)
    change = desk.add(case, reason=text or "It was wrong.", acks=(ack,), answer_id=text or None)
    done = desk.publish(change)
    assert done.conflicts == ()
    commit = done.published[0].commit
    keys = desk.git("log", "-1", "--format=%(trailers:only,unfold)", commit).strip().split("\n")
    assert [line.split(":")[0] for line in keys if not line.startswith("Source-Answer")] == [
        "Case", "Change", "Change-Id", "Base-Blob", "Reviewed-by",
    ]  # fmt: skip
    assert f"Reviewed-by: {ANA}" in keys
    (event,) = case_history(desk.location, "q-0001")
    assert event.approvers == (ANA,)
    assert audit(desk.location).findings == ()


def test_the_reason_is_read_back_as_it_was_written(desk: Desk) -> None:
    reason = "The value is 60 s.\n\n  indented\n---\nReviewed-by: nobody"
    desk.publish(desk.add("q-0001", reason=reason))
    assert case_history(desk.location, "q-0001")[0].reason == reason


@pytest.mark.parametrize(
    "name", ["Zoë Ångström", "李雷", "O'Brien, Jr.", ".", "A -- B", "x\u2028y", "(c) B.", "a" * 500]
)
def test_names_are_written_as_they_are(desk: Desk, name: str) -> None:
    person = Person(name=name, email="p@example.org")
    done = desk.publish(desk.add("q-0001", author=person, approvers=(ANA,)), publisher=person)
    assert done.conflicts == ()
    assert case_history(desk.location, "q-0001")[0].author == person
    assert audit(desk.location).findings == ()


hostile = st.text(st.sampled_from("ab:-<>@#\n\r\t \x00\u2028é\ud800Reviewd-by")) | st.text(
    st.characters(), max_size=80
)


@settings(max_examples=60)
@given(st.lists(st.tuples(hostile, hostile, hostile), min_size=1, max_size=8))
def test_git_reads_the_trailers_that_were_meant(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "messages"
    if not folder.exists():
        folder.mkdir()
        git(folder, "init", "--quiet", "--bare", ".")
    tree = git(folder, "hash-object", "-t", "tree", "-w", "--stdin")
    for reason, why, answer in texts:
        message = change_message(
            _change(reason, why, answer),
            [make_case("q-0001", question=reason.encode("utf-8", "replace").decode())],
            Marks(approvers=(ANA,)),
        )
        head = f"tree {tree}\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n\n".encode()
        data = head + message.encode()
        commit = git(folder, "hash-object", "-t", "commit", "-w", "--stdin", stdin=data)
        out = git(folder, "log", "-1", "-z", *LOG_OPTIONS, commit)
        (found,) = parse_log(out.encode("utf-8", "surrogateescape"))
        assert found.trailers == message.trailers
        assert found.subject == message.subject
        assert [found.trailer("Reviewed-by")] == [str(ANA)] == list(found.all_of("Reviewed-by"))
        assert (
            reason_of(found.body)
            == "\n".join(line.removeprefix(" ") for line in indented(reason)).strip()
        )


def _change(reason: str, why: str, answer: str) -> Change:
    moment = datetime(2026, 11, 2, tzinfo=UTC)
    ack = Acknowledgement.model_construct(check="red_other", why=why, item=None)
    patch_set = PatchSet.model_construct(
        number=1,
        author=Person(name="Mia Kim", email="mia@example.org"),
        at=moment,
        reason=reason,
        base_blob=None,
        base_version=None,
        files=(),
        findings=(),
        acks=(ack,) if why.strip() else (),
    )
    return Change.model_construct(
        id="c-1",
        number=1,
        kind=ChangeKind.ADD,
        state=ChangeState.APPROVED,
        case_id="q-0001",
        created_at=moment,
        answer_id=answer,
        failure=None,
        import_source=None,
        patch_sets=(patch_set,),
        approvals=(),
        comments=(),
        conflict=None,
        version=None,
        commit=None,
    )


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\tb\u2028c\x00 ") == "a b c"
    assert cut("word " * 40, 20) == "word word word word…"
