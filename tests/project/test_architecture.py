"""The layers of design.md section 6 hold, and modules and functions stay small."""

import ast
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "curation").rglob("*.py"), *(ROOT / "pages").glob("*.py")])
OUTSIDE_APP = ("git", "sqlmodel", "sqlalchemy", "pandas", "typer")


def test_imports_follow_the_layers(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename="pyproject.toml", cache_dir=None) == 0


def test_pages_import_nothing_from_pages():
    for page in (ROOT / "pages").glob("*.py"):
        assert "pages" not in _imported(page), page


def test_the_launcher_imports_only_the_app():
    names = _imported(ROOT / "app.py")
    assert not names & set(OUTSIDE_APP)
    assert "app = st.App(" in (ROOT / "app.py").read_text()


def test_environment_is_read_only_in_config():
    for source in SOURCES:
        if source.name != "config.py":
            text = source.read_text(encoding="utf-8")
            assert "os.environ" not in text, source
            assert "getenv" not in text, source


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_and_functions_are_small(source):
    text = source.read_text(encoding="utf-8")
    assert text.count("\n") <= 500
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 50, f"{source.name}: {node.name} has {length} lines"


def _imported(path: Path) -> set[str]:
    """The top-level names of everything that the file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names
