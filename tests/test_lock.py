"""A folder belongs to one server at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from autostatistician.errors import InputError
from autostatistician.lock import held


def test_a_folder_is_for_one_server_at_a_time(tmp_path: Path) -> None:
    with held(tmp_path / "runs", "server", "--folder"):
        with pytest.raises(InputError, match="another server has it"), held(tmp_path / "runs", "server", "--folder"):
            pass
        with held(tmp_path / "others", "server", "--folder"):
            pass
    with held(tmp_path / "runs", "server", "--folder"):
        pass


def test_a_place_that_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="choose another --folder"), held(tmp_path / "file", "server", "--folder"):
        pass
