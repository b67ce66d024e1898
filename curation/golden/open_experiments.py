"""Which experiments are open, and so freeze the set. What cannot be read counts as open."""

from datetime import UTC, datetime

from curation.domain.experiment import OpenExperiment
from curation.golden.experiment_record import is_open, read_record


def open_experiment(experiment_id: str, data: bytes | None) -> OpenExperiment | None:
    """Return the experiment when its file does not say, exactly, that it is closed."""
    record = read_record(data)
    if not is_open(record):
        return None
    return OpenExperiment(
        id=experiment_id,
        component=_text(record.get("component")),
        opened_by=_text(record.get("opened_by")),
        opened_at=_moment(record.get("opened_at")),
        version=_text(record.get("version")),
    )


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "replace").decode()


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
