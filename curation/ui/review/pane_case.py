"""The case pane as the browser is told to draw it: the fields in their order."""

from collections.abc import Sequence

from curation.domain.case import Answerable, Case
from curation.domain.review import FailureCategory
from curation.domain.visible import shown
from curation.ui.review.board import Board
from curation.ui.review.fields import Document, field, was
from curation.ui.review.marks import fact_marks
from curation.ui.review.pane_rows import evidence_rows, fact_rows
from curation.ui.review.sight import Sight
from curation.ui.review.texts import Texts

_CHOICES = (
    (Answerable.ANSWERABLE, "5", "Yes", "the corpus can answer it"),
    (Answerable.UNANSWERABLE, "6", "No", "the corpus cannot answer it"),
    (Answerable.PARTIAL, "7", "In part", "the corpus answers a part of it"),
    (Answerable.UNDERSPECIFIED, "8", "Unclear", "the question has several readings"),
)
_PLACEHOLDERS = {
    Answerable.ANSWERABLE: "One right answer, in your own words",
    Answerable.UNANSWERABLE: "What a right answer says when it declines (optional)",
    Answerable.PARTIAL: "What can be answered, and what the corpus does not say",
    Answerable.UNDERSPECIFIED: "What a right answer asks back",
}


def case_pane(sight: Sight, board: Board, texts: Texts) -> Document:
    """Return the case's fields in the order in which a person works."""
    base = sight.base
    return {
        "label": f"Case {base.id}, an edit" if base else "Case",
        "title": f"Edit of {base.id}. What you change shows its old value." if base else "",
        "answerable": _answerable(sight, board),
        "reference": _reference(sight, board, texts),
        "extra": _extra(board),
        "facts": fact_rows(sight, board),
        "evidence": evidence_rows(sight, board, texts),
        "failure": failure_line(sight, board),
        "details": _details(sight, board),
    }


def _answerable(sight: Sight, board: Board) -> Document:
    chosen = board.draft.answerable
    old = sight.base.answerable if sight.base else chosen
    words = {choice: label for choice, _, label, _ in _CHOICES}
    return {
        "label": "Can the corpus answer it?",
        "old": f"was: {words[old]}" if old is not chosen else "",
        "choices": [
            {
                "value": choice.value,
                "key": key,
                "label": label,
                "about": about,
                "on": choice is chosen,
            }
            for choice, key, label, about in _CHOICES
        ],
    }


def _reference(sight: Sight, board: Board, texts: Texts) -> Document:
    """Return the reference field; it starts empty, always."""
    draft = board.draft
    return field(
        board,
        "reference",
        "Reference answer",
        kind="area",
        rows=3,
        key="W",
        placeholder=_PLACEHOLDERS[draft.answerable],
        text=texts.add(draft.reference),
        marks=[list(mark) for mark in fact_marks(sight.checked.reference)],
        old=was(sight.base.reference, draft.reference) if sight.base else "",
    )


def _extra(board: Board) -> Document | None:
    """Return the line that the choice of answerable asks for."""
    match board.draft.answerable:
        case Answerable.UNANSWERABLE:
            return field(
                board,
                "missing",
                "What is missing in the corpus",
                placeholder="A word on it, or search once with /",
            )
        case Answerable.PARTIAL:
            return field(
                board,
                "declines",
                "What is missing",
                kind="area",
                rows=1,
                placeholder="What a right answer must say is not known; one thing a line",
            )
        case Answerable.UNDERSPECIFIED:
            return field(
                board,
                "readings",
                "Which readings are possible",
                kind="area",
                rows=2,
                placeholder="One reading a line",
            )
        case _:
            return None


def failure_line(sight: Sight, board: Board) -> Document:
    """Return the sentence that says where it failed, as proposed or as a person chose it."""
    proposal, mine = sight.checked.failure, board.draft.failure
    category = mine or proposal.category
    chosen = mine is not None
    because = proposal.because.removeprefix("because ").rstrip(".")
    lead = "yours" if chosen else "proposed" if category else "nothing proposed"
    return {
        "lead": lead if category or not because else f"{lead}, because {because}",
        "category": category.value if category else "",
        "stage": category.stage if category else "",
        "because": "" if chosen or not category else because,
        "choices": _failure_choices(mine, proposal.category),
        "why": field(board, "failure_why", "Why it is no failure", placeholder="A word of why")
        if category is FailureCategory.NONE
        else None,
    }


