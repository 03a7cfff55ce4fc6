"""Blocks of Python without a prompt run on the files of the tutorial; those with one are doctests.

A comment before a block holds what is there already (`<!-- before: CODE -->`), why it is not run, or which command
prints it.
"""

import io
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import joblib
import matplotlib.pyplot as plt
import pandas as pd
import pytest
from tests.docs.blocks import FILES, PAGES, ROOT, Block, blocks, command

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.cli.main import cli, main
from autostatistician.data.dataset import Dataset
from autostatistician.estimators import statistician_classifier
from autostatistician.fitted import fitting
from autostatistician.fitted.model import Model
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.panel import fitting as fitting_of_panels
from autostatistician.search.settings import Settings
from autostatistician.search.state import Watched

SEARCH = {"depth": 1, "jobs": 1, "language": "linear", "quiet": True}

SHORT_OF_COMMANDS = {
    **dict.fromkeys(("report", "fit", "panel", "impact"), SEARCH),
    "backtest": {"n_splits": 1},
    "clusters": {"chains": 2, "sweeps": 12, "jobs": 1, "quiet": True},
}

QUICK = ("clusters", "counts-and-shares")  # pages whose commands take about a second

TOLD = {page: [block for block in blocks(page) if block.holds_commands] for page in PAGES}

RUN = {page: [block for block in told if not block.not_run] for page, told in TOLD.items()}

SEARCHED: dict[tuple[object, ...], Path] = {}  # what searches wrote, for pages that show the same search again

FITTED: dict[str, Model] = {}  # what searches found, for commands and blocks that search the same data alike

OUTPUTS = {"fit": "{}.json", "report": "{}-report.html", "panel": "{}-panel", "clusters": "{}-clusters.html"}


def _copied(words: list[str]) -> bool:
    """Whether a search of the same table with the same options was done before: then what it wrote is taken."""
    if words[0] not in OUTPUTS or "-" in words:
        return False
    data, options = Path(words[1]), words[2:]
    output = Path(OUTPUTS[words[0]].format(data.stem)).absolute()
    if "--output" in options:
        place = options.index("--output")
        output = Path(options[place + 1]).absolute()
        del options[place : place + 2]
    files = sorted(path for path in (data, *data.glob("*")) if path.is_file())  # none of a bundled example
    key = (*words[:2], *(path.read_bytes() for path in files), output.suffix, *sorted(options))
    done = SEARCHED.setdefault(key, output)
    if done == output or not done.exists():
        return False
    (shutil.copytree if done.is_dir() else shutil.copyfile)(done, output)
    return True


