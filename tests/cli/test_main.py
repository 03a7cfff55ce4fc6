"""The command line: exit codes, one-line errors, whole files or none, and what goes to which stream."""

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.cli.conftest import Run

from autostatistician import TargetOptions
from autostatistician._io.processes import interrupt_later
from autostatistician.cli.main import main
from autostatistician.cli.terminal import checked_output
from autostatistician.errors import InputError
from autostatistician.i18n.messages import language, note
from autostatistician.search.run import NOTHING_KNOWN

HEAVY = ("pandas", "matplotlib", "sklearn", "scipy", "narwhals", "jinja2", "babel", "chardet", "rich")
RECORD = {
    "format": "autostatistician search 1",
    "expression": "SE + WN",
    "components": [],
    "nll": 1.5,
    "bic": float("nan"),
    "warnings": ["2 rows \x1b dropped"],
    **{"n": 20, "n_parameters": 3, "evaluations": 9, "transform": {"name": "none"}, "statements": [], "facts": []},
    "search": {"complete": True, "cut": None, "levels": 1},
}


@dataclass(frozen=True)
class Step:
    """What the search tells."""

    level: int = 1
    max_depth: int = 10
    expression: str = "SE[weird [name]] + WN"
    bic: float = 12.0


class Fake:
    """The face of the estimator without its work."""

    made: "Fake"
    interrupted_ = False
    during_fit: Callable[[], None] = staticmethod(lambda: None)
    during_report: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, **arguments: Any) -> None:
        self.arguments, self.horizon = arguments, None
        Fake.made = self

    def fit(self, data: object, callback: Callable[[Step], None] | None = None, checkpoint: object = None) -> "Fake":
        assert callback is not None
        callback(Step())
        self.during_fit()
        return self

    def to_dict(self) -> dict[str, Any]:
        return dict(RECORD)

    def describe(self) -> list[str]:
        return ["A smooth function.", "Noise."]

    def ask(self, question: str) -> Any:
        raise InputError.of("a question", question, "ask another")

    def report(self, path: Path, horizon: int | None = None, future: object = None, interactive: bool = False) -> None:
        self.horizon = horizon
        self.during_report()
        Path(path).write_text("whole", encoding="utf-8")

    def save(self, path: Path) -> None:
        Path(path).write_text("{}", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "Fake":
        return cls()

    def forecast(self, steps: int) -> pd.DataFrame:
        times = pd.date_range("1961-01-01", periods=steps, freq="MS")
        return pd.DataFrame({"time": times, "mean": 1.0, "std": 0.5, "lower": 0.0, "upper": 2.0})


@dataclass(frozen=True)
class Faked:
    """The class in the place of the estimator, and what the loader was asked for."""

    estimator: type[Fake]
    asked: list[tuple[str, dict[str, Any]]]


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Faked:
    """Stand-ins for the loader and the estimator, in an empty current folder."""
    asked: list[tuple[str, dict[str, Any]]] = []
    estimator = type("Estimator", (Fake,), {})

    def load(data: str, **options: Any) -> types.SimpleNamespace:
        asked.append((data, options))
        return types.SimpleNamespace(classes=())

    loading = {"load_estimator": estimator.load, "forget": lambda *given: None, "answers_of": lambda model: {}}
    for name, value in (("data.load", {"load": load}),
                        ("estimators.statistician", {"AutomaticStatistician": estimator}),
                        ("estimators.statistician_classifier", {"AutomaticStatisticianClassifier": None}),
                        ("estimators.loading", loading)):  # fmt: skip
        module = types.ModuleType(f"autostatistician.{name}")
        vars(module).update(value)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTOSTATISTICIAN_DEBUG", raising=False)
    return Faked(estimator, asked)


# --- report and fit ---------------------------------------------------------------------------------------------


def test_report_says_what_it_found_and_where_it_wrote(faked: Faked, run: Run) -> None:
    out, err = run(["report", "airline"])
    assert out == "Model: SE + WN\n- A smooth function.\n- Noise.\nWrote airline-report.html\n"
    assert err == "note: 2 rows   dropped\n"
    assert Path("airline-report.html").read_text(encoding="utf-8") == "whole"
    assert [path.name for path in Path().iterdir()] == ["airline-report.html"]


def test_report_prints_one_json_object(faked: Faked, run: Run) -> None:
    out, err = run(["report", "tables/my sales.csv", "--json", "--output", "a.md"])
    assert json.loads(out) == {**RECORD, "bic": None, "output": "a.md"}
    assert err == ""


def test_options_reach_the_loader_and_the_estimator(faked: Faked) -> None:
    options = "--time when --target sales --axis raw --language se --max-depth 2 --time-budget 3.5 --n-jobs 2"
    options += " --random-state 7 --horizon 5 --criterion loo --transform log --outliers keep --limits 0,9"
    assert main(["report", "a.csv", "--quiet", *options.split()]) == 0
    asked = {"time": "when", "target": "sales", "inputs": None, "axis": "raw", "where": {}, "task": "auto"}
    asked |= {"holidays": None, "allow_leaks": (), "exposure": None, "totals": None, "every": None, "by": None}
    asked |= {"sql": None, "error": None}
    assert faked.asked == [("a.csv", asked)]
    wanted = {"language": "se", "criterion": "loo", "max_depth": 2, "time_budget": 3.5, "n_jobs": 2, "random_state": 7}
    assert Fake.made.arguments == {**wanted, "target_options": TargetOptions("log", "keep", (0.0, 9.0))}
    assert Fake.made.horizon == 5


def test_defaults_of_the_command_line_are_those_of_the_estimator(faked: Faked) -> None:
    assert main(["fit", "a.csv", "--quiet"]) == 0
    wanted = {
        "language": "extended",
        "criterion": "auto",
        "max_depth": 10,
        "time_budget": None,
        "n_jobs": -1,
        "random_state": 0,
        "target_options": TargetOptions(),
    }
    assert Fake.made.arguments == wanted


def test_fit_saves_the_model(faked: Faked, run: Run) -> None:
    assert run(["fit", "a.csv", "--output", "model.json"]).out.endswith("Wrote model.json\n")
    assert list(json.loads(Path("model.json").read_text(encoding="utf-8"))) == ["told"]


def test_quiet_says_nothing(faked: Faked, run: Run) -> None:
    assert run(["report", "a.csv", "--quiet"]) == ("", "")


# --- forecast, describe, examples -------------------------------------------------------------------------------


@pytest.fixture
def model(faked: Faked) -> str:
    """The path of a saved model."""
    Path("model.json").write_text("{}", encoding="utf-8")
    return "model.json"


def test_forecast_is_a_csv_table(model: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forecast", model, "--horizon", "2"]) == 0
    table = "time,mean,std,lower,upper\n1961-01-01,1.0,0.5,0.0,2.0\n1961-02-01,1.0,0.5,0.0,2.0\n"
    assert capsys.readouterr().out == table
    assert run(["forecast", model, "--horizon", "2", "--output", "f.csv"]).out == "Wrote f.csv\n"
    assert Path("f.csv").read_bytes() == table.encode()


def test_forecast_as_json_has_iso_dates(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forecast", model, "--horizon", "1", "--json"]) == 0
    row = {"time": "1961-01-01", "mean": 1.0, "std": 0.5, "lower": 0.0, "upper": 2.0}
    assert json.loads(capsys.readouterr().out) == {
        "format": "autostatistician forecast 1", "forecast": [row], "output": None,
    }  # fmt: skip


def test_describe_prints_the_sentences(model: str, run: Run) -> None:
    assert run(["describe", model]).out == "A smooth function.\nNoise.\n"
    assert json.loads(run(["describe", model, "--json"]).out)["sentences"] == ["A smooth function.", "Noise."]


# --- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("report", ("DATA", "nothing")),
        ("report a --dept 3", ("'--dept'", "perhaps --max-depth was meant")),
        ("report a --max-depth none", ("'--max-depth'", "'none'")),
        ("report a --time-budget nan", ("'--time-budget'", "nan is not a number of seconds")),
        ("report a --time-budget 0", ("'--time-budget'",)),
        ("report a --language klingon", ("'--language'", "'interpretable'")),
        ("report a --output missing/b.html", ("existing folder", "'missing'")),
        ("report a --output b.txt", ("ending in .html", "'b.txt'")),
        ("report a --output b.docx", ("ending in .html", "'b.docx'")),
        ("report a --interactive --output b.md", ("a .html file for interactive pictures", "'.md'")),
        ("report a --output folder.html", ("a file as output", "'folder.html'")),
        ("report a --output .", ("a file as output", "the folder '.'")),
        ("fit a --output b.html", ("ending in .json",)),
        ("forecast missing.json", ("a saved model at 'missing.json'", "no file")),
        ("describe .", ("a saved model", "a folder")),
        ("frob", ("no such command 'frob'", "--help")),
        ("examples extra", ("extra argument (extra)",)),
    ],
)
def test_mistakes_get_one_line_before_any_work(faked: Faked, run: Run, arguments: str, parts: tuple[str, ...]) -> None:
    Path("folder.html").mkdir()
    out, err = run(arguments.split(), 2)
    assert out == ""
    assert err.startswith("error: expected ")
    assert err.count("\n") == 1
    assert err.count(";") == 2
    assert all(part in err for part in parts)
    assert faked.asked == []


def test_an_input_error_is_one_line_and_leaves_no_file(faked: Faked, run: Run) -> None:
    def fail() -> None:
        raise InputError.of("numbers", "the column 'a\x1b[2J\nb'", "clean it")

    faked.estimator.during_fit = staticmethod(fail)
    assert run(["report", "a.csv"], 2).err == "error: expected numbers; found the column 'a [2J b'; clean it\n"
    assert list(Path().iterdir()) == []


def test_a_bug_is_one_line_and_the_traceback_on_demand(faked: Faked, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    faked.estimator.during_fit = staticmethod(lambda: {}["x"])  # type: ignore[arg-type]
    err = run(["report", "a.csv"], 1).err
    assert err == "error: KeyError: 'x' (this is a bug; AUTOSTATISTICIAN_DEBUG=1 shows where)\n"
    monkeypatch.setenv("AUTOSTATISTICIAN_DEBUG", "1")
    assert "Traceback" in run(["report", "a.csv"], 1).err


def test_a_failure_while_writing_keeps_the_old_file_whole(faked: Faked, run: Run) -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    Path("a-report.html").write_text("old", encoding="utf-8")
    faked.estimator.during_report = staticmethod(fail)
    assert "found No space left on device" in run(["report", "a.csv"], 2).err
    assert Path("a-report.html").read_text(encoding="utf-8") == "old"
    assert [path.name for path in Path().iterdir()] == ["a-report.html"]


def test_a_place_without_permission_is_found_out_first(faked: Faked, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert "a writable place for 'a-report.html'; found Permission denied" in run(["report", "a.csv"], 2).err
    assert faked.asked == []


def test_the_input_is_not_overwritten(faked: Faked, run: Run) -> None:
    Path("a.json").write_text("x,y", encoding="utf-8")
    for command in ("report", "fit"):
        printed = run([command, "a.json", "--output", "./a.json"], 2).err
        assert "another file as output than the one that is read" in printed
    assert faked.asked == []


@pytest.mark.skipif(os.name == "nt", reason="links need special rights on Windows")
def test_a_link_to_nowhere_is_found_out_first(faked: Faked, run: Run) -> None:
    Path("link.html").symlink_to("missing/real.html")
    printed = run(["report", "a.csv", "--output", "link.html"], 2).err
    assert "an existing folder for 'link.html'; found no folder" in printed
    assert faked.asked == []


@pytest.mark.skipif(os.name == "nt", reason="links need special rights on Windows")
def test_a_forecast_follows_a_link(model: str) -> None:
    Path("link.csv").symlink_to("real.csv")
    assert main(["forecast", model, "--output", "link.csv", "--quiet"]) == 0
    assert Path("link.csv").is_symlink()
    assert Path("real.csv").read_text(encoding="utf-8").startswith("time,mean")


def test_a_protected_file_is_not_replaced(faked: Faked, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a-report.html").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "no permission" in run(["report", "a.csv"], 2).err
    assert faked.asked == []
    assert Path("a-report.html").read_text(encoding="utf-8") == "mine"


# --- interruption -----------------------------------------------------------------------------------------------


def test_an_interrupted_search_still_writes_its_best(faked: Faked, run: Run) -> None:
    faked.estimator.interrupted_ = True
    out, err = run(["report", "a.csv", "--json"], 130)
    assert json.loads(out)["output"] == "a-report.html"
    assert err == "note: interrupted; this is the best model found so far\n"
    assert Path("a-report.html").read_text(encoding="utf-8") == "whole"


def test_an_interruption_before_there_is_a_model_is_one_line(faked: Faked, run: Run) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    faked.estimator.during_fit = staticmethod(interrupt)
    assert run(["report", "a.csv"], 130).err == "error: interrupted before the work was done\n"
    assert list(Path().iterdir()) == []


def test_an_interruption_of_the_first_level_says_that_nothing_is_known(faked: Faked, run: Run) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt(note(NOTHING_KNOWN))

    faked.estimator.during_fit = staticmethod(interrupt)
    assert run(["report", "a.csv"], 130).err == f"error: {NOTHING_KNOWN}\n"
    assert "noch nichts bekannt" in run(["report", "a.csv", "--lang", "de"], 130).err
    assert list(Path().iterdir()) == []


def test_an_interruption_while_writing_waits_for_the_whole_file(faked: Faked) -> None:
    before = signal.getsignal(signal.SIGINT)
    faked.estimator.during_report = staticmethod(lambda: signal.raise_signal(signal.SIGINT))
    assert main(["report", "a.csv", "--quiet"]) == 130
    assert Path("a-report.html").read_text(encoding="utf-8") == "whole"
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interruption_after_writing_is_told_too(faked: Faked, run: Run) -> None:
    def to_dict(self: Fake) -> dict[str, Any]:
        signal.raise_signal(signal.SIGINT)
        return dict(RECORD)

    faked.estimator.to_dict = to_dict  # type: ignore[method-assign]
    assert json.loads(run(["report", "a.csv", "--json"], 130).out)["output"] == "a-report.html"


def test_a_second_interruption_while_writing_acts_at_once() -> None:
    def twice() -> None:
        with interrupt_later():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        twice()
    assert signal.getsignal(signal.SIGINT) is before


# --- the process ------------------------------------------------------------------------------------------------


def _run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "autostatistician", *arguments], capture_output=True, text=True, check=False, **options
    )


def test_help_answers_without_the_heavy_libraries() -> None:
    code = (
        "import sys; from autostatistician.cli.main import main; "
        "codes = [main(a) for a in ([], ['-h'], ['report', '-h'])]; "
        f"print(codes, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[0, 0, 0] []\n"
    assert done.stdout.count("Usage: ") == 3


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_an_interruption_while_the_modules_load_is_one_line() -> None:
    code = (
        "import builtins, signal, sys; import autostatistician.__main__ as start; original = builtins.__import__\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # in jobs of a shell it is ignored\n"
        "def load(name, *rest):\n"
        "    if name == 'click': signal.raise_signal(signal.SIGINT)\n"
        "    return original(name, *rest)\n"
        "builtins.__import__ = load; sys.exit(start.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "error: interrupted before the work was done\n")


def test_the_module_runs_as_a_command() -> None:
    done = _run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("autostatistician 0.")
    done = _run("report", "no-such-file.csv")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_notes_of_libraries_do_not_reach_the_user(faked: Faked, capfd: pytest.CaptureFixture[str]) -> None:
    faked.estimator.during_fit = staticmethod(lambda: logging.getLogger("matplotlib").warning("a cache is missing"))
    assert main(["report", "a.csv"]) == 0
    assert "cache" not in capfd.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="needs the redirections of a POSIX shell")
@pytest.mark.parametrize(
    ("redirections", "arguments", "code"),
    [(">&-", "examples", 0), ("2>&-", "examples", 0), (">&- 2>&- <&-", "examples", 0), ("<&-", "report -", 2)],
)
def test_closed_streams_are_no_bug(redirections: str, arguments: str, code: int, tmp_path: Path) -> None:
    command = f"exec '{sys.executable}' -m autostatistician {arguments} {redirections}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, "bug" in done.stderr) == (code, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently on Windows")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    read, written = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "autostatistician", "--help"], stdout=written, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(written)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are those of POSIX")
def test_a_pipe_is_an_output_but_no_checkpoint(tmp_path: Path, run: Run) -> None:
    pipe = tmp_path / "c.json"
    os.mkfifo(pipe)
    assert checked_output(pipe, (".json",)) == pipe
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    printed = run(["fit", "airline", "--checkpoint", pipe, "--output", tmp_path / "m.json"], 2).err
    assert "found a pipe or a device" in printed


def test_mistakes_are_told_in_the_language_of_the_command(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang, told in (("de", "erwartet: eine vorhandene Datei; gefunden: nichts unter 'no.csv'; den Pfad prüfen"),
                       ("en", "expected an existing file; found nothing at 'no.csv'; check the path")):  # fmt: skip
        assert run(["report", "no.csv", "--lang", lang], 2).err == f"error: {told}\n"
    assert language() == "en"
