"""The lines of the page on new rows: what a shell makes of the exit codes of ``update --dry-run``."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "new-rows.md"
LINES = {name: line for line in re.findall(r"^```sh\n(.+)\n```$", PAGE.read_text(encoding="utf-8"), re.M)
         for name in ("chat", "pipeline") if ("jq" in line) == (name == "chat")}  # fmt: skip


def _tools(folder: Path, code: int) -> dict[str, str]:
    """An environment in which the command says a line and ends with a code, and ``curl`` keeps what it is given."""
    for name, text in (
        ("autostatistician", f"echo 'It is \"odd\".'; exit {code}"),
        ("curl", 'cat > "$KEPT"'),
        ("jq", """printf '{"text": "%s"}' "$4" """),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "KEPT": str(folder / "kept"), "WEBHOOK": "x"}


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
@pytest.mark.parametrize(("code", "fails"), [(0, False), (3, True), (4, False), (2, True)])
def test_a_pipeline_fails_on_a_surprise_alone(tmp_path: Path, code: int, fails: bool) -> None:
    done = subprocess.run(["sh", "-c", LINES["pipeline"]], env=_tools(tmp_path, code), check=False)
    assert bool(done.returncode) is fails


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
@pytest.mark.parametrize("code", [0, 3])
def test_a_chat_gets_the_line_of_a_surprise_alone(tmp_path: Path, code: int) -> None:
    subprocess.run(["sh", "-c", LINES["chat"]], env=_tools(tmp_path, code), check=False)
    assert (tmp_path / "kept").exists() is bool(code)
    if code:
        assert "It is" in (tmp_path / "kept").read_text(encoding="utf-8")
