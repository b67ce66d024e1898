"""The weights of the priority as the configuration gives them."""

from curation.config import PrioritySettings
from curation.domain.answer import SignalKind
from curation.domain.queue import PriorityWeights


def priority_weights(settings: PrioritySettings) -> PriorityWeights:
    """Return the weights by kind of signal."""
    return PriorityWeights(
        signals={kind: getattr(settings, kind.value) for kind in SignalKind},
        judge=settings.judge_weight,
        hole=settings.hole_weight,
        window_days=settings.window_days,
        slices=settings.slice_weight,
    )
