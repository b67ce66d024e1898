"""A judge whose client is not installed: one sentence that says what to install."""

import sys

import pytest

from curation.judge import Access, open_client
from curation.judge.clients import Key, MissingClientError, Provider
from tests.judge.judged_home import JudgedHome


@pytest.fixture
def without(monkeypatch):
    """Make a package impossible to import, as if it were not installed."""

    def block(package):
        monkeypatch.delitem(sys.modules, f"curation.judge.{package}_client", raising=False)
        monkeypatch.setitem(sys.modules, package, None)

    return block


@pytest.mark.parametrize("provider", list(Provider))
def test_a_missing_client_is_one_sentence_of_what_to_do(without, provider):
    without(provider.value)
    access = Access(provider=provider, model="m", base_url="http://127.0.0.1:9", key=Key("k"))
    with pytest.raises(MissingClientError) as told:
        open_client(access)
    assert str(told.value) == (
        f"Nothing was judged: the package {provider} is not installed. "
        "Run `pip install 'curation[judge]'`."
    )


def test_the_command_says_so_before_anything_is_begun(without, tmp_path):
    home = JudgedHome(tmp_path)
    home.fill(1, "http://127.0.0.1:9")
    without("openai")
    out, told = home.run("judge", "run", status=2)
    assert "the package openai is not installed" in told
    assert "Traceback" not in out + told
    assert home.json("judge", "run", "--judge", "proxy")["judged"] == 1
