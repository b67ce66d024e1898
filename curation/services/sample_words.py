"""What a sample says so far, in words; the same on the page and on the command line."""

from curation.domain.sample import SampleEstimate, ShareEstimate


def estimate_lines(found: SampleEstimate) -> list[str]:
    """Return the progress and the estimates in words; `not yet` while too little is finished."""
    progress = found.progress
    lines = [
        (
            f"Sample {found.sample.id}: {progress.finished} of {progress.size} finished, "
            f"{progress.skipped} skipped, {progress.not_actionable} not actionable."
        )
    ]
    if progress.to_settle:
        lines.append(f"Two verdicts differ on {progress.to_settle}: one of them is to stand.")
    if found.control is None and found.combined is None:
        return [*lines, "Not yet: an estimate is given when 80 % are finished."]
    alone = _share_line(found.control) if found.sample.control else "none was drawn."
    lines.append(f"Control share alone: {alone}")
    lines.append(f"Control and targeted: {_share_line(found.combined)}")
    return lines


def _share_line(found: ShareEstimate | None) -> str:
    """Return an estimate in words."""
    if found is None:
        return "not yet."
    if found.value is None:
        return "undefined: no item of it says anything."
    interval = "no interval: the items are all alike"
    if found.low is not None and found.high is not None:
        interval = f"95 % interval {found.low:.1%} to {found.high:.1%}"
    silent = f"{found.silent} of {found.n + found.silent} say nothing"
    return (
        f"{found.value:.1%} bad ({found.bad} of {found.n} reviewed; {interval}); {silent}: "
        f"{found.if_all_good:.1%} if all of those are good, {found.if_all_bad:.1%} if all are bad."
    )
