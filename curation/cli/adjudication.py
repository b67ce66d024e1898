"""`curation review unsettled` and `settle`: which of two people's verdicts on an answer stands."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curation.cli import review
from curation.cli.frame import As, Home, Json, Looker, Reason, frame
from curation.errors import CurationError

if TYPE_CHECKING:
    from curation.domain.adjudication import Contest, Given


class SettleUsageError(CurationError):
    """`review settle` was given neither or both of its two forms."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__("Nothing was settled. Give either --stands EMAIL or --take-back.")


@review.app.command("unsettled")
def unsettled(by: Looker = None, home: Home = None, as_json: Json = False) -> None:
    """List answers on which two people's verdicts cannot both stand, with both of them."""
    with frame(home, as_json) as run:
        from curation.services.adjudication import contests

        found = [one for one in contests(run.workspace(), run.person_here(by)) if one.is_open]
        lines = [line for one in found for line in _lines(one)]
        run.emit(
            {"unsettled": [_document(one) for one in found]},
            lines or ["Nothing is to settle that you may see."],
        )


@review.app.command("settle")
def settle(
    answer_id: Annotated[str, typer.Argument(metavar="ANSWER")],
    as_: As = None,
    stands: Annotated[
        str | None, typer.Option("--stands", metavar="EMAIL", help="Whose verdict stands.")
    ] = None,
    reason: Reason = "",
    back: Annotated[
        bool, typer.Option("--take-back", help="Open it again, as it was before.")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Let one of two people's verdicts stand; the other's change is withdrawn."""
    with frame(home, as_json) as run:
        from curation.services import adjudication

        if back == (stands is not None):
            raise SettleUsageError
        workspace, person = run.workspace(), run.person(as_)
        if stands is None:
            done = adjudication.take_back(workspace, answer_id, person=person)
            said = f"{answer_id} is to settle again."
        else:
            done = adjudication.let_stand(
                workspace, answer_id, stands, person=person, reason=reason, now=datetime.now(UTC)
            )
            said = adjudication.settled_words(done)
        run.emit(_document(done), [said])


def _document(contest: "Contest") -> dict[str, Any]:
    """Return both verdicts and what was settled."""
    said = contest.settled
    return {
        "answer_id": contest.answer_id,
        "question": contest.question,
        "open": contest.is_open,
        "verdicts": [_verdict(one, contest) for one in contest.given],
        "settled": said
        and {"by": str(said.person), "at": said.at.isoformat(), "reason": said.reason},
    }


def _verdict(given: "Given", contest: "Contest") -> dict[str, Any]:
    review_ = given.review
    return {
        "person": str(review_.person),
        "verdict": review_.verdict.value,
        "reason": review_.reason,
        "at": review_.at.isoformat(),
        "blind": review_.blind,
        "failure": review_.failure,
        "change": given.change_number,
        "change_state": given.change_state,
        "duplicate_of": review_.duplicate_of,
        "stands": given.review_id == contest.decides,
    }


def _lines(contest: "Contest") -> list[str]:
    """Return both verdicts for people, each with who, when and why."""
    from curation.domain.adjudication import verdict_words

    return [
        f"{contest.answer_id}  {' '.join(contest.question.split())[:80]}",
        *(
            f"   {one.review.person}, {one.review.at:%d %b %H:%M} UTC: {verdict_words(one)} · "
            f"{one.review.reason}"
            for one in contest.given
        ),
    ]


def register(root: typer.Typer) -> None:
    """Add nothing more: the commands hang under `curation review`."""
    del root
