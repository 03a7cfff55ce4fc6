"""Who a request is from, and whether it may act."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from autostatistician.web.safety import address_of, form_token, may_post, visitor_of

SECRET = b"0" * 32
VISITOR = "A" * 22


def _request(client: str = "192.0.2.1", **headers: str) -> Request:
    sent = {"host": "localhost", "cookie": f"visitor={VISITOR}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    listed = [(name.encode(), value.encode()) for name, value in sent.items()]
    return Request({"type": "http", "headers": listed, "client": (client, 1)})


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("a socket", "a socket"),
    ],
)
def test_an_address_is_that_of_the_household(client: str, shown: str) -> None:
    assert address_of(_request(client)) == shown


def test_a_visitor_is_known_by_a_cookie_of_our_shape_alone() -> None:
    assert visitor_of(_request()) == VISITOR
    for strange in ("", "visitor=short", f"visitor={'A' * 23}", "visitor=" + "\u00e9" * 22):
        made = [visitor_of(_request(cookie=strange)) for _ in range(2)]
        assert made[0] != made[1]
        assert visitor_of(_request(cookie=f"visitor={made[0]}")) == made[0]


def test_a_form_acts_with_the_token_of_its_visitor_from_our_page() -> None:
    token = form_token(SECRET, VISITOR)
    assert may_post(_request(), SECRET, token)
    assert may_post(_request(origin="http://localhost", sec_fetch_site="same-origin"), SECRET, token)
    for request, given in (
        (_request(), form_token(SECRET, "B" * 22)),
        (_request(), form_token(b"1" * 32, VISITOR)),
        (_request(), None),
        (_request(), token[:-1]),
        (_request(cookie="visitor="), token),
        (_request(origin="http://elsewhere"), token),
        (_request(sec_fetch_site="cross-site"), token),
    ):
        assert not may_post(request, SECRET, given)
