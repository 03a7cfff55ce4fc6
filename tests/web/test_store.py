"""The folder of the server: for its user alone, for one server at a time, and without a word by which to act."""

import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from autostatistician.data import columns
from autostatistician.errors import InputError
from autostatistician.web.app import make_app
from autostatistician.web.safety import address_of, form_token, may_post, visitor_of
from autostatistician.web.store import Store, secret_of
from autostatistician.web.tables import Bounds, chosen, preview, previewed

STORES = "store,month,sales\n" + "".join(f"{s},2021-{m:02},{m * m}\n" for s in ("A", "<b>") for m in range(1, 13))
YEARS = "year,month,sales\n" + "".join(f"{y},{m},{y - m}\n" for y in (2020, 2021) for m in range(1, 13))
PLAIN = "a,b,y\n" + "".join(f"{7 * k % 12},{5 * k % 12},{k * k % 9}\n" for k in range(12))


def _seen(place: Path, text: str) -> dict[str, Any]:
    (place / "table.csv").write_text(text, encoding="utf-8")
    return previewed(place, "table.csv", "table", Bounds())


def test_one_series_of_a_long_table_is_chosen(tmp_path: Path) -> None:
    seen = _seen(tmp_path, STORES)
    assert (seen["time"], seen["target"], seen["where"]) == ("month", "sales", {"store": ["A", "<b>"]})
    assert seen["notes"][0].startswith("The table holds several series under each other")
    assert not any("where 'store' is" in note for note in seen["notes"])
    assert chosen({"time": "1", "target": "2", "where0": "1"}, seen, Bounds())["where"] == {"store": "<b>"}
    assert chosen({}, seen, Bounds())["where"] == {"store": "A"}
    with pytest.raises(InputError, match="a whole number from 0 to 1 for 'where0'"):
        chosen({"where0": "2"}, seen, Bounds())


def test_a_class_is_seen_and_may_be_asked_for(tmp_path: Path) -> None:
    seen = _seen(tmp_path, "dose,ill\n" + "".join(f"{7 * k % 12},{'yes' if k % 3 else 'no'}\n" for k in range(12)))
    assert seen["target"] == "ill"
    assert any("holds two classes, 'no' and 'yes'" in note for note in seen["notes"])
    assert chosen({}, seen, Bounds())["task"] == "auto"
    assert chosen({"task": "number"}, seen, Bounds())["task"] == "number"
    with pytest.raises(InputError, match="a task among auto, class, number"):
        chosen({"task": "rank"}, seen, Bounds())


def test_a_table_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells: list[tuple[str, ...]] = []
    parsed, read = columns.parse_numbers, Path.open

    def counting(values: tuple[str, ...], **options: bool) -> object:
        cells.append(values)
        return parsed(values, **options)

    opened: list[Path] = []

    def opening(path: Path, *args: Any, **options: Any) -> Any:
        opened.extend([path] if path.name == "table.csv" and args == ("rb",) else [])
        return read(path, *args, **options)

    monkeypatch.setattr(columns, "parse_numbers", counting)
    monkeypatch.setattr(Path, "open", opening)
    assert _seen(tmp_path, PLAIN)["target"] == "y"
    assert (len(cells), len(set(cells)), len(opened)) == (3, 3, 1)


def test_a_table_seen_by_an_earlier_version_has_no_keys(tmp_path: Path) -> None:
    seen = _seen(tmp_path, YEARS)
    del seen["where"]
    (tmp_path / "preview.json").write_text(json.dumps(seen), encoding="utf-8")
    assert chosen({}, preview(tmp_path), Bounds())["where"] == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (STORES, ["Only rows where store is", '<option value="1">&lt;b&gt;</option>']),
        (YEARS, ['<option value="">find it</option>']),  # the year alone was offered
        (PLAIN, ['<option value="">none: the columns explain it</option>', "This was read as a table"]),
    ],
)
def test_the_form_offers_what_was_seen(tmp_path: Path, text: str, words: list[str]) -> None:
    with TestClient(make_app(tmp_path, 0), "http://localhost") as visitor:
        token = re.search(r'name="token" value="(\w+)"', visitor.get("/").text)
        assert token
        page = visitor.post("/tables", data={"token": token[1]}, files={"table": ("t.csv", text, "text/csv")}).text
    for one in words:
        assert one in page


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


posix = pytest.mark.skipif(sys.platform == "win32", reason="rights are those of POSIX")


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_nobody_else_on_the_machine_can_look_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    Store(folder).add("visitor", "a", "table.csv", b"")
    secret_of(folder)
    assert rights(folder) == rights(folder / "runs") == 0o700
    assert all(rights(path) == 0o600 for path in folder.iterdir() if path.is_file())


@posix
def test_the_folder_of_an_earlier_version_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    Store(folder)
    for path in (folder, folder / "runs"):
        path.chmod(0o755)
    (folder / "runs.sqlite").chmod(0o644)
    Store(folder)
    assert [rights(path) for path in (folder, folder / "runs", folder / "runs.sqlite")] == [0o700, 0o700, 0o600]


@posix
def test_a_folder_that_was_there_keeps_its_own_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Store(tmp_path)
    assert [rights(path) for path in (tmp_path, tmp_path / "runs", tmp_path / "runs.sqlite")] == [0o755, 0o700, 0o600]


def test_the_store_does_not_hold_what_a_visitor_shows(tmp_path: Path) -> None:
    store, cookie = Store(tmp_path), "c00kie-of-a-visitor-22"
    run = store.add(cookie, "a", "table.csv", b"")
    assert [one.id for one in store.of_visitor(cookie)] == [run.id]
    assert store.owns(cookie, run)
    assert not store.owns(run.visitor, run)
    assert not any(cookie.encode() in path.read_bytes() for path in tmp_path.glob("runs.sqlite*"))
