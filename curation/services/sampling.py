"""Samples: draw one, see how far it is, and estimate how many answers are bad."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from curation.domain.person import Person, Role
from curation.domain.sample import (
    Arm,
    Drawn,
    Outcome,
    Progress,
    Sample,
    SampleEstimate,
    SampleRequest,
    Sighting,
)
from curation.errors import NotFoundError
from curation.metrics.estimates import combined_share, control_share
from curation.metrics.sampling import draw as drawn_places
from curation.metrics.sampling import share_of
from curation.services.errors import NothingToSampleError
from curation.services.triage import keep_current
from curation.services.workspace import Workspace
from curation.store import sampling as stored
from curation.store.adjudication import read_contests
from curation.store.sampling import FrameAnswer

__all__ = ["draw", "estimate", "served_order"]


def draw(workspace: Workspace, person: Person, request: SampleRequest, *, now: datetime) -> Sample:
    """Draw a sample of the answers that nobody has reviewed, and store it.

    Raises:
        RoleError: the person may not review.
        NothingToSampleError: no answer of the period is unreviewed.
    """
    workspace.require(person, Role.REVIEWER, "Drawing a sample")
    keep_current(workspace)
    with workspace.store.writing() as session:
        frame = stored.read_frame(session, since=request.since, until=request.until)
        if not frame:
            raise NothingToSampleError
        return stored.save_sample(
            session, request, _drawn(frame, request), frame=len(frame), person=person, now=now
        )


def _drawn(frame: Sequence[FrameAnswer], request: SampleRequest) -> list[Drawn]:
    """Return what is drawn of a frame, in the order in which it is to be served."""
    impacts = [answer.impact for answer in frame]
    places = drawn_places(impacts, n=request.n, control=request.control, seed=request.seed)
    items = [
        Drawn(answer_id=frame[at].answer_id, arm=Arm.CONTROL, pi=1.0)
        for at in places.control.tolist()
    ]
    items += [
        Drawn(answer_id=frame[at].answer_id, arm=Arm.TARGETED, pi=pi)
        for at, pi in zip(places.targeted.tolist(), places.pi.tolist(), strict=True)
    ]
    order = np.random.default_rng([request.seed, 1]).permutation(len(items)).tolist()
    twice = set(
        np.random.default_rng([request.seed, 2])
        .permutation(len(items))[: share_of(request.double, len(items))]
        .tolist()
    )
    return [items[at].model_copy(update={"slots": 2 if at in twice else 1}) for at in order]


def served_order(workspace: Workspace, sample: Sample) -> tuple[str, ...]:
    """Return the answers of a sample in the order in which they are served."""
    with workspace.store.reading() as session:
        return stored.read_order(session, sample.id)


def was_drawn(workspace: Workspace) -> bool:
    """Return whether there is a sample."""
    with workspace.store.reading() as session:
        return stored.read_sample(session) is not None


def estimate(workspace: Workspace, sample_id: int | None = None) -> SampleEstimate:
    """Return what a sample, the newest without a number, says of its frame.

    Raises:
        NotFoundError: there is no such sample.
    """
    with workspace.store.reading() as session:
        sample = stored.read_sample(session, sample_id)
        if sample is None:
            named = "newest" if sample_id is None else str(sample_id)
            raise NotFoundError("sample", named, "Draw one with `curation queue sample`.")
        items = stored.read_sightings(session, sample)
        differ = {one.answer_id for one in read_contests(session) if one.differs}
    progress = _progress(items, differ=len(differ & {item.answer_id for item in items}))
    if not progress.enough:
        return SampleEstimate(sample=sample, progress=progress)
    return SampleEstimate(
        sample=sample,
        progress=progress,
        control=control_share(items) if sample.control and _enough(items, Arm.CONTROL) else None,
        combined=combined_share(items, frame=sample.frame, seed=sample.request.seed)
        if all(_enough(items, arm) for arm in Arm)
        else None,
    )


def _enough(items: Sequence[Sighting], arm: Arm) -> bool:
    """Return whether enough of an arm is finished for an estimate; an empty one is."""
    own = [item for item in items if item.arm is arm]
    return not own or _progress(own, differ=0).enough


def _progress(items: Sequence[Sighting], *, differ: int) -> Progress:
    """Return how far the items are."""

    def count(what: Outcome) -> int:
        return sum(item.outcome is what for item in items)

    return Progress(
        size=len(items),
        finished=sum(item.outcome.finished for item in items),
        unfinished=count(Outcome.UNFINISHED),
        skipped=count(Outcome.SKIPPED),
        not_actionable=count(Outcome.NOT_ACTIONABLE),
        to_settle=differ,
    )
