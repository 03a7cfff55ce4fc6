"""A table before the search: what is guessed of it, what the form offers, what its answers become."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from autostatistician.data import columns
from autostatistician.errors import InputError
from autostatistician.web.app import make_app
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
