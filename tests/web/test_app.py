"""The rules of the page: what is refused, with which words, and what every answer carries."""

import gzip
import io
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.testclient import TestClient
from tests.there import there

from autostatistician.errors import InputError
from autostatistician.web.app import language_of, make_app
from autostatistician.web.store import Counts, RunState, Store
from autostatistician.web.tables import Bounds, file_name

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


def test_forms_are_in_the_language_that_was_chosen(tmp_path: Path) -> None:
    app = make_app(tmp_path / "runs", 0, Bounds(seconds=60))
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as visitor:
        assert "What is in your data?" in visitor.get("/").text
        first = visitor.get("/", headers={"accept-language": "de-CH, en;q=0.5"}).text
        assert '<html lang="de">' in first
        assert "Was steckt in Ihren Daten?" in first
        assert "Was steckt in Ihren Daten?" in visitor.get("/?lang=de").text  # and kept in a cookie
        _, run, page = upload(visitor)
        assert "12 Zeilen, 2 Spalten. Worum geht es?" in page
        assert re.search(r'<option value="de" lang="de" selected>', page)
        refused = "erwartet: eine ganze Zahl von 5 bis 60 für &#39;budget&#39;; gefunden: &#39;-1&#39;"
        assert refused in begin(visitor, run, budget="-1")[1]
        assert "erwartet: eine Tabelle; gefunden: eine leere Datei" in upload(visitor, " ")[2]
        assert "Diese Seite gibt es nicht." in visitor.get("/nothing").text
        watched = begin(visitor, run)[1]
        assert "Warten auf einen freien Platz; 0 vor Ihnen." in watched
        assert 'data-level="Stufe {level} von höchstens {levels}."' in watched


def test_the_columns_page_tells_no_options_of_the_command_line(tmp_path: Path) -> None:
    rows = "".join(f"2020-{month:02d}-01,{'yes' if month % 3 else 'no'}\n" for month in range(1, 13))
    with TestClient(make_app(tmp_path, 0), "http://localhost") as visitor:
        page = upload(visitor, "month,rain\n" + rows, "rain.csv")[2]
    assert '<ul class="notes">' in page
    assert not re.search(r">[^<]*--[a-z]", page)


BOUNDS = Bounds(megabytes=1, rows=50, columns=6, waiting=2, seconds=60)

# Examples of each fuzzing test, thousands before a release, and the seconds after which it ends all the same.
FUZZ = int(os.environ.get("AUTOSTATISTICIAN_FUZZ", "40"))
FUZZ_SECONDS = float(os.environ.get("AUTOSTATISTICIAN_FUZZ_SECONDS", "120"))
Open = Callable[[], TestClient]


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Open]:
    """Visitors of one server that accepts runs and starts none."""
    app = make_app(tmp_path / "runs", 0, BOUNDS)
    with TestClient(app, "http://localhost", raise_server_exceptions=False) as first:
        opened = [first]

        def visitor() -> TestClient:
            opened.append(TestClient(app, "http://localhost", raise_server_exceptions=False))
            opened[-1].portal = first.portal  # one server has one loop
            return opened[-1]

        yield visitor


def token(visitor: TestClient, page: str = "/") -> str:
    found = re.search(r'name="token" value="(\w+)"', visitor.get(page).text)
    assert found
    return found[1]


def upload(visitor: TestClient, text: str | bytes = TABLE, name: str = "sales.csv") -> tuple[int, str, str]:
    """Status, address and text of the page after an upload."""
    answer = visitor.post("/tables", data={"token": token(visitor)}, files={"table": (name, text, "text/csv")})
    return answer.status_code, answer.url.path, answer.text


def begin(visitor: TestClient, run: str, **settings: object) -> tuple[int, str]:
    answer = visitor.post(f"{run}/start", data={"token": token(visitor, run), **settings})
    return answer.status_code, answer.text


def test_every_answer_carries_the_headers_that_keep_it_safe(visit: Open) -> None:
    visitor = visit()
    for path in ("/", "/static/page.css", "/nothing", "/runs/unknown"):
        headers = visitor.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_other_host_names_are_refused(visit: Open) -> None:
    hosts = ["evil.example", "evil.example:8765", "localhost@evil.example", "localhost:80.evil.example", "", "[::1"]
    for host in hosts:
        refused = visit().get("/", headers={"host": host})
        assert (host, refused.status_code) == (host, 400)
        assert refused.headers["x-frame-options"] == "DENY"
    for host in ("localhost:8765", "LOCALHOST", "[::1]:8765", "127.0.0.1"):
        assert (host, visit().get("/", headers={"host": host}).status_code) == (host, 200)


