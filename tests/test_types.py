"""What a type checker knows of the public estimators: a misspelt name is an error, an answer has its type."""

import os
from pathlib import Path

import pytest
from mypy import api

# Of a check of the whole library that is over, whose every module would else be checked anew here.
CACHE = Path(os.environ.get("AUTOSTATISTICIAN_TYPES_CHECKED", "no such folder"))
PROGRAM = """
from autostatistician import AutomaticStatistician, SemiParametricGPRegressor
from autostatistician import AutomaticStatistican  # error: attr-defined

model = AutomaticStatistician("full", max_dept=3)  # error: call-arg
model.forcast(3)  # error: attr-defined
model.forecast(3, futur=None)  # error: call-arg
model.forecast("3")  # error: arg-type
model.predict([[1.0]], return_sd=True)  # error: call-overload
model.ask("why", agains="2020")  # error: call-arg
model.report(lng="de")  # error: call-overload
SemiParametricGPRegressor(bais="linear")  # error: call-arg
reveal_type(model.predict([[1.0]]))  # ndarray[
reveal_type(model.predict([[1.0]], return_std=True))  # tuple[numpy.ndarray[
reveal_type(model.forecast(3))  # DataFrame
reveal_type(model.fit([[1.0]], [1.0]))  # AutomaticStatistician
reveal_type(model.fit([[1.0]], "y", ids="shop"))  # PanelModel
reveal_type(model.score([[1.0]], [1.0]))  # float
reveal_type(SemiParametricGPRegressor().fit([[1.0]], [1.0]))  # SemiParametricGPRegressor
"""


@pytest.mark.slow
def test_a_misspelt_name_is_an_error_and_an_answer_has_its_type(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    cache = CACHE if CACHE.is_dir() else tmp_path / "cache"
    answer, problems, _ = api.run(["--strict", "--cache-dir", str(cache), str(path)])
    assert not problems
    told = {int(line.split(":")[1]): line for line in answer.splitlines() if line.startswith(str(path))}
    for number, line in enumerate(PROGRAM.splitlines(), 1):
        code, _, wanted = line.partition("  # ")
        if not wanted:
            assert number not in told, code
        elif wanted.startswith("error: "):
            assert f"[{wanted.removeprefix('error: ')}]" in _all(answer, path, number), code
        else:
            assert wanted in told[number].partition("Revealed type is ")[2], code


def _all(answer: str, path: Path, number: int) -> str:
    """All that is said of one line of a program."""
    return "\n".join(line for line in answer.splitlines() if line.startswith(f"{path}:{number}:"))
