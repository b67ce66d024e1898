"""`curation review`: show an answer, finish it with a case or a dismissal."""

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli.files import acknowledgements, read_document
from curation.cli.frame import ME, As, Frame, Home, Json, Reason, frame
from curation.cli.show import finding_documents, finding_lines
from curation.domain.review import FailureCategory, Verdict
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.services.verdicts import Dismissal as Dismissed

app = typer.Typer(help="Review one answer.", no_args_is_help=True)

Ack = Annotated[list[str] | None, typer.Option("--ack", help="CHECK=WHY: why a warning is right.")]


class Dismissal(StrEnum):
    """How an answer is dismissed."""

    RIGHT = "right"
    DUPLICATE = "duplicate"
    NOT_ACTIONABLE = "not-actionable"

    @property
    def verdict(self) -> Verdict:
        """The verdict that is stored."""
        return Verdict(self.value.replace("-", "_"))


class FinishUsageError(CurationError):
    """`review finish` was given neither or both of its two forms."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__("Nothing was finished. Give either --case FILE or --dismiss VERDICT.")


@app.command()
def show(
    answer_id: Annotated[str, typer.Argument(metavar="ANSWER")],
    as_: Annotated[
        str | None, typer.Option("--as", help=f"Whose draft to show: {ME}", show_default=False)
    ] = None,
    show_judge: Annotated[
        bool, typer.Option("--show-judge", help="Show judge scores; this review is then not blind.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show an answer, the proposed failure category and the draft."""
    from curation.services.answer_view import answer_document, show_answer

    with frame(home, as_json) as run:
        person = run.person_here(as_)
        workspace = run.workspace()
        shown = show_answer(
            workspace, answer_id, person=person, show_judge=show_judge, now=datetime.now(UTC)
        )
        document = answer_document(shown)
        run.emit(document, _answer_lines(document))


def _answer_lines(document: dict[str, Any]) -> list[str]:
    """Return an answer for people."""
    answer = document["answer"]
    lines = [f"Question  {answer['question']}", f"Answer    {answer['answer']}"]
    lines += [
        f"#{hit['rank']} {hit['chunk_id']} {hit['doc_version'] or ''}".rstrip()
        for hit in answer["retrieved"]
    ]
    lines += [
        f"{signal['kind']}: {signal['comment'] or ''}".rstrip() for signal in answer["signals"]
    ]
    suggested = document["suggested_failure"]
    return [*lines, f"Where it failed (proposed): {suggested['category'] or '-'}"]


@app.command()
def finish(
    answer_id: Annotated[str, typer.Argument(metavar="ANSWER")],
    as_: As = None,
    case: Annotated[Path | None, typer.Option("--case", help="The case, as JSON.")] = None,
    dismiss: Annotated[Dismissal | None, typer.Option("--dismiss")] = None,
    duplicate_of: Annotated[
        str | None, typer.Option("--of", help="The case that it duplicates.")
    ] = None,
    reason: Reason = "",
    failure: Annotated[
        FailureCategory | None,
        typer.Option("--failure", help="Where it failed; also of a duplicate."),
    ] = None,
    missing: Annotated[
        str, typer.Option("--missing", help="What the corpus lacks (unanswerable).")
    ] = "",
    ack: Ack = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Finish a review: propose the case of a file, or dismiss the answer."""
    from curation.services.verdicts import Dismissal as Dismissed

    with frame(home, as_json) as run:
        if (case is None) == (dismiss is None):
            raise FinishUsageError
        if case is not None:
            _propose(
                run,
                answer_id,
                case,
                as_=as_,
                reason=reason,
                failure=failure,
                extra=(missing, ack or []),
            )
        elif dismiss is not None:
            dismissed = Dismissed(
                verdict=dismiss.verdict, reason=reason, duplicate_of=duplicate_of, failure=failure
            )
            _dismiss(run, answer_id, dismissed, as_=as_)


def _propose(
    run: Frame,
    answer_id: str,
    case: Path,
    *,
    as_: str | None,
    reason: str,
    failure: FailureCategory | None,
    extra: tuple[str, list[str]],
) -> None:
    """Propose a case; errors among the findings end with 1 and propose nothing."""
    from curation.services import review
    from curation.services.cases import CaseFile
    from curation.services.errors import BlockedError, UnexplainedError

    missing, acks = extra
    try:
        done = review.finish_with_file(
            run.workspace(),
            run.person(as_),
            answer_id,
            CaseFile(
                document=read_document(case),
                where=str(case),
                reason=reason,
                acks=acknowledgements(acks),
                failure=failure,
                missing=missing,
            ),
            now=datetime.now(UTC),
        )
    except (BlockedError, UnexplainedError) as refusal:
        refuse(run, refusal)
        return
    number = done.change.shown_number
    run.emit(
        {
            "change_id": done.change.id,
            "number": done.change.number,
            "case_id": done.case_id,
            "findings": finding_documents(done.findings),
        },
        [
            f"Proposed as change {number} ({done.case_id}). It waits for a second person.",
            *finding_lines(done.findings),
        ],
    )


def refuse(run: Frame, refusal: "BlockedError | UnexplainedError") -> None:  # type: ignore[name-defined]  # noqa: F821
    """Print why nothing was proposed, with every finding, and end with 1."""
    run.status = 1
    run.emit(
        {
            "change_id": None,
            "case_id": None,
            "findings": finding_documents(refusal.findings),
            "error": str(refusal),
        },
        finding_lines(refusal.findings),
    )
    run.tell(str(refusal))


def _dismiss(run: Frame, answer_id: str, dismissal: "Dismissed", *, as_: str | None) -> None:
    """Dismiss an answer."""
    from curation.services.verdicts import dismiss

    review = dismiss(run.workspace(), run.person(as_), answer_id, dismissal, now=datetime.now(UTC))
    verdict = review.verdict.value.replace("_", "-")
    run.emit(
        {
            "answer_id": answer_id,
            "verdict": verdict,
            "reason": review.reason,
            "failure": review.failure,
        },
        [f"{answer_id} is dismissed: {verdict}."],
    )


def register(root: typer.Typer) -> None:
    """Add the command family to the command line."""
    root.add_typer(app, name="review")