def test_a_form_of_another_site_is_refused(visit: Open) -> None:
    visitor, other = visit(), visit()
    files = {"table": ("a.csv", TABLE)}
    known = token(visitor)
    assert visitor.post("/tables", files=files).status_code == 403
    assert other.post("/tables", data={"token": known}, files=files).status_code == 403
    from_elsewhere = {"sec-fetch-site": "cross-site"}
    assert visitor.post("/tables", data={"token": known}, files=files, headers=from_elsewhere).status_code == 403
    assert visitor.post("/tables", data={"token": known}, files=files).status_code == 200


def test_a_table_leads_to_its_columns_and_then_into_the_queue(visit: Open, tmp_path: Path) -> None:
    visitor = visit()
    status, run, text = upload(visitor)
    assert status == 200
    assert re.fullmatch(r"/runs/[\w-]{22}", run)
    assert "12 rows, 2 columns" in text
    assert begin(visitor, run, time="0", target="1", depth="2") == (200, visitor.get(run).text)
    kept = there(Store(tmp_path / "runs").get(run.removeprefix("/runs/")))
    assert kept.state is RunState.WAITING
    assert kept.settings | {"time": "month", "target": "sales", "depth": 2, "budget": 60} == kept.settings
    assert visitor.get(f"{run}/progress").json()["state"] == "waiting"
    assert "sales.csv" in visitor.get("/").text
    assert "sales.csv" not in visit().get("/").text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "expected"),
        (b"\x00\xff\x00" * 50, "expected"),
        ("a,b,c,d,e,f,g\n" + "1,2,3,4,5,6,7\n" * 9, "at most 6 columns"),
        ("a,b\n" + "1,2\n" * 60, "at most 50 rows"),
        ("a,b\n" + "1,2\n" * 90_000, "at most 50 rows"),
        (gzip.compress(b"a,b\n" + b"1,2\n" * 5_000_000), "at most 50 rows and 10 MB"),
        (b"PK\x03\x04 no archive", "expected"),
        ("a,b\n" + "1,2\n" * 400_000, "larger than 1 MB"),
    ],
)
def test_what_cannot_be_used_is_refused_with_words_and_not_kept(
    visit: Open, tmp_path: Path, content: str | bytes, words: str
) -> None:
    status, _, text = upload(visit(), content)
    assert status in (400, 413)
    assert words in text
    assert not [*(tmp_path / "runs" / "runs").glob("*/*")]


def test_a_body_beyond_the_limit_ends_early(visit: Open) -> None:
    assert visit().post("/tables", content=b"x" * 3_000_000).status_code == 413


@pytest.mark.parametrize(
    "wrong",
    [{"time": "9"}, {"target": "month"}, {"depth": "99"}, {"budget": "-1"}, {"language": "x"}, {"steps": "1e9"}],
)
def test_answers_that_the_form_does_not_offer_are_refused(visit: Open, wrong: dict[str, str]) -> None:
    visitor = visit()
    _, run, _ = upload(visitor)
    status, text = begin(visitor, run, **wrong)
    assert status == 400
    assert "expected" in text


def test_a_full_queue_keeps_the_table(visit: Open) -> None:
    visitor = visit()
    runs = [upload(visitor)[1] for _ in range(3)]
    assert [begin(visitor, run)[0] for run in runs] == [200, 200, 503]
    assert "Start the search" in visitor.get(runs[2]).text


def test_nothing_outside_of_a_run_can_be_had(visit: Open) -> None:
    visitor = visit()
    _, run, _ = upload(visitor)
    for path in ("table.csv", "preview.json", "..%2f..%2fsecret", "%2e%2e/secret", "report.html", "read"):
        assert visitor.get(f"{run}/{path}").status_code == 404
    assert visitor.get("/static/..%2fapp.py").status_code == 404
    assert file_name("../../x.sh") == "table.csv"


def test_hostile_names_are_text(visit: Open) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    _, _, page = upload(visit(), TABLE.replace("sales", hostile), f"{hostile}.csv")
    assert hostile not in page
    assert "&lt;img" in page


