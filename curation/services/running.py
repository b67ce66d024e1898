"""Running a target over the cases of a yardstick, so that an interruption loses one call at most.

Each output is written to a file as it comes; a run that was interrupted goes on from there.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curation.evaluation.run import Run, RunHeader, RunLine, parse_run, run_sha256, run_text
from curation.evaluation.targets import TargetSettings, kept_lines, run_target
from curation.services.targets import NamedTarget
from curation.services.yardstick import Yardstick

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a target is run.

    Args:
        settings: concurrency, time-out, retries, repeats.
        folder: where the outputs of a run that is not finished are kept.
        fresh: begin anew instead of going on where an interrupted run stopped.
        corpus_snapshot: which corpus the pipeline searches, where that is known.
    """

    settings: TargetSettings
    folder: Path
    fresh: bool = False
    corpus_snapshot: str | None = None


def run_over(
    yardstick: Yardstick,
    target: NamedTarget,
    options: RunOptions,
    *,
    now: datetime,
    progress: Progress | None = None,
) -> tuple[Run, str]:
    """Return the outputs of a target on every case, and their text.

    What an interrupted run of the same target on the same cases left is not run again.
    """
    how = options.settings
    part = _part_file(yardstick, target, options)
    header = RunHeader(
        pipeline=target.pipeline,
        manifest=dict(target.manifest) if target.manifest else None,
        corpus_snapshot=options.corpus_snapshot,
        k=yardstick.policy.k,
        started_at=now,
        concurrency=how.concurrency,
        version=yardstick.version,
        timeout_ms=how.timeout_s * 1000,
    )
    cases = [case.case for case in yardstick.cases]
    wanted = {(case.id, repeat) for case in cases for repeat in range(1, how.repeats + 1)}
    left = () if options.fresh else _left_behind(part, header)
    kept = tuple(line for line in left if (line.case_id, line.repeat) in wanted)
    lines = list(kept)
    _begin(part, run_text(header, kept))
    with part.open("a", encoding="utf-8", newline="\n") as file:
        for line in run_target(cases, target.call, how, kept=kept):
            file.write(run_text(RunHeader(), [line]).split("\n", 1)[1])
            file.flush()
            lines.append(line)
            if progress is not None:
                progress(len(lines), len(wanted))
    lines.sort(key=lambda line: (line.case_id, line.repeat))
    text = run_text(header, lines)
    return Run(header=header, lines=tuple(lines), sha256=run_sha256(text)), text


def forget_part(yardstick: Yardstick, target: NamedTarget, options: RunOptions) -> None:
    """Remove the file of a run that is finished and kept elsewhere."""
    _part_file(yardstick, target, options).unlink(missing_ok=True)


def _part_file(yardstick: Yardstick, target: NamedTarget, options: RunOptions) -> Path:
    """Return the file of an unfinished run, named by the target and the cases it runs on."""
    parts = [target.pipeline, str(options.settings.repeats), yardstick.version]
    parts += [f"{case.id} {case.digest}" for case in yardstick.cases]
    name = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return options.folder / f"{name}.part.jsonl"


def _left_behind(part: Path, header: RunHeader) -> tuple[RunLine, ...]:
    """Return the good outputs of an interrupted run; a torn last line is none.

    A target that is made of something else by now begins anew.
    """
    if not part.is_file():
        return ()
    data = part.read_bytes()
    run = parse_run(data[: data.rfind(b"\n") + 1].decode("utf-8"))
    return kept_lines(run.lines) if run.header.manifest == header.manifest else ()


def _begin(part: Path, text: str) -> None:
    """Write the beginning of the file at once, so that a kill loses nothing that was kept."""
    part.parent.mkdir(parents=True, exist_ok=True)
    whole = part.with_name(f"{part.name}.new")
    whole.write_text(text, encoding="utf-8", newline="\n")
    whole.replace(part)
