"""Runs with their raw outputs, reports as documents, and facts that somebody settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlmodel import Session

from curation.domain.verdict import Presence
from curation.evaluation.report import Report, parse_report, report_document
from curation.evaluation.scoring import Settlement
from curation.metrics.metric import Metric
from curation.store.schema import REPORT, REPORT_BODY, RUN, RUN_BODY, SETTLEMENT
from curation.store.sql import insert_into, insert_missing

__all__ = [
    "KeptRun",
    "SettledFact",
    "get_report",
    "get_run",
    "list_runs",
    "run_text_of",
    "save_report",
    "save_run",
    "settle",
    "settled_facts",
    "settlements",
]
_MOST_LISTED = 100


@dataclass(frozen=True, kw_only=True)
class KeptRun:
    """A run that the store has; its text is read on its own."""

    sha256: str
    pipeline: str | None
    version: str | None
    cases_tree: str | None
    repeats: int
    outputs: int
    stored_at: datetime
    stored_by: str | None


def save_run(session: Session, run: KeptRun, text: str) -> None:
    """Keep a run's text under its hash; a run that is there already stays as it is."""
    insert_missing(session, RUN, [vars(run)])
    insert_missing(session, RUN_BODY, [{"sha256": run.sha256, "text": text}])


def get_run(session: Session, sha256: str) -> KeptRun | None:
    """Return the run of a hash, or of the only run whose hash begins so."""
    if len(sha256) < 8 or not sha256.isalnum():
        return None
    statement = select(RUN).where(RUN.c.sha256.startswith(sha256)).limit(2)
    rows = list(session.connection().execute(statement).mappings())
    return KeptRun(**rows[0]) if len(rows) == 1 else None


def run_text_of(session: Session, sha256: str) -> str | None:
    """Return the raw outputs of a run, to the byte as they were given."""
    statement = select(RUN_BODY.c.text).where(RUN_BODY.c.sha256 == sha256)
    found = session.connection().execute(statement).scalar()
    return None if found is None else str(found)


def list_runs(session: Session, *, version: str) -> tuple[KeptRun, ...]:
    """Return the runs on a version, newest first."""
    newest = (RUN.c.stored_at.desc(), RUN.c.sha256)
    statement = select(RUN).where(RUN.c.version == version).order_by(*newest).limit(_MOST_LISTED)
    rows = session.connection().execute(statement).mappings()
    return tuple(KeptRun(**row) for row in rows)


def save_report(session: Session, report: Report, *, report_id: str, now: datetime) -> None:
    """Keep a report of a run that is kept."""
    row = {
        "id": report_id,
        "run_sha256": report.pins.run_sha256 or "",
        "version": report.pins.version,
        "cases_tree": report.pins.cases_tree,
        "pipeline": report.pins.pipeline,
        "n": report.n,
        "recall": _value(report, Metric.RECALL),
        "faithfulness": _value(report, Metric.FAITHFULNESS),
        "made_at": now,
    }
    connection = session.connection()
    connection.execute(REPORT.insert().values(row))
    document = report_document(report)
    connection.execute(REPORT_BODY.insert().values(report_id=report_id, document=document))


def _value(report: Report, metric: Metric) -> float | None:
    mean = report.mean(metric)
    return None if mean is None else mean.value


def get_report(session: Session, report_id: str) -> Report | None:
    """Return the report with this id."""
    statement = select(REPORT_BODY.c.document).where(REPORT_BODY.c.report_id == report_id)
    found = session.connection().execute(statement).scalar()
    return None if found is None else parse_report(found)


def settle(
    session: Session,
    settlement: Settlement,
    presence: Presence,
    *,
    why: str,
    by: str,
    now: datetime,
) -> None:
    """Keep what somebody says of a fact in one answer; the last word counts."""
    case_id, fact_id, answer_sha256 = settlement
    said: dict[str, Any] = {
        "presence": presence.value,
        "why": why,
        "settled_by": by,
        "at": now,
    }
    statement = insert_into(session, SETTLEMENT).values(
        case_id=case_id, fact_id=fact_id, answer_sha256=answer_sha256, **said
    )
    key = [SETTLEMENT.c.case_id, SETTLEMENT.c.fact_id, SETTLEMENT.c.answer_sha256]
    session.connection().execute(statement.on_conflict_do_update(index_elements=key, set_=said))


class SettledFact(NamedTuple):
    """What somebody said of a fact in one answer: a person, or a judge, by its signature."""

    presence: Presence
    by: str


def settled_facts(
    session: Session, case_ids: Sequence[str] = ()
) -> Mapping[Settlement, SettledFact]:
    """Return what was settled and by whom, of all cases or of these."""
    rows = session.connection().execute(select(SETTLEMENT))
    wanted = frozenset(case_ids)
    return {
        (row.case_id, row.fact_id, row.answer_sha256): SettledFact(
            Presence(row.presence), row.settled_by
        )
        for row in rows
        if not wanted or row.case_id in wanted
    }


def settlements(session: Session, case_ids: Sequence[str] = ()) -> Mapping[Settlement, Presence]:
    """Return what was settled, of all cases or of these."""
    return {about: said.presence for about, said in settled_facts(session, case_ids).items()}