def test_a_finished_run_gives_its_files(visit: Open, tmp_path: Path) -> None:
    visitor, store = visit(), Store(tmp_path / "runs")
    _, run, _ = upload(visitor, name='we"ird\n.csv')
    place = store.place(run.removeprefix("/runs/"))
    (place / "report.html").write_text("<p>said</p>")
    store.set(place.name, RunState.DONE)
    assert visitor.get(f"{run}/read").text == "<p>said</p>"
    assert "sandbox" in visitor.get(f"{run}/read").headers["content-security-policy"]
    assert "attachment" in visitor.get(f"{run}/report.html").headers["content-disposition"]
    assert visitor.get(f"{run}/report.pdf").status_code == 404
    assert visitor.post(f"{run}/remove", data={"token": token(visitor)}).url.path == "/"
    assert visitor.get(run).status_code == 404
    assert not place.exists()


def test_a_failed_run_says_why_and_can_be_tried_again(visit: Open, tmp_path: Path) -> None:
    visitor, store = visit(), Store(tmp_path / "runs")
    _, run, _ = upload(visitor)
    begin(visitor, run)
    store.set(run.removeprefix("/runs/"), RunState.FAILED, "expected numbers; found <words>; clean it")
    assert "found &lt;words&gt;" in visitor.get(run).text
    assert begin(visitor, run)[0] == 200
    assert visitor.get(f"{run}/progress").json()["state"] == "waiting"


def test_runs_left_running_wait_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = store.add("v", "a", "table.csv", b"")
    assert store.queue(run, {}, Counts(1, 1, 1))
    assert store.claim() is not None
    assert store.claim() is None
    assert Store(tmp_path).resume() == 1
    again = there(store.claim())
    assert again.attempts == 2


@pytest.fixture
def over() -> Callable[[], bool]:
    """Whether the time that tests may take is over: examples after it are passed over."""
    end = time.monotonic() + FUZZ_SECONDS
    return lambda: time.monotonic() > end


fuzzed = settings(max_examples=FUZZ, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@fuzzed
@given(content=st.binary(max_size=400), name=st.text(max_size=30))
def test_no_file_breaks_the_server(visit: Open, over: Callable[[], bool], content: bytes, name: str) -> None:
    if over():
        return
    visitor = visit()
    answer = visitor.post("/tables", data={"token": token(visitor)}, files={"table": (name, io.BytesIO(content))})
    assert answer.status_code in (200, 400)


@fuzzed
@given(path=st.text(max_size=40), body=st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_no_request_breaks_the_server(visit: Open, over: Callable[[], bool], path: str, body: dict[str, str]) -> None:
    if over():
        return
    visitor = visit()
    for answer in (
        visitor.get(f"/runs/{quote(path, errors='replace')}"),
        visitor.post("/tables", json=body),
        visitor.post("/examples", data=body),
    ):
        assert answer.status_code < 500


FIELDS = st.sampled_from(["time", "target", "language", "budget", "depth", "steps", "token", "example", "table"])

VALUES = st.one_of(
    st.text(max_size=12), st.integers(-(10**20), 10**20).map(str), st.sampled_from(["nan", "inf", "1e400"])
)

ENDS = ("", "/start", "/stop", "/remove", "/progress", "/fit.svg", "/read", "/report.html", "/model.json", "/../secret")


@pytest.mark.slow
@fuzzed
@given(
    end=st.sampled_from(ENDS),
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]),
    fields=st.dictionaries(FIELDS, VALUES, max_size=5),
    ours=st.booleans(),
)
def test_no_form_breaks_a_run(
    visit: Open, over: Callable[[], bool], end: str, method: str, fields: dict[str, str], ours: bool
) -> None:
    if over():
        return
    visitor = visit()
    _, run, _ = upload(visitor)
    known = fields | ({"token": token(visitor)} if ours else {})
    answer = visitor.request(method, f"{run}{end}", data=known if method == "POST" else None)
    assert answer.status_code < 500 or (answer.status_code == 503 and "searches wait already" in answer.text)
    assert "content-security-policy" in answer.headers
    assert visitor.get("/").status_code == 200


def test_progress_is_plain_json(visit: Open, tmp_path: Path) -> None:
    visitor = visit()
    _, run, _ = upload(visitor)
    place = Store(tmp_path / "runs").place(run.removeprefix("/runs/"))
    Store(tmp_path / "runs").set(place.name, RunState.RUNNING)
    assert "Reading the table." in visitor.get(run).text
    (place / "progress.json").write_text(json.dumps({"preparing": "columns"}))
    page = visitor.get(run).text
    assert "Selecting the columns that may matter." in page
    assert '<progress id="bar" max="1">' in page  # nobody knows how far it is
    (place / "progress.json").write_text(json.dumps({"level": 2, "levels": 9, "words": ["A <b>."], "seconds": 3.0}))
    assert visitor.get(f"{run}/progress").json()["words"] == ["A <b>."]


