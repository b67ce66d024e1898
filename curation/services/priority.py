"""The weights of the priority as the configuration gives them."""

from collections import Counter
from functools import lru_cache

from curation.config import PrioritySettings
from curation.domain.answer import SignalKind
from curation.domain.coverage import Holes
from curation.domain.queue import PriorityWeights
from curation.errors import CurationError
from curation.golden import Location, read_version
from curation.metrics.near_groups import near_groups
from curation.services.coverage import grid_of
from curation.services.workspace import Workspace
from curation.store import priority as stored
from curation.store.near_groups import asked_questions, replace_near_groups

NO_HOLES = Holes()


def current_weights(workspace: Workspace) -> PriorityWeights:
    """Return the weights of the configuration, with the holes of the golden set as it is now."""
    return priority_weights(workspace.settings.priority, current_holes(workspace.golden))


def current_holes(golden: Location) -> Holes:
    """Return the cells that want cases; none where the golden set cannot be read."""
    try:
        return _holes_at(golden, read_version(golden).commit)
    except CurationError:
        return Holes()


@lru_cache(maxsize=4)
def _holes_at(golden: Location, commit: str) -> Holes:
    """Return the holes at a commit, computed once."""
    found = read_version(golden, commit)
    return grid_of(found).wanting(found.policy)


def priority_weights(settings: PrioritySettings, holes: Holes = NO_HOLES) -> PriorityWeights:
    """Return the weights by kind of signal, and the cells that want cases."""
    return PriorityWeights(
        signals={kind: getattr(settings, kind.value) for kind in SignalKind},
        judge=settings.judge_weight,
        hole=settings.hole_weight,
        window_days=settings.window_days,
        slices=settings.slice_weight,
        holes=holes,
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
    weights = current_weights(workspace)
    with workspace.store.writing() as session:
        stored.refresh_all(session, weights)
