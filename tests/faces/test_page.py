"""The page on other libraries keeps its word: its examples run."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "other-libraries.md"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the libraries
def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("sktime", "statsforecast", "gluonts"):
        pytest.importorskip(package, reason=f"needs {package} (extra {package!r})")
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    exec(compile("\n".join(blocks), PAGE.name, "exec"), {"__name__": "__main__"})
    shown = capsys.readouterr().out
    assert "1961-12" in shown
    assert "(1, 12, 3) (1, 12)" in shown
