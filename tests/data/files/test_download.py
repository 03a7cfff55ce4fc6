"""Tables at an address, of a server on this machine: what is read, and what is refused."""

from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from time import monotonic, sleep

import pytest

from autostatistician.data.files import download as module
from autostatistician.data.files.download import download
from autostatistician.data.load import load
from autostatistician.errors import InputError, TooLargeError

TABLE = "month,sales\n" + "".join(f"{2020 + k // 12}-{k % 12 + 1:02d},{k + k % 3}\n" for k in range(30))


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        port = self.server.server_address[1]
        elsewhere = {
            "/here": f"http://127.0.0.1:{port}/sales.csv",
            "/there": f"http://localhost:{port}/sales.csv",
            "/nowhere": "http://[::1/sales.csv",
        }
        if self.path in elsewhere:
            self.send_response(302)
            self.send_header("location", elsewhere[self.path])
            self.end_headers()
        elif self.path == "/cut.csv":
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b"month,sales")
        elif self.path == "/slow.csv":
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # of whoever has gone
                for _ in range(40):
                    self.wfile.write(b"1")
                    sleep(0.05)
        elif self.path == "/none.csv":
            self.send_error(404)
        else:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(TABLE.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("page", ["/sales.csv", "/here"])
def test_a_table_at_an_address_is_read_like_a_file(server: str, page: str) -> None:
    data = load(server + page)
    assert (data.n, data.target, data.name) == (30, "sales", page.strip("/").split(".")[0])


def test_no_more_is_read_than_the_limit(server: str) -> None:
    assert download(f"{server}/sales.csv", 20)[0] == TABLE.encode()[:20]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("/none.csv", "HTTP 404"),
        ("/cut.csv", "none .IncompleteRead.*989 more"),
        ("/ü.csv", "none .ordinal not in range"),
        ("/nowhere", "Invalid IPv6 URL"),
        ("/there", "a public address; found one that leads to 'http://loc"),
    ],
)
def test_what_cannot_be_read_says_why(server: str, page: str, found: str) -> None:
    with pytest.raises(InputError, match=found):
        download(server + page, 1000)


def test_a_download_ends_in_time(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.0)
    with pytest.raises(InputError, match="takes longer than"):
        download(f"{server}/sales.csv", 1000)


def test_an_answer_a_letter_at_a_time_ends_in_time(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.1)
    began = monotonic()
    with pytest.raises(InputError, match="takes longer than"):
        download(f"{server}/slow.csv", 1000)
    assert monotonic() - began < 1.5  # of the two seconds that it takes as a whole


def test_an_address_that_is_none_says_so() -> None:
    with pytest.raises(InputError, match="Invalid IPv6 URL"):
        load("https://[::1/sales.csv")


@pytest.mark.parametrize("address", ["http://192.0.2.1/sales.csv", "ftp://127.0.0.1/sales.csv", "file:///etc/passwd"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError, match="begins with https"):
        load(address)


def test_a_public_address_leads_to_no_machine_beside_it() -> None:
    for inside in ("http://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest"):
        with pytest.raises(InputError, match="leads to"):
            module._check(inside, "https://example.org/sales.csv")


def test_too_large_is_an_error_of_its_own() -> None:
    assert issubclass(TooLargeError, InputError)
