"""A first look at a table, by us or by a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autostatistician.errors import InputError, WriteError
from autostatistician.web import look as looks
from autostatistician.web.look import look
from autostatistician.web.tables import Bounds

TABLE = "month,sales\n" + "".join(f"2020-{k:02d}-01,{k * k}\n" for k in range(1, 13))


def _seen(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir() if path.name != "table.csv"}


def test_what_another_process_sees_is_what_we_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, seen = TABLE.encode(), []
    for most in (looks.SMALL_BYTES, 0):
        place = tmp_path / str(most)
        place.mkdir()
        (place / "table.csv").write_bytes(content)
        monkeypatch.setattr(looks, "SMALL_BYTES", most)
        look(place, "table.csv", "sales.csv", content, Bounds())
        seen.append(_seen(place))
    assert seen[0] == seen[1] != {}


@pytest.mark.parametrize(
    ("code", "output", "error", "words"),
    [
        (looks.AT_FAULT, b'"expected a table; found none; give one"', InputError, "expected a table; found none"),
        (looks.NO_ROOM, b"", WriteError, "a full disk"),
        (looks.NO_MEMORY, b"", InputError, "MB of memory"),
        (-9, b"", InputError, "one that cannot be read"),
    ],
)
def test_every_end_of_the_process_is_told(
    code: int, output: bytes, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Any] = []

    def run(command: list[str], **settings: Any) -> Any:
        asked.append(json.loads(settings["input"]))
        return SimpleNamespace(returncode=code, stdout=output)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(error, match=words):
        look(tmp_path, "table.parquet", "a", b"PAR1 whatever", Bounds())  # packed: never read by us
    assert asked[0][:3] == [str(tmp_path), "table.parquet", "a"]


def test_a_process_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run(command: list[str], **settings: Any) -> Any:
        raise subprocess.TimeoutExpired(command, settings["timeout"])

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(InputError, match="takes longer than 40 seconds"):
        look(tmp_path, "table.parquet", "a", b"PAR1 whatever", Bounds())
    assert sys.executable
