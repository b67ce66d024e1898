"""Approved changes become commits and a version; conflicts and repeats do not."""

from typing import Any


def test_an_addition_becomes_a_commit_and_a_version(desk: Any) -> None:
    done = desk.publish(desk.add("q-0001"))
    assert done.version == "golden/v2"
    assert desk.git("rev-parse", "golden/v2^{commit}") == done.commit
    assert desk.git("rev-parse", "main") == done.commit
    assert desk.git("log", "--format=%an %cn %s", "-2") == (
        "Rob Oduya Rob Oduya Release golden/v2\n"
        "Mia Kim Rob Oduya Add case q-0001: What is the default of option q-0001?"
    )
    assert desk.git("status", "--porcelain") == ""
