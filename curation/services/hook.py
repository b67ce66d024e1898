"""The server-side hook, for whoever runs the server that the golden set is pushed to."""

from pathlib import Path

from curation.golden.hook.install import InstalledHook, install_hook


def install(repository: Path, *, golden_path: str = "", branch: str = "main") -> InstalledHook:
    """Write the hook into a repository, bare or not; one of ours is replaced.

    Raises:
        NotAGoldenSetError: there is no repository.
        HookInTheWayError: another hook is there.
    """
    return install_hook(repository, golden_path=golden_path, branch=branch)
