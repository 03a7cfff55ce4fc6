"""What a search did, as plain values: every level with the efforts of its races, and the first models in the end.

Counts of likelihoods hang on the last digits of the algebra, and so does what becomes of models that were given up
early. What a race asked for does not, and every constant of a schedule stands in it; nor does the leader of a level.
Run as a script, this writes the traces anew:

    PYTHONPATH=src:. python -m tests.search.traced [name ...]
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import scipy
from threadpoolctl import threadpool_info

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.fitted.fitting import fit_model
from autostatistician.gp.fitting import Fit
from autostatistician.gp.likelihoods import GAUSSIAN, Bernoulli
from autostatistician.kernels.grammar import LANGUAGES, Operator
from autostatistician.search.racing.race import Schedule, ScheduleSizes
from autostatistician.search.racing.tasks import Effort, Task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.settings import Settings
from autostatistician.search.stages.plan import stage_plans
from autostatistician.search.starting.starts import Context
from autostatistician.search.state import Watched

__all__ = ["CASES", "FOLDER", "Case", "build", "schedules", "traced"]
FOLDER = Path(__file__).parent / "traces"
MODELS_KEPT = 6  # of the frontier
# A language whose levels are small, for searches in stages, which take many.
SMALL = replace(
    LANGUAGES["extended"],
    name="small",
    bases=("C", "Lin", "SE", "Per", "WN"),
    operators=frozenset({Operator.ADD, Operator.DELETE}),
    unbounded=(),
)


@dataclass(frozen=True)
class Case:
    """A search that is traced; ``is_slow`` where it takes more than a second."""

    data: Callable[[], Dataset]
    settings: Settings
    language: str = "extended"
    is_slow: bool = False
    options: dict[str, Any] = field(default_factory=dict)


def traced(case: Case) -> dict[str, Any]:
    """The trace of a search."""
    efforts: Counter[str] = Counter()  # since the last level
    levels: list[dict[str, Any]] = []
    fits = Runner.fits

    def counted(
        self: Runner, tasks: Sequence[Task], context: Context, stop: Callable[[], bool] | None = None
    ) -> list[Fit | None]:
        efforts.update(_effort(task.effort) for task in tasks)
        return fits(self, tasks, context, stop)

    def level(step: Watched) -> None:
        levels.append(
            {
                "level": step.level,
                "rows": step.rows,
                "candidates": step.candidates,
                "expression": step.expression,
                "score": step.score,
                "evaluations": step.evaluations,
                "efforts": dict(sorted(efforts.items())),
            }
        )
        efforts.clear()

    with mock.patch.object(Runner, "fits", counted), mock.patch.dict(LANGUAGES, {SMALL.name: SMALL}):
        model = fit_model(case.data(), case.language, case.settings, level, **case.options)
    return {
        "build": build(),
        "outliers": [one.x for one in model.screening.rows],
        "transform": model.transform.name,
        "gain": model.choice.gain,
        "levels": levels,
        "efforts on the other scale": dict(sorted(efforts.items())),
        "models": [
            {"expression": str(one.kernel), "level": one.level, "score": one.score}
            for one in model.search.frontier[:MODELS_KEPT]
        ],
    }


def build() -> list[str]:
    """What the last digits hang on."""
    algebra = (f"{one['internal_api']} {one['version']} {one.get('architecture')}" for one in threadpool_info())
    return [f"numpy {np.__version__}", f"scipy {scipy.__version__}", *sorted(set(algebra))]


def _effort(effort: Effort) -> str:
    """An effort in a few signs: looks, fits, steps, rows."""
    rows = "few to " + effort.rows.name.lower() if effort.on_few else effort.rows.name.lower()
    return f"{effort.starts}/{effort.fits}/{effort.steps} {rows}{' integrated' if effort.integrated else ''}"


# --- data -------------------------------------------------------------------------------------------------------


def _yearly() -> Dataset:
    n, rng = 24, np.random.default_rng(5)
    values = (30.0 + 1.3 * np.arange(n) + rng.normal(0.0, 3.0, n)).round(2)
    return load(pd.DataFrame({"year": 1990 + np.arange(n), "value": values}))


def _plain(n: int) -> Dataset:
    rng, x = np.random.default_rng(2), np.arange(float(n))
    return from_arrays(x, np.sin(x / 4.0) + 0.05 * x + 0.2 * rng.normal(size=n))


def _daily(n: int) -> Dataset:
    rng, t = np.random.default_rng(7), np.arange(n)
    values = 50.0 + 0.02 * t + 6.0 * np.sin(2.0 * np.pi * t / 7.0) + 3.0 * np.sin(t / 60.0) + rng.normal(0.0, 2.0, n)
    return load(pd.DataFrame({"date": pd.date_range("2020-01-01", periods=n), "value": values.round(2)}))


def _table(n: int) -> Dataset:
    rng = np.random.default_rng(5)
    X = rng.uniform(-2.0, 2.0, (n, 3))
    y = np.sin(2.0 * X[:, 0]) * np.cos(1.5 * X[:, 1]) + 0.4 * X[:, 1] + 0.1 * rng.normal(size=n)
    return from_arrays(X, y, ("a", "b", "c"))


def _classes() -> Dataset:
    rng = np.random.default_rng(3)
    X = rng.uniform(-2.0, 2.0, (50, 2))
    y = np.where(np.sin(2.0 * X[:, 0]) + 0.1 * rng.normal(size=50) > 0.0, "yes", "no")
    return load(pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "kind": y}), target="kind", task="class")


def _case(data: Callable[[], Dataset], depth: int, restarts: int = 2, **more: Any) -> Case:
    of_settings = {name: more.pop(name) for name in ("criterion",) if name in more}
    return Case(data, Settings(max_depth=depth, restarts=restarts, n_jobs=1, **of_settings), **more)


CASES = {
    "short": _case(_yearly, 2),
    "airline": _case(lambda: load("airline"), 2, is_slow=True),
    "series": _case(lambda: _plain(44), 2, language="full", is_slow=True),
    "part": _case(lambda: _plain(300), 1, language="full", is_slow=True),
    "staged": _case(lambda: _daily(450), 3, language="small", is_slow=True),
    "onwards": _case(lambda: _daily(900), 3, language="small", is_slow=True),
    "three-stages": _case(lambda: _daily(2000), 3, language="small", is_slow=True),
    "table": _case(lambda: _table(90), 2),
    "table-by-evidence": _case(lambda: _table(90), 1, criterion="evidence"),
    "many-rows": _case(lambda: _table(900), 1, is_slow=True),
    "staged-table": _case(lambda: _table(2100), 1, is_slow=True),
    "classes": _case(_classes, 1, language="mkl", options={"likelihood": Bernoulli()}),
}


# --- schedules --------------------------------------------------------------------------------------------------


def schedules() -> str:
    """Every plan of a stage and its schedules for levels of a thousand candidates, a step a line."""
    lines = []
    for title, dataset, likelihood, criterion, rows in (
        ("series by bic", _plain(20), GAUSSIAN, "bic", (200,)),
        ("series by evidence", _plain(20), GAUSSIAN, "evidence", (200,)),
        ("series in stages", _plain(20), GAUSSIAN, "bic", (250, 700)),
        ("long series", _plain(20), GAUSSIAN, "bic", (250, 1700, 10_000)),
        ("table", _table(20), GAUSSIAN, "bic", (200,)),
        ("long table", _table(20), GAUSSIAN, "bic", (1000, 5000, 50_000)),
        ("classes", _table(20), Bernoulli(), "evidence", (200,)),
    ):
        settings = Settings(restarts=10, criterion=criterion)
        for plan in stage_plans(dataset, LANGUAGES["extended"], settings, likelihood, rows):
            about = {one.name: getattr(plan, one.name) for one in fields(plan) if one.name not in ("schedule", "entry")}
            lines += [f"{title}: {about}", *_steps("entry", plan.entry)]
            for proposals, above, whole in ((1000, 0, 200), (100, 0, 200), (1000, 18, 900)):
                sizes = ScheduleSizes(proposals, above, 200, min(whole, 500), whole, plan.restarts)
                lines += _steps(f"{proposals} and {above} of {whole} rows", plan.schedule(sizes))
    return "\n".join(lines) + "\n"


def _steps(title: str, schedule: Schedule) -> list[str]:
    lines = [f"  {title}{', variants' * schedule.variants}"]
    for leg in schedule.legs:
        lines += [f"    {_short(replace(heat, steps=()))}: {_short(step)}" for heat in leg.heats for step in heat.steps]
        lines += [f"    go on: {_short(replace(leg, heats=()))}"]
    return lines


def _short(value: Any) -> str:
    """A value of a schedule: what of it is not as by default."""
    if isinstance(value, Enum):
        return value.name
    if not is_dataclass(value):
        return str(value)
    known = [(one.name, getattr(value, one.name)) for one in fields(value) if getattr(value, one.name) != one.default]
    return f"{type(value).__name__}({', '.join(f'{name}={_short(one)}' for name, one in known if one != ())})"


def _main(names: Sequence[str]) -> None:
    for name in names or CASES:
        text = json.dumps(traced(CASES[name]), indent=1)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (FOLDER / "schedules.txt").write_text(schedules(), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
