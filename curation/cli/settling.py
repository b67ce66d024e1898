"""`curation eval unsure` and `settle`: facts that only a person can tell of an answer."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from curation.cli import evaluate
from curation.cli.frame import As, Home, Json, frame
from curation.cli.run_options import Version

if TYPE_CHECKING:
    from curation.services.evaluation import Outputs
    from curation.services.settling import UnsureFact
    from curation.services.workspace import Workspace
    from curation.services.yardstick import Yardstick

RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="Outputs, a report, or the hash of a kept run.")
]


class Said(StrEnum):
    """What a person can say of a fact."""

    PRESENT = "present"
    ABSENT = "absent"


@evaluate.app.command("unsure")
def unsure(
    run_name: RunName, version: Version = None, home: Home = None, as_json: Json = False
) -> None:
    """List the facts that cannot be told of a run's answers and that nobody has settled."""
    from curation.services.settling import unsure_facts

    with frame(home, as_json) as run:
        workspace = run.workspace()
        yardstick, outputs = _measured(workspace, run_name, version)
        found = unsure_facts(workspace, yardstick, outputs)
        lines = [line for fact in found for line in _lines(fact)]
        run.emit({"facts": [fact.to_document() for fact in found]}, lines or ["Nothing is unsure."])


def _measured(
    workspace: "Workspace", name: str, version: str | None
) -> "tuple[Yardstick, Outputs]":
    from curation.services.evaluation import find_outputs
    from curation.services.yardstick import of_version

    outputs = find_outputs(workspace, name)
    return of_version(workspace.golden, version or outputs.run.header.version), outputs


def _lines(fact: "UnsureFact") -> list[str]:
    return [
        f"{fact.case_id} {fact.fact_id}: {fact.text}",
        f"  question: {fact.question}",
        f"  answer: {fact.answer}",
    ]


@evaluate.app.command("settle")
def settle(
    run_name: RunName,
    case: Annotated[str, typer.Argument(metavar="CASE", help="The case.")],
    fact: Annotated[str, typer.Argument(metavar="FACT", help="The fact's id, such as f1.")],
    said: Annotated[Said, typer.Argument(metavar="present|absent", help="What the answer says.")],
    why: Annotated[str, typer.Option("--why", help="Why, in your own words.")],
    as_: As = None,
    version: Version = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say whether an answer holds a fact that the program is unsure of."""
    from curation.domain.verdict import Presence
    from curation.services.settling import Word, settle_fact

    with frame(home, as_json) as run:
        workspace = run.workspace()
        yardstick, outputs = _measured(workspace, run_name, version)
        word = Word(case_id=case, fact_id=fact, presence=Presence(said.value), why=why)
        done = settle_fact(
            workspace, yardstick, outputs, word, person=run.person(as_), now=datetime.now(UTC)
        )
        run.emit(
            {"settled": [each.to_document() for each in done], "presence": said.value},
            [f"{case} {fact}: {said.value}. Score or record the run again to see it."],
        )


def register(root: typer.Typer) -> None:
    """Add nothing more: the commands hang under `curation eval`."""
    del root