def _failure_choices(
    mine: FailureCategory | None, proposed: FailureCategory | None
) -> list[Document]:
    """Return what can be chosen; the first entry follows the proposal again."""
    follow = f"follow the proposal ({proposed.value})" if proposed else "follow the proposal"
    choices: list[Document] = [{"value": "", "label": follow, "on": mine is None}]
    for category in FailureCategory:
        stage = f" · fix: {category.stage}" if category.stage else ""
        choices.append(
            {"value": category.value, "label": category.value + stage, "on": category is mine}
        )
    return choices


def _details(sight: Sight, board: Board) -> Document:
    """Return the folded details; their label shows the values."""
    case = sight.case
    proposed = " (proposed)" if board.draft.question_type is None and sight.base is None else ""
    summary = " · ".join(
        (
            f"{_spaced(case.question_type)}{proposed}",
            f"slice {shown(case.slice)}",
            f"weight {case.weight:g}",
            f"version {shown(case.doc_version or '–')}",
        )
    )
    return {
        "summary": summary,
        "fields": [
            *_question_fields(sight, board),
            *_set_fields(sight, board),
            *_word_fields(sight, board),
        ],
    }


def _question_fields(sight: Sight, board: Board) -> list[Document]:
    case, base = sight.case, sight.base
    return [
        field(
            board,
            "question",
            "Question as the case asks it",
            kind="area",
            rows=1,
            value=case.question,
            old=_old(base, "question", case.question),
        ),
        field(
            board,
            "standalone_question",
            "Stand-alone form",
            kind="area",
            rows=1,
            placeholder="For tools that take a single turn",
            old=_old(base, "standalone_question", case.standalone_question),
        ),
    ]


def _set_fields(sight: Sight, board: Board) -> list[Document]:
    case, base, policy = sight.case, sight.base, sight.policy
    proposed = case.question_type if board.draft.question_type is None and base is None else None
    fields = [
        field(
            board,
            "question_type",
            "Question type",
            kind="select",
            value=case.question_type,
            options=_types(policy.question_types, case.question_type, proposed),
            old=_old(base, "question_type", case.question_type),
        ),
        field(
            board,
            "slice",
            "Slice",
            kind="select",
            value=case.slice,
            options=_options(tuple(policy.slices), case.slice),
            old=_old(base, "slice", case.slice),
        ),
    ]
    if board.draft.answerable is Answerable.UNANSWERABLE:
        mine = case.category or ""
        offered = mine if mine and board.draft.category is None and base is None else None
        options = _options(("", *sight.categories), mine, proposed=offered)
        fields.append(
            field(board, "category", "Category", kind="select", value=mine, options=options)
        )
    else:
        fields.append(_static("category", "Category", ", ".join(sight.categories) or "–"))
    fields.append(
        field(
            board,
            "weight",
            "Weight",
            kind="number",
            old=_old(
                base, "weight", f"{case.weight:g}", before=f"{base.weight:g}" if base else None
            ),
        )
    )
    fields.append(_static("doc_version", "Document version", shown(case.doc_version or "–")))
    return fields


def _word_fields(sight: Sight, board: Board) -> list[Document]:
    draft = board.draft
    needed = "needed for an edit" if sight.base else sight.prefilled_reason
    others = [
        field(board, f"other:{i}", f"Other reference {i + 1}", kind="area", rows=1)
        for i in range(len(draft.other_references) + 1)
    ]
    return [
        field(board, "reason", "Why this case", kind="area", rows=1, placeholder=shown(needed)),
        *others,
        field(
            board, "notes", "Notes", kind="area", rows=1, old=_old(sight.base, "notes", draft.notes)
        ),
    ]


def _static(name: str, label: str, value: str) -> Document:
    return {"kind": "static", "id": name, "label": label, "value": shown(value)}


def _spaced(name: str) -> str:
    """Return the name of a question type as people read it."""
    return shown(name.replace("_", " "))


def _types(known: Sequence[str], current: str, proposed: str | None) -> list[Document]:
    """Return the question types, with the proposed one marked."""
    offered = _options(known, current, proposed=proposed)
    return [{**one, "label": _spaced(str(one["label"]))} for one in offered]


def _options(known: Sequence[str], current: str, *, proposed: str | None = None) -> list[Document]:
    """Return the choices of a list; a current value that the policy does not list stays."""
    values = [*known, *([current] if current not in known else [])]
    return [
        {
            "value": value,
            "label": f"{shown(value)} (proposed)" if value == proposed else shown(value) or "–",
        }
        for value in values
    ]


def _old(base: Case | None, name: str, now: str | None, *, before: str | None = None) -> str:
    """Return the old value of a field that an edit changed."""
    if base is None:
        return ""
    return was(before if before is not None else str(getattr(base, name) or ""), now)