@pytest.fixture(autouse=True)
def _searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same data are searched once by the same settings, whatever is then done with the model."""
    fit = fitting.fit_model

    def fit_model(
        dataset: Dataset,
        language: str,
        settings: Settings,
        callback: Callable[[Watched], None] | None = None,
        checkpoint: Path | None = None,
        likelihood: Likelihood = GAUSSIAN,
    ) -> Model:
        key = str(joblib.hash((dataset, language, settings, checkpoint, likelihood)))
        if key not in FITTED:
            FITTED[key] = fit(dataset, language, settings, callback, checkpoint, likelihood)
        return FITTED[key]

    for module in (fitting, fitting_of_panels, statistician_classifier):
        monkeypatch.setattr(module, "fit_model", fit_model)


def _runs(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    call = command(line)
    if _copied(call.words):
        return
    given = io.TextIOWrapper(io.BytesIO(Path(call.read).read_bytes() if call.read else b""), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    code = main(call.words)
    printed = capsys.readouterr()
    assert code in call.codes, f"{line}\n{printed.err}"
    if call.written:
        Path(call.written).write_text(printed.out, encoding="utf-8")
    for option, path in zip(call.words, call.words[1:], strict=False):
        assert option != "--output" or Path(path).exists(), f"{line} wrote no {path}"


def _marked(page: Path) -> object:
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=() if page.stem in QUICK else pytest.mark.slow)


@pytest.mark.parametrize("page", [_marked(page) for page in PAGES if RUN[page]])
def test_the_commands_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(FILES, tmp_path / "files")
    monkeypatch.chdir(folder)
    monkeypatch.setitem(cli.context_settings, "default_map", SHORT_OF_COMMANDS)
    for line in (line for block in RUN[page] for line in block.commands):
        _runs(line, monkeypatch, capsys)


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
ALIKE = 0.15  # relative difference of numbers that machines may have

OUTPUTS_SHOWN = [(page, block) for page in PAGES for block in blocks(page) if block.output_of]


def _printed_like(line: str, printed: str) -> bool:
    """Whether a line, in which `...` stands for anything, was printed with about the same numbers."""
    words = (re.escape(part) for part in NUMBER.split(line))
    pattern = re.sub(r"(\\ )?\\\.\\\.\\\.", ".*", f"({NUMBER.pattern})".join(words))
    shown = [float(text.replace(",", "")) for text in NUMBER.findall(line)]
    return any(
        all(
            abs(float(text.replace(",", "")) - number) <= ALIKE * max(number, 1.0)
            for text, number in zip(match.groups(), shown, strict=True)
        )
        for match in re.finditer(pattern, printed)
    )


@pytest.mark.slow
@pytest.mark.parametrize(("page", "block"), OUTPUTS_SHOWN, ids=lambda value: getattr(value, "name", ""))
def test_what_is_shown_is_printed(
    page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shutil.copytree(FILES, tmp_path / "files"))
    assert main([*shlex.split(block.output_of), "--n-jobs", "1"]) == 0
    printed = capsys.readouterr().out
    lost = [line for line in block.text.splitlines() if not _printed_like(line, printed)]
    assert lost == [], f"{page.name}; printed:\n{printed}"


def test_an_output_that_is_no_longer_printed_would_be_seen() -> None:
    assert _printed_like("rises by 48.2 ... year", "It rises by 47.9 each year")
    assert not _printed_like("rises by 48.2 ... year", "It rises by 12 each year")
    assert not _printed_like("rises by 48.2 ... year", "It falls by 48.2 each year")


def test_what_is_not_run_is_said_with_a_reason_and_the_rest_can_be_run() -> None:
    for page, told in TOLD.items():
        for block in told:
            assert block.not_run == "" or len(block.not_run) > 10, page
            assert block.not_run or [command(line) for line in block.commands], page


def test_a_command_that_fails_would_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match="sales"):
        _runs("autostatistician report sales.csv", monkeypatch, capsys)
    with pytest.raises(AssertionError, match="cannot run"):
        command("autostatistician report sales.csv; rm sales.csv")


def test_a_search_is_taken_for_the_same_table_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("day,sales")
    assert not _copied(["fit", "a.csv", "--quiet"])
    Path("a.json").touch()
    assert _copied(["fit", "a.csv", "--output", "b.json", "--quiet"])
    assert Path("b.json").exists()
    assert not _copied(["fit", "a.csv", "--output", "c.json"])
    Path("a.csv").write_text("day,price")
    assert not _copied(["fit", "a.csv", "--output", "d.json", "--quiet"])
    Path("a.csv").unlink()
    assert not _copied(["fit", "a.csv", "--output", "e.json", "--quiet"])


pytestmark = pytest.mark.usefixtures("blank_pictures")

# For what a block leaves open.
SHORT = {"max_depth": 1, "n_restarts": 2, "n_jobs": 1, "target_options": TargetOptions("none", outliers="keep")}

SHOWN = [(page, block) for page in PAGES for block in blocks(page) if block.language in {"py", "python"}]

EXAMPLES = [(page, block) for page, block in SHOWN if ">>> " not in block.text]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "block"),
    [example for example in EXAMPLES if not example[1].not_run],
    ids=lambda value: str(value.relative_to(ROOT)) if isinstance(value, Path) else "",
)
def test_the_block_runs(page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(FILES, tmp_path / "files"))
    for name, value in SHORT.items():
        monkeypatch.setitem(AutomaticStatistician.__init__.__kwdefaults__, name, value)
    names = {"__name__": "__main__", "pd": pd, "AutomaticStatistician": AutomaticStatistician}
    exec(compile(block.before, f"before {page.name}", "exec"), names)
    exec(compile(block.text, page.name, "exec"), names)
    plt.close("all")


def test_every_other_block_says_why_it_is_not_run() -> None:
    for page, block in EXAMPLES:
        compile(block.text, page.name, "exec")
        assert len(block.not_run) > 10 or block.before, page


def test_blocks_with_a_prompt_are_doctests() -> None:
    """Pytest looks for these in the pages of the folders of docs (`--doctest-glob`), not in the README."""
    assert [page for page, block in SHOWN if ">>> " in block.text and page.parent == ROOT] == []
