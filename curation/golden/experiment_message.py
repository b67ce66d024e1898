"""What the commits of an experiment say."""

from curation.domain.experiment import Deltas, Experiment
from curation.golden.message import Message, cut, indented

_SUBJECT_LIMIT = 72


def opening_message(experiment: Experiment) -> Message:
    """Return the message of the commit that opens an experiment."""
    return _message(
        experiment,
        f"Open {experiment.id} ({experiment.component}): {experiment.hypothesis}",
        f"{experiment.hypothesis}\n\nMeasured on {experiment.version}.",
    )


def record_message(experiment: Experiment) -> Message:
    """Return the message of the commit that records a result."""
    result = experiment.latest
    deltas = result.deltas if result else Deltas()
    said = result.gate.text if result else ""
    return _message(
        experiment,
        f"Record {experiment.id}: Δ retrieval {signed(deltas.retrieval)}, "
        f"Δ generation {signed(deltas.generation)}",
        said,
    )


def closing_message(experiment: Experiment) -> Message:
    """Return the message of the commit that closes an experiment."""
    decision = experiment.decision.value if experiment.decision else ""
    extra: tuple[tuple[str, str], ...] = (("Decision", decision),)
    if experiment.override is not None:
        why = cut(experiment.override.why, 500)
        extra += (("Override", why), ("Reviewed-by", experiment.override.by))
    return _message(
        experiment, f"Close {experiment.id}: {decision}", experiment.why or "", extra=extra
    )


def _message(
    experiment: Experiment, subject: str, body: str, *, extra: tuple[tuple[str, str], ...] = ()
) -> Message:
    return Message(
        subject=cut(subject, _SUBJECT_LIMIT),
        body=indented(body),
        trailers=(
            ("Experiment", experiment.id),
            ("Experiment-State", experiment.state.value),
            *extra,
        ),
    )


def signed(delta: float | None) -> str:
    """Return a delta with its sign; a dash where there is none."""
    return "–" if delta is None else f"{delta:+.3f}"
