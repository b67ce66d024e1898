"""Why an experiment was not opened, recorded or closed."""

from collections.abc import Sequence

from curation.golden.errors import GoldenError


class ExperimentNotOpenedError(GoldenError):
    """An experiment cannot begin like this."""

    def __init__(self, why: str, what_to_do: str) -> None:
        super().__init__(f"No experiment was opened, because {why}. {what_to_do}")


class SeveralComponentsError(ExperimentNotOpenedError):
    """More than one component was named."""

    def __init__(self, components: Sequence[str]) -> None:
        named = " and ".join(components)
        super().__init__(
            f"it would change {named} at once and nobody could tell which of them did it",
            "Open one experiment for each component.",
        )


class UnknownComponentError(ExperimentNotOpenedError):
    """The component is none that the policy knows."""

    exit_status = 2

    def __init__(self, component: str, known: Sequence[str]) -> None:
        super().__init__(
            f"{component!r} is no component of a pipeline",
            f"Name one of {', '.join(known)}, or add it to [experiment] components in golden.toml.",
        )


class UnmeasurableError(ExperimentNotOpenedError):
    """The cases at the tip are not those of the version that would be measured."""

    def __init__(self, version: str, newest: str) -> None:
        if version == newest:
            why = f"cases/ at the tip of the branch is not what {newest} holds"
            todo = "Take the change of cases/ back, or publish it as a version."
        else:
            why = f"{version} holds other cases than the newest version {newest}"
            todo = f"Open it on {newest}."
        super().__init__(why, todo)


class PublishedMeanwhileError(ExperimentNotOpenedError):
    """A version was published between the look at the set and the opening."""

    def __init__(self, version: str) -> None:
        super().__init__(
            f"{version} was published at the same moment",
            "Look at what it changed and open the experiment again.",
        )


class RemovedExperimentError(ExperimentNotOpenedError):
    """The file of an earlier experiment is gone, and its number must not come twice."""

    def __init__(self, experiment_id: str, commit: str, folder: str) -> None:
        super().__init__(
            f"the file of {experiment_id} was removed by commit {commit}, and its number would "
            "be given twice",
            f"Put it back with `git checkout {commit}~1 -- {folder}/{experiment_id}.json` and a "
            "commit.",
        )


class NothingToContinueError(ExperimentNotOpenedError):
    """`--continues` names something else than an experiment that ended as void."""

    def __init__(self, experiment_id: str, problem: str) -> None:
        super().__init__(
            f"it cannot continue {experiment_id}, {problem}",
            "Name an experiment that was closed as void.",
        )


class UnreadableExperimentError(GoldenError):
    """The file of an experiment is not one."""

    def __init__(self, experiment_id: str, problem: str) -> None:
        super().__init__(
            f"{experiment_id} cannot be read ({problem}), so it counts as open and nothing was "
            "written. Restore its file from the commit that wrote it."
        )


class ChangedPinsError(GoldenError):
    """Something would change what an experiment pinned when it was opened."""

    def __init__(self, experiment_id: str, names: Sequence[str]) -> None:
        super().__init__(
            f"{experiment_id} was not written, because its {', '.join(names)} would change. "
            "What an opening pins stays as it is; open another experiment."
        )
