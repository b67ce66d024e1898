"""What goes over the wire where people sign in: the way back, the cookies, uploads, refusals."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from curation.ui.sign_in_http import SignInRequests

PAGES = frozenset({"/", "/review", "/changes"})
GOOD = "signed"


def client(callback: Callable[[Request], Response], *, https: bool = True) -> TestClient:
    def page(_request: Request) -> Response:
        return PlainTextResponse("page")

    def fault(_request: Request) -> Response:
        return PlainTextResponse("Authentication error", status_code=400)

    routes = [
        Route("/oauth2callback", callback),
        Route("/auth/login", fault),
        Route("/_stcore/upload_file/a/b", page, methods=["PUT"]),
        Route("/{rest:path}", page),
    ]
    wrapped: Any = SignInRequests(
        Starlette(routes=routes), pages=PAGES, signed=lambda cookie: cookie == GOOD, https=https
    )
    base = "https://g.example" if https else "http://127.0.0.1"
    return TestClient(wrapped, base_url=base, follow_redirects=False)


def signs_in(_request: Request) -> Response:
    answer = RedirectResponse("/", status_code=302)
    answer.set_cookie("_streamlit_user", GOOD, httponly=True)
    return answer


def declines(_request: Request) -> Response:
    answer = RedirectResponse("/", status_code=302)
    answer.delete_cookie("_streamlit_user")
    return answer


def test_a_sign_in_goes_back_to_the_address_that_somebody_came_to_once() -> None:
    browser = client(signs_in)
    browser.get("/review?answer=a%2F1&x=%22;y")
    back = browser.get("/oauth2callback?code=1&state=2")
    assert back.headers["location"] == "/review?answer=a%2F1&x=%22;y"
    assert browser.get("/oauth2callback?code=1&state=2").headers["location"] == "/"


def test_a_sign_in_that_failed_is_told_and_keeps_the_way_and_signing_out_is_none() -> None:
    browser = client(declines)
    browser.get("/review?answer=a1")
    for query in ("error=access_denied", "code=1&state=2"):
        there = browser.get(f"/oauth2callback?{query}").headers["location"]
        assert there == "/?not_signed_in=1"
    assert browser.cookies["curation_way"] == "%2Freview%3Fanswer%3Da1"
    assert browser.get("/oauth2callback").headers["location"] == "/"


@pytest.mark.parametrize(
    "way",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/auth/logout",
        "/reviewer",
        "",
        "/review?a=%0d%0aset-cookie:x",
        "/review?a=%C3%A9",
        "/review%00",
    ],
)
def test_a_cookie_leads_to_no_other_place(way: str) -> None:
    browser = client(signs_in)
    browser.cookies.set("curation_way", way)
    assert browser.get("/oauth2callback").headers["location"] == "/"


def test_only_pages_are_kept_and_only_where_nobody_is_signed_in() -> None:
    browser = client(signs_in)
    for address in ("/", "/static/x.js", "/_stcore/health", "/review?a=" + "x" * 2_000):
        assert "set-cookie" not in browser.get(address).headers
    assert "curation_way=%2Fchanges" in browser.get("/changes").headers["set-cookie"]
    browser.cookies.set("_streamlit_user", "of another secret")
    assert "set-cookie" in browser.get("/changes").headers
    browser.cookies.set("_streamlit_user", GOOD)
    assert "set-cookie" not in browser.get("/changes").headers


@pytest.mark.parametrize("https", [True, False])
def test_cookies_go_by_https_alone_where_the_server_is_reached_by_it(https: bool) -> None:
    browser = client(signs_in, https=https)
    given = browser.get("/oauth2callback").headers["set-cookie"]
    assert ("; Secure" in given) is https
    assert "HttpOnly" in given
    browser.cookies.clear()
    assert ("; Secure" in browser.get("/review").headers["set-cookie"]) is https


@pytest.mark.parametrize(("cookie", "status"), [(None, 401), ("forged", 401), (GOOD, 200)])
def test_only_who_is_signed_in_uploads(cookie: str | None, status: int) -> None:
    browser = client(signs_in)
    if cookie is not None:
        browser.cookies.set("_streamlit_user", cookie)
    answer = browser.put("/_stcore/upload_file/a/b", content=b"x" * 10)
    assert answer.status_code == status
    assert (answer.text == "Nothing was uploaded: you are not signed in.") is (status == 401)


def test_a_provider_that_does_not_answer_is_told_in_a_sentence() -> None:
    answer = client(signs_in).get("/auth/login?provider=x")
    assert answer.status_code == 502
    assert answer.text.startswith("You are not signed in: the sign-in provider could not be")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_a_query_that_is_no_text_is_passed_on() -> None:
    browser = client(declines)
    assert browser.get("/oauth2callback?error=%FF&\xff=1").status_code == 302


def test_cookies_that_cannot_be_read_are_none() -> None:
    answer = client(signs_in).get("/changes", headers={"cookie": "a\x01=;;=,\x7f"})
    assert answer.status_code == 200
