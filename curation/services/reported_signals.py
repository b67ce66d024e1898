"""Signals that a chat window or another program reports as they happen."""

from collections.abc import Sequence
from datetime import datetime

from curation.domain.base import Value
from curation.domain.reported import ReportedSignal
from curation.errors import CurationError
from curation.services.priority import current_weights
from curation.services.regressions import look_for_regressions
from curation.services.signals import derive_signals
from curation.services.workspace import Workspace
from curation.store.priority import settle
from curation.store.user_signals import add_reported, known_answers

__all__ = ["Received", "ReportedSignal", "UnknownAnswerError", "report_signals"]


class UnknownAnswerError(CurationError):
    """A signal is about an answer that the store does not have."""

    def __init__(self, index: int, answer_id: str) -> None:
        self.index = index
        super().__init__(
            f"Nothing was stored: there is no answer {answer_id!r}. "
            "Bring in the log that holds it first."
        )


class Received(Value):
    """How many signals were new, and how many were there already."""

    stored: int
    unchanged: int


def report_signals(
    workspace: Workspace, signals: Sequence[ReportedSignal], *, now: datetime
) -> Received:
    """Store signals, all or none; the same one again changes nothing.

    Raises:
        UnknownAnswerError: one of them is about an answer that the store does not have.
    """
    weights = current_weights(workspace)
    with workspace.store.writing() as session:
        answers = known_answers(session, sorted({signal.answer_id for signal in signals}))
        for index, signal in enumerate(signals):
            if signal.answer_id not in answers:
                raise UnknownAnswerError(index, signal.answer_id)
        added = add_reported(session, signals, answers, weights, now=now)
        settle(session, weights)
    touched = {answer.session_id for answer in answers.values()} - {None}
    if added and touched:
        derive_signals(workspace, now=now, sessions=touched)
    if added:
        look_for_regressions(workspace, {answer.group_id for answer in answers.values()})
    return Received(stored=added, unchanged=len(signals) - added)
