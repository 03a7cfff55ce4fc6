"""The page in the language of its visitor: forms, progress and errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from autostatistician.web.app import make_app
from autostatistician.web.spoken import language_of
from autostatistician.web.tables import Bounds

TABLE = "month,sales\n" + "".join(f"2020-{month:02d},{month * 1.5}\n" for month in range(1, 13))


@pytest.mark.parametrize(
    ("query", "cookie", "accepted", "spoken"),
    [
        ("", "", "", "en"),
        ("", "", "tlh, en;q=0.1, de-AT;q=0.9", "de"),
        ("", "de", "en", "de"),
        ("lang=de", "en", "en", "de"),
        ("lang=tlh", "tlh", "de;q=0", "en"),
    ],
)
def test_the_language_is_that_asked_for_kept_or_of_the_browser(
    query: str, cookie: str, accepted: str, spoken: str
) -> None:
    headers = [(b"cookie", f"lang={cookie}".encode()), (b"accept-language", accepted.encode())]
    assert language_of(Request({"type": "http", "query_string": query.encode(), "headers": headers})) == spoken


def _sent(visitor: TestClient, address: str, page: str, data: dict[str, str], **files: object) -> tuple[str, str]:
    """Where a form leads, and the text of that page."""
    token = re.search(r'name="token" value="(\w+)"', visitor.get(page).text)
    assert token
    answer = visitor.post(address, data={"token": token[1], **data}, files=files or None)  # type: ignore[arg-type]
    return answer.url.path, answer.text


def test_forms_are_in_the_language_that_was_chosen(tmp_path: Path) -> None:
    app = make_app(tmp_path / "runs", 0, Bounds(seconds=60))
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as visitor:
        assert "What is in your data?" in visitor.get("/").text
        first = visitor.get("/", headers={"accept-language": "de-CH, en;q=0.5"}).text
        assert '<html lang="de">' in first
        assert "Was steckt in Ihren Daten?" in first
        assert "Was steckt in Ihren Daten?" in visitor.get("/?lang=de").text  # and kept in a cookie
        run, page = _sent(visitor, "/tables", "/", {}, table=("sales.csv", TABLE, "text/csv"))
        assert "12 Zeilen, 2 Spalten. Worum geht es?" in page
        assert re.search(r'<option value="de" lang="de" selected>', page)
        assert (
            "erwartet: eine ganze Zahl von 5 bis 60 für &#39;budget&#39;; gefunden: &#39;-1&#39;"
            in (_sent(visitor, f"{run}/start", run, {"budget": "-1"})[1])
        )
        assert (
            "erwartet: eine Tabelle; gefunden: eine leere Datei"
            in (_sent(visitor, "/tables", "/", {}, table=("sales.csv", " ", "text/csv"))[1])
        )
        assert "Diese Seite gibt es nicht." in visitor.get("/nothing").text
        watched = _sent(visitor, f"{run}/start", run, {})[1]
        assert "Warten auf einen freien Platz; 0 vor Ihnen." in watched
        assert 'data-level="Stufe {level} von höchstens {levels}."' in watched


def test_the_columns_page_tells_no_options_of_the_command_line(tmp_path: Path) -> None:
    rows = "".join(f"2020-{month:02d}-01,{'yes' if month % 3 else 'no'}\n" for month in range(1, 13))
    with TestClient(make_app(tmp_path, 0), "http://localhost") as visitor:
        token = re.search(r'name="token" value="(\w+)"', visitor.get("/").text)
        assert token
        table = {"table": ("rain.csv", "month,rain\n" + rows, "text/csv")}
        page = visitor.post("/tables", data={"token": token[1]}, files=table).text
    assert '<ul class="notes">' in page
    assert not re.search(r">[^<]*--[a-z]", page)
