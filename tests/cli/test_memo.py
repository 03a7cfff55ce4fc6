"""The command that checks a text."""

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.saved_models.models import place

TEXT = "In all, passengers rose by about 350.\n\n- They peak in February.\n\nThanks to all."


def test_a_text_is_checked_and_the_exit_code_tells(run: Run, tmp_path: Path) -> None:
    memo = tmp_path / "memo.txt"
    memo.write_text(TEXT, encoding="utf-8")
    found = run(["check", str(place("airline")), str(memo)], code=3)
    assert found.out.splitlines()[0] == "borne out     In all, passengers rose by about 350."
    assert found.out.splitlines()[-1] == "1 borne out, 1 contradicted, 0 unknown"
    memo.write_text(TEXT.split("\n")[0], encoding="utf-8")
    record = json.loads(run(["check", str(place("airline")), str(memo), "--json"]).out)
    assert [each["verdict"] for each in record["sentences"]] == ["borne out"]


def test_a_text_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    assert "a text at" in run(["check", str(place("airline")), str(tmp_path / "none.txt")], code=2).err
