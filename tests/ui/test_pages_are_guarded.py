"""Every page stops when it is run around the app."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curation.config import shipped
from curation.ui import server

FILES = sorted(shipped("pages").glob("*.py"))
ROOT = Path(server.__file__).parents[2]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_first_statement_is_the_guard(file: Path) -> None:
    statements = ast.parse(file.read_text(encoding="utf-8")).body
    after_imports = [s for s in statements[1:] if not isinstance(s, ast.Import | ast.ImportFrom)]
    assert ast.unparse(after_imports[0]) == "guard.enter()"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_page_that_is_run_directly_shows_nothing(file: Path) -> None:
    run = AppTest.from_file(str(file)).run()
    assert not run.exception
    assert len(run.main) == 0


def test_pages_import_nothing_from_pages() -> None:
    for file in FILES:
        for statement in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(statement, ast.ImportFrom):
                assert (statement.module or "").split(".")[0] != "pages"


def test_no_folder_of_pages_lies_beside_the_script() -> None:
    assert not (server.SCRIPT.parent / "pages").exists()


def test_the_launcher_calls_the_app_literally() -> None:
    launcher = ROOT / "app.py"
    if not launcher.exists():
        pytest.skip("The launcher is only in a checkout.")
    calls = [
        ast.unparse(s.value.func)
        for s in ast.parse(launcher.read_text(encoding="utf-8")).body
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)
    ]
    assert calls == ["st.App"]
