"""The review page inside the app, without a browser."""

from tests.ui.review.world import make_home


def test_the_next_answer_is_served_and_an_address_opens_its_own(tmp_path, run_app):
    app = run_app(make_home(tmp_path), "review")
    assert not app.exception
    assert app.session_state["curation.sitting"].answer_id == "mixup"
    app.query_params["answer"] = "turns"
    app.run()
    assert not app.exception
    assert app.session_state["curation.sitting"].answer_id == "turns"


def test_an_unknown_answer_is_refused_and_the_open_one_stays(tmp_path, run_app):
    app = run_app(make_home(tmp_path), "review")
    app.query_params["answer"] = "nobody-asked"
    app.run()
    assert not app.exception
    assert app.session_state["curation.sitting"].answer_id == "mixup"


def test_nobody_named_is_no_failure(tmp_path, run_app):
    home = make_home(tmp_path)
    file = home / "curation.toml"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("me = ")))
    app = run_app(home, "review")
    assert not app.exception
    assert app.session_state["curation.sitting"].answer_id is None
