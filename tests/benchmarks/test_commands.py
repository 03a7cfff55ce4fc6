"""What all commands have in common: cases, rows that are kept, failures, names."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import common
import synthetic
from autostatistician.kernels.text import parse


def benches(name: str) -> list[Any]:
    """The tables of a script."""
    module = import_module(name)
    return [module.bench()] if name == "corpus" else list(getattr(module, "BENCHES", None) or [module.BENCH])


def test_every_table_of_a_script_has_cases_and_columns(root: Path) -> None:
    tables = {}
    for name in import_module("run_all").scripts():
        if name == "corpus":  # needs a package
            continue
        for bench in benches(name):
            given = argparse.Namespace(**dict.fromkeys(bench.options))
            assert bench.cases(given), bench.file
            assert len({*bench.case, *bench.columns}) == len(bench.case) + len(bench.columns), bench.file
            assert "code" in bench.columns, bench.file
            tables[bench.file] = {*bench.case, *bench.columns}
    results = root / "benchmarks" / "results"
    # Those of `learn_ahead.py` and `since.py`, and of a script that needs a package.
    by_hand = {"corpus.csv", "ends.csv", "growth.csv", "breaks.csv", "scales.csv", "since.csv"}
    assert {path.name for path in results.glob("*.csv")} <= {*tables, *by_hand}
    for file, columns in tables.items():
        header = (results / file).read_text(encoding="utf-8").splitlines()[0].split(",")
        assert {*header} - {"code"} <= columns, file


def test_modules_of_benchmarks_and_of_the_gallery_have_names_of_their_own(root: Path) -> None:
    """They are found by name alone, wherever the tests that need them run."""
    own, *others = ({path.stem for path in (root / part).glob("*.py")} for part in
                    ("benchmarks", "docs/gallery", "packaging", "docs"))  # fmt: skip
    assert not own & set().union(*others, sys.stdlib_module_names)


def made(common: Any, run: Any, **more: Any) -> Any:
    options = {"method": ("a", "b"), "fold": (0, 1)} | more
    return common.Bench(
        file="t.csv",
        case=("method", "fold"),
        columns=("score", "seconds", "code"),
        options=options,
        run=run,
        more={"method": ("c",)},
        code=lambda case: "1" if case["method"] != "b" else None,
    )


def asked(folder: Path, **more: Any) -> argparse.Namespace:
    known = {"results": folder, "fresh": False, "dry_run": False, "method": None, "fold": None}
    return argparse.Namespace(**known | more)


def test_only_what_is_missing_is_run(tmp_path: Path) -> None:
    seen: list[Any] = []
    bench = made(common, lambda case, _: seen.append(dict(case)) or {"score": case["fold"]})
    assert bench.fill(asked(tmp_path, fold=[1]))
    assert bench.fill(asked(tmp_path))  # method b is not installed
    assert seen == [{"method": "a", "fold": 1}, {"method": "a", "fold": 0}]
    assert [(row["fold"], row["score"]) for row in common.read_rows(tmp_path / "t.csv")] == [("1", "1"), ("0", "0")]
    assert bench.fill(asked(tmp_path, method=["c"], dry_run=True))
    assert len(seen) == 2


def test_a_failure_is_kept_stops_no_other_and_goes_when_it_is_mended(tmp_path: Path) -> None:
    def run(case: Any, _: Any) -> Any:
        if case["fold"] == 0 and not (tmp_path / "mended").exists():
            raise ValueError("a bad case")
        return {"score": 1}

    assert not made(common, run).fill(asked(tmp_path))
    (row,) = common.read_rows(tmp_path / "failures.csv")
    assert (row["command"], row["error"]) == ("t.csv method=a fold=0", "ValueError('a bad case')")
    assert len(common.read_rows(tmp_path / "t.csv")) == 1
    (tmp_path / "mended").touch()
    assert made(common, run).fill(asked(tmp_path))
    assert common.read_rows(tmp_path / "failures.csv") == []


# Series and made structures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("WN + C", "none"),
        ("(SE + C) * Lin + WN", "Lin[x1] + Lin[x1] * SE[x1]"),
        ("Lin * (Per + WN)", "Lin[x1] * Per[x1] + Lin[x1] * WN"),
        ("SE * WN + Per", "Per[x1]"),
        ("(SE[x1] + RQ[x2]) * SE[x3]", "SE[x1] * SE[x3] + SE[x2] * SE[x3]"),
        ("CP(SE, WN)", "ChangePoint"),
    ],
)
def test_structure_is_what_varies_with_the_inputs(text: str, found: str) -> None:
    assert synthetic.shown(synthetic.structure(parse(text))) == found


def test_the_draws_have_the_signal_to_noise_ratio_of_their_case() -> None:
    inputs, kernel = synthetic.cases()["se1-se2"]
    clean, noisy = (synthetic.drawn(kernel, inputs, snr, 0) for snr in (1e12, 1.0))
    assert clean.columns == ("x1", "x2", "x3", "x4")
    assert clean.y.std() == pytest.approx(1.0, abs=1e-4)
    assert (noisy.y - clean.y).std() == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("settings", ["", "n_restarts=1"])
def test_bics_on_all_the_data_are_of_all_the_rows(
    tmp_path: Path, settings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, seen = import_module("series"), list[Any]()
    (tmp_path / "timeseries").mkdir()
    (tmp_path / "timeseries" / "01-one.csv").write_text("x,y\n1,2\n2,3\n3,5\n")
    monkeypatch.setattr(module, "fitted", lambda *asked: seen.append(asked) or (None, {}))
    case = {"series": "01-one", "language": "full", "seed": 0, "settings": settings}
    assert module.on_all_data(case, argparse.Namespace(data=tmp_path)) == {"n": 3}
    assert seen[0][3]["outliers"] == "keep"


def test_poorer_languages_are_run_on_few_series_and_not_as_deep() -> None:
    module = import_module("series")
    bench = module.BENCHES[0]
    cases = bench.cases(argparse.Namespace(**dict.fromkeys(bench.options)))
    own = [case for case in cases if case["method"] == "extended"]
    assert len(own) == 2 * 13
    assert {case["settings"] for case in own} == {""}
    others = [case for case in cases if case["method"] != "extended"]
    assert {(case["axis"], case["settings"]) for case in others} == {("raw", "max_depth=3")}
    assert len(others) == 3 * 6
