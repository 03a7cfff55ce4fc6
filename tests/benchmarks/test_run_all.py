"""The plan of a night, and running it."""

from argparse import Namespace
from pathlib import Path

import pytest

import run_all

SCRIPT = """import sys, time
name, folder = sys.argv[0].split("/")[-1], sys.argv[sys.argv.index("--results") + 1]
time.sleep(60.0 if name == "slow.py" else 0.0)
open(folder + "/" + name + ".made", "w").close()
sys.exit(name == "bad.py")
"""


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Namespace:
    """The arguments of a run of small scripts in the place of the benchmarks."""
    for name in ("good", "bad", "slow"):
        (tmp_path / f"{name}.py").write_text(SCRIPT)
    monkeypatch.setattr(run_all, "HERE", tmp_path)
    monkeypatch.setattr(run_all, "PAUSE", 0.01)
    return Namespace(results=tmp_path, data=tmp_path, minutes=1.0, at_once=2)


def test_a_script_that_fails_stops_no_other(given: Namespace, tmp_path: Path) -> None:
    assert run_all.run(["bad", "good"], given) == ["bad"]
    assert sorted(path.name for path in tmp_path.glob("*.made")) == ["bad.py.made", "good.py.made"]


def test_what_does_not_end_in_time_is_stopped_and_told(given: Namespace, tmp_path: Path) -> None:
    given.minutes, given.at_once = 0.01, 1
    assert run_all.run(["slow", "good"], given) == ["slow", "good"]
    assert not list(tmp_path.glob("*.made"))


def test_all_tables_can_be_made_in_three_hours_on_two_cores(root: Path) -> None:
    known = run_all.scripts()
    assert sum(known.values()) <= 350
    readme = (root / "benchmarks" / "README.md").read_text(encoding="utf-8")
    for name, minutes in known.items():
        assert f"| `{name}.py` | {minutes} |" in readme, name
