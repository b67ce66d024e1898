"""The golden set as tests: `pytest --golden golden/v2 --target rag:answer`.

Each case is a test `golden::<case id>`, an id that stays. A criterion of `[pytest] criteria` that
fails is a failed test, an unsure one a warning; a case that already fails on the baseline is
expected to. Without `--golden` nothing is imported but pytest itself.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from curation.services.suite import CaseOutcome, Suite

NAME = "golden"


class UnsureWarning(UserWarning):
    """Something of a case cannot be told, which a judge or a person can settle."""


class CaseFailedError(Exception):
    """A case failed; the message is what a person reads."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; all of them begin with `golden`, so that they are in nobody's way."""
    group = parser.getgroup(NAME, "a golden set as tests (curation)")
    group.addoption(
        "--golden",
        metavar="golden/vN",
        help="run this version (or SOURCE, or SOURCE@golden/vN) of a golden set as tests",
    )
    group.addoption(
        "--golden-target",
        metavar="MODULE:FUNCTION",
        help="the pipeline that answers, or its address; --target says the same",
    )
    group.addoption(
        "--golden-run", metavar="FILE", help="judge these outputs instead of running a pipeline"
    )
    group.addoption("--golden-timeout", type=float, default=60.0, help="seconds a call may take")
    group.addoption("--golden-home", metavar="DIR", help="the home of curation")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(parser: pytest.Parser, args: list[str]) -> None:
    """Take `--target` for `--golden-target`, only where a golden set is run at all."""
    if any(arg == "--golden" or arg.startswith("--golden=") for arg in args):
        parser.addoption("--target", dest="golden_target", help="the same as --golden-target")


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker."""
    config.addinivalue_line("markers", f"{NAME}: a case of the golden set (curation)")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add a test for each case."""
    golden = session.config.getoption("golden")
    if golden is None:
        return
    cases = GoldenSet.from_parent(session, name=NAME, nodeid=NAME)
    items.extend(cases.collect())


def _suite(config: pytest.Config) -> "Suite":
    """Return the suite that the options ask for; what is wrong with them ends the session."""
    from curation.config import load_settings, resolve_home
    from curation.errors import CurationError
    from curation.services.suite import SuiteRequest, open_suite

    named, run_file = config.getoption("golden_home"), config.getoption("golden_run")
    request = SuiteRequest(
        golden=config.getoption("golden"),
        target=config.getoption("golden_target"),
        run_file=Path(run_file) if run_file else None,
        folder=config.invocation_params.dir,
        timeout_s=config.getoption("golden_timeout"),
    )
    try:
        home = resolve_home(Path(named) if named else None)
        return open_suite(load_settings(home), request)
    except CurationError as problem:
        raise pytest.UsageError(str(problem)) from problem


class GoldenSet(pytest.Collector):
    """The cases of one version."""

    def collect(self) -> Iterator["GoldenCase"]:
        """Yield a test for each case, by id."""
        suite = _suite(self.config)
        for case_id in sorted(suite.cases):
            item: GoldenCase = GoldenCase.from_parent(self, name=case_id)
            item.suite = suite
            item.add_marker(NAME)
            yield item


class GoldenCase(pytest.Item):
    """One case as a test."""

    suite: "Suite"

    def runtest(self) -> None:
        """Ask the pipeline and judge what it answers."""
        outcome = self.suite.check(self.name)
        state = outcome.state
        if state is None or state.failed:
            raise CaseFailedError(outcome.words)
        if state.expected:
            pytest.xfail(f"it already fails on the baseline ({_names(state.failing)})")
        if state.fixed:
            self.add_report_section("call", NAME, "fixed: it failed on the baseline")
        if state.unsure:
            self._warn(outcome)

    def _warn(self, outcome: "CaseOutcome") -> None:
        for criterion, reason in outcome.reasons.items():
            self.warn(UnsureWarning(f"{self.name} is unsure on {criterion.value}: {reason}"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401 - pytest's own types
        """Return what a person reads of a failure."""
        if isinstance(excinfo.value, CaseFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return how the case is named in reports."""
        return self.path, 0, f"{NAME}::{self.name}"


def _names(criteria: Any) -> str:  # noqa: ANN401 - imported late
    return ", ".join(criterion.value for criterion in criteria)