def test_a_fault_of_ours_is_a_page_with_every_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(store: Store, visitor: str) -> list[object]:
        raise RuntimeError("secret <detail>")

    monkeypatch.setattr(Store, "of_visitor", broken)
    with TestClient(make_app(tmp_path, 0), "http://localhost", raise_server_exceptions=False) as visitor:
        answer = visitor.get("/")
    assert answer.status_code == 500
    assert "went wrong on our side" in answer.text
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", "http://localhost.evil.example"])
def test_a_form_with_another_origin_is_refused(visit: Open, origin: str) -> None:
    visitor = visit()
    sent = {"data": {"token": token(visitor)}, "files": {"table": ("a.csv", TABLE)}}
    assert visitor.post("/tables", headers={"origin": origin}, **sent).status_code == 403
    assert visitor.post("/tables", headers={"origin": "http://localhost"}, **sent).status_code == 200


def test_whoever_knows_the_address_can_read_but_not_act(visit: Open, tmp_path: Path) -> None:
    owner, other, store = visit(), visit(), Store(tmp_path / "runs")
    _, run, page = upload(owner)
    assert "Start the search" in page
    assert other.get(run).status_code == 200
    assert "Start the search" not in other.get(run).text
    for action in ("start", "stop", "remove"):
        assert other.post(f"{run}/{action}", data={"token": token(other)}).status_code == 403
    found = there(store.get(run.removeprefix("/runs/")))
    assert found.state is RunState.CHOOSING
    assert begin(owner, run)[0] == 200
    assert "Stop now" in owner.get(run).text
    assert "Stop now" not in other.get(run).text
    assert other.post(f"{run}/stop", data={"token": token(other)}).status_code == 403
    assert not (store.place(found.id) / "stop").exists()


@pytest.mark.parametrize("wrong", ["\u00e9\u20ac", "\ud800", "\x00", "\u0661"])
def test_a_token_of_any_characters_is_refused(visit: Open, wrong: str) -> None:
    body = f"token={quote(wrong, errors='surrogatepass')}&example=airline"
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert visit().post("/examples", content=body, headers=form).status_code == 403


def test_a_body_whose_stated_length_is_no_number_of_use_is_refused(visit: Open) -> None:
    assert visit().post("/examples", content=b"x", headers={"content-length": "9" * 5000}).status_code == 413


@pytest.mark.parametrize("name", ["a\u202evsc.exe", "a\x00b.csv", "\x1b[2J.csv", "\u2066x\u200f.csv", "/\\"])
def test_names_that_turn_text_round_or_control_it_are_cleaned(visit: Open, name: str) -> None:
    visitor = visit()
    body = f'--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token(visitor)}\r\n--x\r\n'
    body += f'Content-Disposition: form-data; name="table"; filename="{name}"\r\n\r\n{TABLE}\r\n--x--\r\n'
    form = {"content-type": "multipart/form-data; boundary=x"}
    page = visitor.post("/tables", content=body.encode(), headers=form)
    assert page.status_code == 200
    assert not [c for c in page.text if not c.isprintable() and c != "\n"]
    assert re.search("<title>[^<: ]", page.text)


def test_a_table_on_which_the_reader_fails_is_not_kept(
    visit: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("autostatistician.web.queue.previewed", broken)
    assert upload(visit())[0] == 500
    assert not [*(tmp_path / "runs" / "runs").iterdir()]


def test_a_run_that_was_stopped_and_failed_starts_anew(visit: Open, tmp_path: Path) -> None:
    visitor, store = visit(), Store(tmp_path / "runs")
    _, run, _ = upload(visitor)
    begin(visitor, run)
    place = store.place(run.removeprefix("/runs/"))
    visitor.post(f"{run}/stop", data={"token": token(visitor, run)})
    assert (place / "stop").exists()
    store.set(place.name, RunState.FAILED, "lost")
    begin(visitor, run)
    assert not (place / "stop").exists()


@pytest.mark.parametrize(
    ("program", "words"), [("exec sleep 20", "takes longer than"), ("kill -9 $$", "ended before its time")]
)
@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_a_table_that_breaks_or_holds_its_reader_harms_nobody_else(
    visit: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{program}\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))
    monkeypatch.setattr("autostatistician.web.queue.LOOK_SECONDS", 0.3)
    visitor = visit()
    status, _, text = upload(visitor, gzip.compress(TABLE.encode()))
    assert status == 400
    assert words in text
    assert upload(visitor)[0] == 200


