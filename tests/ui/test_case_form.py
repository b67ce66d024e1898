"""The form that edits a case."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.case import Case, Evidence, Fact, Facts, ForbiddenFact
from curation.domain.chunk import Chunk
from curation.domain.policy import Policy
from curation.services.corpus import FoundChunk
from curation.ui.case_form import draw_edit, edited_document
from curation.ui.evidence_form import Picking

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
IDS = st.lists(st.integers(1, 99), unique=True, max_size=5).map(lambda ns: [f"f{n}" for n in ns])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    ids = draw(IDS)
    made: dict[str, list[Any]] = {"required": [], "optional": [], "forbidden": []}
    for fact_id in ids:
        kind = draw(st.sampled_from(sorted(made)))
        common = {
            "id": fact_id,
            "text": draw(TEXT),
            "any_of": tuple(draw(st.lists(TEXT, max_size=2))),
            "evidence": ("e1",),
        }
        if kind == "forbidden":
            made[kind].append(ForbiddenFact(**common, value_of=draw(st.none() | TEXT.filter(bool))))
        else:
            made[kind].append(Fact(**common))
    return Case(
        id="q-0001",
        question=draw(TEXT),
        reference=draw(TEXT),
        standalone_question=draw(st.none() | TEXT.filter(bool)),
        notes=draw(TEXT),
        weight=draw(st.integers(1, 100) | st.floats(0.001, 100)),
        other_references=tuple(draw(st.lists(TEXT.filter(str.strip), max_size=2))),
        readings=tuple(draw(st.lists(TEXT.filter(str.strip), max_size=2))),
        facts=Facts(**{kind: tuple(facts) for kind, facts in made.items()}),
        evidence=(Evidence(id="e1", group="e1", chunk_id="c", doc_id="d", quote=draw(TEXT)),),
    )


def shown_fields(case: Case) -> dict[str, str]:
    """Return what a browser sends of the form as it was drawn."""
    fields: dict[str, str] = {}

    def walk(part: Any) -> None:
        if not isinstance(part, dict):
            return
        attributes = part.get("a", {})
        if "data-field" in attributes:
            fields[attributes["data-field"]] = value_of(part)
        for child in part.get("x", ()):
            walk(child)

    for part in draw_edit(case, Policy(), ()):
        walk(part)
    return fields


def value_of(part: dict[str, Any]) -> str:
    """Return the value that a browser gives a field: line ends are `\\n` there."""
    if part["t"] == "select":
        chosen = [o for o in part["x"] if o["a"].get("selected")]
        return str((chosen or part["x"])[0]["a"]["value"])
    text = part["a"]["value"] if part["t"] == "input" else "".join(part.get("x", ()))
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines.replace("\n", "") if part["t"] == "input" else lines


@given(cases())
def test_a_form_that_nobody_changed_changes_nothing(case: Case) -> None:
    document = edited_document(case, shown_fields(case))
    assert document == case.model_dump(mode="json", by_alias=True)


@given(cases(), TEXT.filter(str.strip))
def test_a_typed_reference_is_stored_byte_for_byte(case: Case, text: str) -> None:
    fields = shown_fields(case) | {"edit.reference": text}
    shown = case.reference.replace("\r\n", "\n").replace("\r", "\n")
    wanted = case.reference if text == shown else text
    assert edited_document(case, fields)["reference"] == wanted


def test_facts_move_go_and_come() -> None:
    case = Case(
        id="q-0001",
        question="?",
        facts=Facts(
            required=(Fact(id="f1", text="a"), Fact(id="f3", text="b")),
            forbidden=(ForbiddenFact(id="f7", text="c", value_of="3.4"),),
        ),
    )
    fields = shown_fields(case) | {
        "edit.fact.f1.kind": "optional",
        "edit.fact.f3.kind": "removed",
        "edit.fact.new0.text": "d",
        "edit.fact.new0.kind": "forbidden",
        "edit.fact.new0.value_of": "3.5",
    }
    facts = edited_document(case, fields)["facts"]
    assert facts["required"] == []
    assert [f["id"] for f in facts["optional"]] == ["f1"]
    assert [(f["id"], f["text"], f["value_of"]) for f in facts["forbidden"]] == [
        ("f7", "c", "3.4"),
        ("f8", "d", "3.5"),
    ]


def test_a_taken_chunk_becomes_evidence_of_the_fact_and_group_that_were_chosen() -> None:
    case = Case(
        id="q-0001",
        question="?",
        facts=Facts(required=(Fact(id="f1", text="a", evidence=("e2",)),)),
        evidence=(Evidence(id="e2", group="g7", chunk_id="c", doc_id="d"),),
    )
    chunk = Chunk(chunk_id="n", doc_id="m", doc_version="4.2", text="words that prove")
    found = FoundChunk(chunk=chunk, score=1.0)
    other = FoundChunk(chunk=chunk.model_copy(update={"chunk_id": "o"}), score=0.5)
    picking = Picking(words="w", hits=(found, other))
    picking = picking.with_taken("0").with_taken("0").with_taken("1").with_taken("9")
    assert [number for number, _ in picking.taken] == [0, 1]
    fields = {
        "edit.evidence.e2": "removed",
        "edit.evidence.new0.quote": " that prove\n",
        "edit.evidence.new0.fact": "f1",
        "edit.evidence.new0.group": "g7",
        "edit.evidence.new1.fact": "new1",
        "edit.fact.new1.text": "b",
    }
    document = edited_document(case, fields, picking)
    assert [
        (one["id"], one["group"], one["chunk_id"], one["doc_version"], one["quote"])
        for one in document["evidence"]
    ] == [("e3", "g7", "n", "4.2", "that prove"), ("e4", "e4", "o", "4.2", "")]
    assert [(f["id"], f["evidence"]) for f in document["facts"]["required"]] == [
        ("f1", ["e3"]),
        ("f2", ["e4"]),
    ]
    assert [number for number, _ in picking.without("0").with_taken("0").taken] == [1, 2]
