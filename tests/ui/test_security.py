"""The policy of the app's responses."""

import base64
import hashlib
from pathlib import Path

import streamlit

from curation.ui.security import content_security_policy, inline_script_hashes

INDEX = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")


def test_the_hash_is_that_of_the_inline_script() -> None:
    page = "<html><script>\n  let a = 1\n</script><script src='x.js'></script></html>"
    digest = base64.b64encode(hashlib.sha256(b"\n  let a = 1\n").digest()).decode()
    assert inline_script_hashes(page) == (f"'sha256-{digest}'",)


def test_streamlits_page_has_inline_scripts_and_all_are_named() -> None:
    hashes = inline_script_hashes(INDEX)
    assert len(hashes) == INDEX.count("<script>") >= 1


def test_scripts_are_never_inline_or_evaluated_and_nothing_goes_elsewhere() -> None:
    policy = dict(
        part.split(" ", 1) for part in content_security_policy(INDEX).split("; ") if " " in part
    )
    assert "unsafe-inline" not in policy["script-src"]
    assert "'unsafe-eval'" not in policy["script-src"]
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert all("http" not in sources and "*" not in sources for sources in policy.values())
