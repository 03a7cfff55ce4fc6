"""The data and the models that commands work on: read, searched and loaded as their options ask for.

Heavy libraries are imported where they are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician.command.options import FitOptions
from autostatistician.command.terminal import DONE, ProgressBar
from autostatistician.errors import InputError
from autostatistician.memory import memory_for_reading

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset
    from autostatistician.estimators.loading import Fitted

__all__ = ["model_of", "read_data", "saved_model", "show_plan"]


def show_plan(data: str, options: FitOptions, as_json: bool, quiet: bool) -> int:
    """Print the plan of a search."""
    from autostatistician.command.plan import print_plan

    with ProgressBar(quiet) as progress:
        dataset = read_data(data, progress, options)
    print_plan(dataset, options, as_json)
    return DONE


def read_data(data: str, progress: ProgressBar, options: FitOptions) -> Dataset:
    """The data that a command names, read as its options say."""
    progress.stage("reading the data")
    from autostatistician.data.load import load

    inputs = [name.strip() for name in options["inputs"].split(",")] if options["inputs"] else None
    where = _where(options["where"])
    with memory_for_reading():
        return load(
            data, time=options["time"], target=options["target"], inputs=inputs, axis=options["axis"], where=where,
            task=options["task"],
        )  # fmt: skip


def model_of(data: str, progress: ProgressBar, options: FitOptions, checkpoint: Path | None = None) -> Fitted:
    """A model of the data, searched as the options say."""
    dataset = read_data(data, progress, options)
    from autostatistician.estimators.options import TargetOptions
    from autostatistician.estimators.statistician import AutomaticStatistician
    from autostatistician.estimators.statistician_classifier import AutomaticStatisticianClassifier

    settings: dict[str, Any] = {
        "language": options["language"],
        "criterion": options["criterion"],
        "max_depth": options["depth"],
        "time_budget": options["budget"],
        "n_jobs": options["jobs"] or -1,
        "random_state": options["seed"],
    }
    of_numbers: dict[str, Any] = {name: options[name] for name in ("transform", "outliers", "limits")}
    if dataset.classes:
        _check_of_numbers(of_numbers, dataset.target)
        model: Fitted = AutomaticStatisticianClassifier(**settings)
    else:
        model = AutomaticStatistician(**settings, target_options=TargetOptions(**of_numbers))
    progress.stage("searching for a model")
    return model.fit(dataset, callback=progress.step, checkpoint=checkpoint)


def _check_of_numbers(options: Mapping[str, Any], target: str) -> None:
    """Raise an `InputError` where something is asked for that classes do not have."""
    asked = [f"--{name}" for name, value in options.items() if value != "auto"]
    if asked:
        names = ", ".join(asked)
        remedy = "leave it out, or model a number with --task number"
        raise InputError.of(f"no {names} for the classes of column '{target}'", "one that is not 'auto'", remedy)


def _where(pairs: Sequence[str]) -> dict[str, str]:
    """The columns and values of ``--where``.

    >>> _where(["store=A", "item=p=1"])
    {'store': 'A', 'item': 'p=1'}
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name in values:
            twice = f"{name!r} twice" if equals else repr(pair)
            raise InputError.of("--where COLUMN=VALUE, once for each column", twice, "correct it")
        values[name] = value
    return values


def saved_model(path: Path) -> Fitted:
    """The model in a file."""
    if not path.is_file():
        place = "a folder" if path.is_dir() else "no file"
        raise InputError.of(f"a saved model at '{path}'", place, "write one with 'autostatistician fit DATA'")
    from autostatistician.estimators.loading import load_estimator

    return load_estimator(path)