def test_a_packed_table_is_read_like_any(visit: Open) -> None:
    status, _, text = upload(visit(), gzip.compress(TABLE.encode()), "sales.csv.gz")
    assert status == 200
    assert "12 rows, 2 columns" in text


def test_no_more_tables_are_kept_than_the_disk_was_given_for(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, 0, Bounds(kept=1)), "http://localhost") as visitor:
        assert [upload(visitor)[0] for _ in range(2)] == [200, 503]


def test_a_visitor_or_an_address_cannot_take_all_the_room(tmp_path: Path) -> None:
    bounds = Bounds(kept=9, kept_of_visitor=2, kept_of_address=3)
    app = make_app(tmp_path, 0, bounds)
    with TestClient(app, "http://localhost", client=("192.0.2.1", 1)) as first:
        second = TestClient(app, "http://localhost", client=("192.0.2.1", 2))
        third = TestClient(app, "http://localhost", client=("192.0.2.2", 3))
        assert [upload(first)[0] for _ in range(3)] == [200, 200, 429]
        assert [upload(second)[0] for _ in range(2)] == [200, 429]
        assert upload(third)[0] == 200


def test_a_visitor_cannot_take_all_of_the_queue(tmp_path: Path) -> None:
    bounds = Bounds(waiting=9, waiting_of_visitor=1, waiting_of_address=2)
    app = make_app(tmp_path, 0, bounds)
    with TestClient(app, "http://localhost") as first:
        others = [TestClient(app, "http://localhost") for _ in range(2)]
        assert [begin(first, upload(first)[1])[0] for _ in range(2)] == [200, 503]
        assert [begin(one, upload(one)[1])[0] for one in others] == [200, 503]


def test_neighbours_in_one_network_count_as_one_address(tmp_path: Path) -> None:
    app = make_app(tmp_path, 0, Bounds(kept_of_address=1))
    with TestClient(app, "http://localhost", client=("2001:db8::1", 1)) as first:
        second = TestClient(app, "http://localhost", client=("2001:db8::2", 1))
        other = TestClient(app, "http://localhost", client=("2001:db8:0:1::2", 1))
        assert [upload(one)[0] for one in (first, second, other)] == [200, 429, 200]


def test_tables_with_which_nothing_was_begun_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(make_app(tmp_path, 0, Bounds(kept=2)), "http://localhost") as visitor:
        runs = [upload(visitor)[1] for _ in range(2)]
        assert begin(visitor, runs[0])[0] == 200
        later = time.time() + Bounds.expiry + 1.0
        monkeypatch.setattr("autostatistician.web.store.time", SimpleNamespace(time=lambda: later))
        assert upload(visitor)[0] == 200
        assert [visitor.get(run).status_code for run in runs] == [200, 404]


class Looks:
    """Looks at tables that take until they are let go."""

    def __init__(self) -> None:
        self.now, self.most, self.go = 0, 0, threading.Event()

    def __call__(self, *_: object) -> None:
        self.now += 1
        self.most = max(self.now, self.most)
        assert self.go.wait(30.0)
        self.now -= 1
        raise InputError("looked at")


def test_looks_at_tables_hold_up_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    monkeypatch.setattr("autostatistician.web.queue.previewed", looks)
    monkeypatch.setattr("autostatistician.web.queue.SLOT_SECONDS", 0.3)
    with TestClient(make_app(tmp_path, 0, BOUNDS), "http://localhost") as visitor:
        known = token(visitor)
        files, data = {"table": ("a.csv", TABLE)}, {"token": known}
        with ThreadPoolExecutor(8) as several:
            sent = [several.submit(visitor.post, "/tables", data=data, files=files) for _ in range(8)]
            while sum(one.done() for one in sent) < 7:
                began = time.monotonic()
                assert visitor.get("/").status_code == 200
                assert time.monotonic() - began < 5.0
            looks.go.set()
            answers = [one.result() for one in sent]
    assert looks.most == 1  # they come from one address
    assert sorted(answer.status_code for answer in answers) == [400] + [503] * 7
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 503)
