"""What an evaluation runs: a Python callable by its name, or a pipeline behind an address."""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.domain.case import Turn
from curation.errors import CurationError
from curation.evaluation.http_target import HttpTarget
from curation.evaluation.targets import Target


class TargetError(CurationError):
    """A target cannot be found or called."""

    exit_status = 2

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"The target {name!r} was not run: {problem}. "
            "Name it as package.module:function, importable from this folder."
        )


@dataclass(frozen=True, kw_only=True)
class NamedTarget:
    """A target with what its runs say of it."""

    call: Target
    pipeline: str
    manifest: Mapping[str, Any] | None = None


def python_target(name: str, *, folder: Path) -> NamedTarget:
    """Return the callable that `package.module:function` names.

    A callable may carry `pipeline` (its name) and `manifest` (its components); a run says both.

    Args:
        name: the module and, after a colon, the callable in it.
        folder: where modules are looked for first.

    Raises:
        TargetError: there is no such module or callable, or importing it failed.
    """
    module_name, colon, path = name.partition(":")
    if not colon or not module_name or not path:
        raise TargetError(name, "it is not written as module:function")
    found: Any = _imported(name, module_name, folder)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise TargetError(name, f"{module_name} has no callable {path}")
    pipeline, manifest = getattr(found, "pipeline", None), getattr(found, "manifest", None)
    return NamedTarget(
        call=_with_plain_turns(found),
        pipeline=pipeline if isinstance(pipeline, str) else name,
        manifest=dict(manifest) if isinstance(manifest, Mapping) else None,
    )


def _imported(name: str, module: str, folder: Path) -> object:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as problem:
        said = str(problem) or type(problem).__name__
        raise TargetError(name, f"importing {module} failed ({said})") from problem


def _with_plain_turns(function: Callable[..., object]) -> Target:
    """Return the callable, given earlier turns as plain objects; left out if it takes none."""
    alone = _takes_one(function)

    def call(question: str, conversation: Sequence[Turn]) -> object:
        turns = [{"role": turn.role, "text": turn.text} for turn in conversation]
        return function(question) if alone and not turns else function(question, turns)

    return call


def _takes_one(function: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    places = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    return len(places) == 1 and all(p.kind is not p.VAR_POSITIONAL for p in parameters)


def http_target(
    url: str, *, timeout_s: float, headers: Mapping[str, str] | None = None
) -> NamedTarget:
    """Return the pipeline behind an address.

    Raises:
        AddressError: it is no address.
    """
    target = HttpTarget(url, timeout_s=timeout_s, headers=headers)
    return NamedTarget(call=target, pipeline=url.partition("?")[0])
