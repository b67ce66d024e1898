"""The weights of the priority as the configuration gives them."""

from curation.config import PrioritySettings
from curation.domain.answer import SignalKind
from curation.domain.queue import PriorityWeights
from curation.services.workspace import Workspace
from curation.store import priority as stored


def priority_weights(settings: PrioritySettings) -> PriorityWeights:
    """Return the weights by kind of signal."""
    return PriorityWeights(
        signals={kind: getattr(settings, kind.value) for kind in SignalKind},
        judge=settings.judge_weight,
        hole=settings.hole_weight,
        window_days=settings.window_days,
        slices=settings.slice_weight,
    )


def rebuild_priorities(workspace: Workspace) -> None:
    """Compute the groups' frequencies and priorities anew from the answers."""
    weights = priority_weights(workspace.settings.priority)
    with workspace.store.writing() as session:
        stored.refresh_all(session, weights)
