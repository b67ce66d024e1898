"""The frozen banner: the same words on every page, never closable."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from curation.domain.experiment import OpenExperiment
from curation.domain.plural import plural
from curation.ui.moments import day_and_clock
from curation.ui.tree import Child, Node, button, node


def frozen_banner(
    frozen: Sequence[OpenExperiment],
    approved: int,
    *,
    now: datetime,
    zone: tzinfo,
    thaw: bool = False,
) -> Node | None:
    """Return the banner of a frozen set; None while nothing freezes it.

    Args:
        frozen: the open experiments.
        approved: how many changes wait.
        now: the time.
        zone: where the reader is.
        thaw: say how the set thaws, where that can be done; elsewhere lead there.
    """
    if not frozen:
        return None
    first = frozen[0]
    closed = "it is closed" if len(frozen) == 1 else "all of them are closed"
    return node(
        "p",
        node("strong", "The golden set is frozen"),
        *_since(first, now, zone),
        " ",
        *(part for one in frozen for part in _measures(one, link=not thaw)),
        "You can review, propose and approve; ",
        f"{plural(approved, 'approved change')} can be published when {closed}.",
        _thaw(frozen) if thaw else None,
        cls="cur-banner cur-literal",
        role="note",
    )


def _thaw(frozen: Sequence[OpenExperiment]) -> str:
    """Return how the set thaws."""
    names = " and ".join(one.id for one in frozen)
    each = "" if len(frozen) == 1 else "each "
    return f" To thaw: close {names} {each}with a decision, or as void with a reason."


def _since(experiment: OpenExperiment, now: datetime, zone: tzinfo) -> list[Child]:
    """Return since when: ` since 26 Nov, 14:02 (3 days).` with a full stop."""
    if experiment.opened_at is None:
        return ["."]
    days = (now - experiment.opened_at).days
    long = f" ({plural(days, 'day')})" if days > 0 else ""
    return [f" since {day_and_clock(experiment.opened_at, zone)}{long}."]


def _measures(experiment: OpenExperiment, *, link: bool) -> list[Child]:
    """Return `exp-007 (chunker), opened by Ana Ruiz, measures golden/v12.`, its id as a link."""
    component = f" ({experiment.component})" if experiment.component else ""
    who = (experiment.opened_by or "").partition(" <")[0]
    opened = f", opened by {who}," if who else ""
    measured = experiment.version or "a version that cannot be read"
    name: Child = experiment.id
    if link:
        name = button(
            experiment.id,
            "to_experiments",
            cls="cur-link",
            aria_label=f"Open {experiment.id}",
        )
    return [name, f"{component}{opened} measures {measured}. "]
