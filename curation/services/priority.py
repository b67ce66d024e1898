"""The weights of the priority as the configuration gives them."""

from collections import Counter

from curation.config import PrioritySettings
from curation.domain.answer import SignalKind
from curation.domain.queue import PriorityWeights
from curation.metrics.near_groups import near_groups
from curation.services.workspace import Workspace
from curation.store import priority as stored
from curation.store.near_groups import asked_questions, replace_near_groups


def priority_weights(settings: PrioritySettings) -> PriorityWeights:
    """Return the weights by kind of signal."""
    return PriorityWeights(
        signals={kind: getattr(settings, kind.value) for kind in SignalKind},
        judge=settings.judge_weight,
        hole=settings.hole_weight,
        window_days=settings.window_days,
        slices=settings.slice_weight,
    )


def rebuild_near_groups(workspace: Workspace) -> int:
    """Put the questions together that ask nearly the same; return how many are in such groups.

    The comparing holds no lock; a question that comes in meanwhile waits for the next rebuild.
    """
    with workspace.store.reading() as session:
        questions = list(asked_questions(session))
    leaders = near_groups([q.words for q in questions], [q.asked for q in questions])
    sizes = Counter(leaders)
    pairs = [
        (question.group_id, questions[leader].group_id)
        for question, leader in zip(questions, leaders, strict=True)
        if sizes[leader] > 1
    ]
    with workspace.store.writing() as session:
        replace_near_groups(session, pairs)
    return len(pairs)


def rebuild_priorities(workspace: Workspace) -> None:
    """Compute the groups' frequencies and priorities anew from the answers."""
    weights = priority_weights(workspace.settings.priority)
    with workspace.store.writing() as session:
        stored.refresh_all(session, weights)
