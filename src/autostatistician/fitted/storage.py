"""A model in a file of JSON: what is written, and how it is read again whatever the file holds."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician._io.files import write_whole
from autostatistician.data.dataset import Dataset, as_counted
from autostatistician.data.outliers import NO_SCREENING, Screening
from autostatistician.data.target_limits import checked_limits, stated_limits
from autostatistician.data.transform import Transform
from autostatistician.errors import AutostatisticianError, InputError
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options
from autostatistician.fitted.settings import check_settings, is_number
from autostatistician.fitted.transform_averaging import OtherTransform
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.likelihoods import GAUSSIAN, Bernoulli, Likelihood
from autostatistician.kernels.grammar import LANGUAGES, OF_THE_LIBRARY, Language
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.preprocessing import LAWS, Choice
from autostatistician.search.run import Settings
from autostatistician.search.settings import AUTO, resolved
from autostatistician.search.state import Candidate, SearchResult, StepInfo

__all__ = ["Saved", "from_json", "load", "save", "to_json"]

FILE_FORMAT = 1  # of saved models
ROUNDING = 1e-6  # of a count that is kept as a rate
LARGEST_NUMBER = 1e151  # data beyond are not finite when squared


@dataclass(frozen=True)
class Saved:
    """What a file holds: a model, how it predicts, what it does with unknown categories, and how its search was asked.

    The ``asked`` criterion may be "auto"; the model knows which one that was.
    """

    model: Model
    options: Options
    unseen: str = "error"
    asked: str = AUTO
    labels: tuple[Any, ...] = ()  # that users gave to the classes: text, numbers or truth values
    others: tuple[Model, ...] = ()  # of several classes: those of all but the first against the rest
    of_all: Dataset | None = None  # of several classes: their data


def save(saved: Saved, path: str | Path) -> None:
    """Write a model as JSON, whole or not at all."""
    how = asdict(saved.options) | {"limits": stated_limits(saved.options.limits), "asked criterion": saved.asked}
    how |= {"unseen": saved.unseen} if saved.model.dataset.levels else {}
    how |= {"labels": list(saved.labels)} if saved.labels else {}
    if saved.of_all is not None:
        how |= {"of all": saved.of_all.to_json(), "others": [to_json(model) for model in saved.others]}
    write_whole(path, json.dumps(to_json(saved.model) | how, allow_nan=False).encode())


def load(path: str | Path) -> Saved:
    """Read what `save` wrote, now or in an earlier version. Nothing in the file is executed."""
    record = _record(Path(path))
    model = from_json(record)
    asked = record.get("limits")
    limits = checked_limits(tuple(asked) if isinstance(asked, list) else asked)
    options = Options(_averages(record), limits)
    try:
        with np.errstate(all="ignore"):  # numbers that cannot be worked with end in the error below
            assert model.posterior
            assert model.on_other_scale is None or model.on_other_scale.posterior
    except (ArithmeticError, AssertionError) as error:
        found = f"a model that does not fit its data ({error})"
        raise InputError.of(_expected(path), found, "save it again") from error
    criterion, (others, of_all) = record.get("asked criterion", model.settings.criterion), _others(record, path)
    labels = _labels(record, model, len(others) + 1 if others else 2, path)
    return Saved(model, options, record.get("unseen", "error"), criterion, labels, others, of_all)


def _others(record: dict[str, Any], path: str | Path) -> tuple[tuple[Model, ...], Dataset | None]:
    """Of several classes the models of all but the first, and the data of all."""
    if "of all" not in record:
        return (), None
    try:
        others, dataset = tuple(map(from_json, record["others"])), Dataset.from_json(record["of all"])
    except (KeyError, TypeError) as error:
        raise InputError.of(_expected(path), f"a fault ({error})", "save it again") from error
    alike = all(model.dataset.classes and model.dataset.n == dataset.n for model in others)
    if len(others) + 1 != len(dataset.classes) or not alike:
        raise InputError.of(_expected(path), "models that are not those of its classes", "save it again")
    return others, dataset


def _labels(record: dict[str, Any], model: Model, count: int, path: str | Path) -> tuple[Any, ...]:
    """The labels of the classes; none of a model of numbers."""
    if not model.dataset.classes:
        return ()
    labels: Any = record.get("labels")
    plain = isinstance(labels, list) and all(isinstance(label, str | int | float) for label in labels)
    if not plain or len(set(labels)) != count:
        raise InputError.of(_expected(path), f"labels that are not {count}", "save it again")
    return tuple(labels)


def _expected(path: str | Path) -> str:
    return f"a saved model in '{path}'"


def _averages(record: dict[str, Any]) -> bool:
    flag = record.get("average")
    if not isinstance(flag, bool):
        raise InputError.of("a whole saved model", f"'average' is {flag!r}, not true or false", "save the model again")
    return flag


def _record(path: Path) -> Any:
    if path.exists() and not path.is_file():  # to read a pipe would take for ever
        raise InputError.of(_expected(path), "something that is no file", "give the path of a model file")
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise InputError.of(_expected(path), found, "give the path of a model file") from error
    except (ValueError, RecursionError) as error:
        raise InputError.of(_expected(path), f"no JSON ({error})", "give the path of a model file") from error


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def to_json(model: Model) -> dict[str, Any]:
    """Plain values from which `from_json` makes an equal model; safe to read, never a pickle."""
    return {
        "format": FILE_FORMAT,
        "dataset": model.dataset.to_json(),
        "language": model.language,
        "settings": asdict(model.settings),
        **_likelihood_record(model.likelihood),
        "transform": model.transform.to_json() | {"gain": model.choice.gain},
        "search": _search_record(model.search),
        "versions": {name: version(name) for name in ("autostatistician", "numpy", "scipy")}
        | {"python": platform.python_version()},
    } | _rarely(model)


def _rarely(model: Model) -> dict[str, Any]:
    """What few models have."""
    record: dict[str, Any] = {} if model.searched is None else {"searched": model.searched}
    record |= {} if model.language in OF_THE_LIBRARY else {"own language": True}
    other = model.other
    if other is not None:
        record["other scale"] = {"transform": other.transform.to_json(), "search": _search_record(other.search)}
    if model.effects is not None:
        record["effects"] = model.effects.to_json()
    return record | ({} if model.screening == NO_SCREENING else {"screening": model.screening.to_json()})


def _search_record(search: SearchResult) -> dict[str, Any]:
    return {
        "frontier": [candidate.to_json() for candidate in search.frontier],
        "trace": [asdict(step) for step in search.trace],
        "evaluations": search.evaluations,
        "seconds": search.seconds,
        "stopped": search.stopped,
        "interrupted": search.interrupted,
    }


def from_json(record: object) -> Model:
    """Read what `to_json` wrote."""
    if not isinstance(record, dict) or not isinstance(record.get("format"), int):
        raise InputError.of("a saved model", "other JSON", "give a model that was saved, or a table as CSV")
    if record["format"] != FILE_FORMAT:
        found = f"format {record['format']}"
        raise InputError.of(f"a saved model of format {FILE_FORMAT}", found, "save it again with this version")
    try:
        dataset, language = Dataset.from_json(record["dataset"]), str(record["language"])
        settings = Settings(**record["settings"])
        result, choice = _search_from_json(record["search"]), _choice_from_json(record["transform"])
        # only what searches again needs a language of one's own itself
        known = LANGUAGES.get(language, Language(language, ()))
        check_settings(known if record.get("own language") is True else language, settings)
        likelihood = _likelihood(record, dataset)
        settings = resolved(settings, dataset, known, likelihood)
        _check_fits(result, dataset)
        other = _other_from_json(record["other scale"], dataset) if "other scale" in record else None
        least = 0.0 if isinstance(likelihood, Sited) or choice.transform.is_odds else np.finfo(np.float64).tiny
        if (choice.transform.is_mapped or other is not None) and dataset.y.min() + dataset.offset < least:
            raise ValueError("a map of positive data for others")
        choice = replace(choice, likelihood=likelihood)
        screening = Screening.from_json(record["screening"]) if "screening" in record else NO_SCREENING
        searched = None if record.get("searched") is None else int(record["searched"])
        effects = None
        if "effects" in record and dataset.covariates is not None:
            effects = CovariateEffects.from_json(record["effects"], dataset.covariates)
        return Model(dataset, language, settings, result, choice, screening, likelihood, searched, other, effects)
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, ValueError) as error:
        fault = str(error) if isinstance(error, AutostatisticianError) else f"{type(error).__name__}: {error}"
        raise InputError.of("a whole saved model", f"a fault ({fault})", "save the model again") from error


def _likelihood_record(likelihood: Likelihood) -> dict[str, Any]:
    """What files say of a likelihood; nothing of the usual one."""
    if isinstance(likelihood, Sited):
        return {"likelihood": {"name": likelihood.name} | likelihood.numbers}
    return {"likelihood": {"link": likelihood.link}} if isinstance(likelihood, Bernoulli) else {}


def _likelihood(record: dict[str, Any], dataset: Dataset) -> Likelihood:
    stored = record.get("likelihood", {})
    law = LAWS.get(stored.get("name"))
    if law is not None:
        raw = as_counted(dataset) * (1.0 if dataset.sizes is None else dataset.sizes.at(dataset.x))
        if dataset.classes or (np.abs(raw - np.round(raw)) > ROUNDING * np.maximum(raw, 1.0)).any():
            raise ValueError("counts that are none")
        return law.with_numbers(stored)
    if bool(dataset.classes) != ("likelihood" in record):
        raise ValueError("classes without a likelihood, or a likelihood without classes")
    if not dataset.classes:
        return GAUSSIAN
    return Bernoulli.of(dataset, str(record["likelihood"]["link"]))


def _choice_from_json(record: dict[str, Any]) -> Choice:
    gain = record["gain"]
    return Choice(Transform.from_json(record), None if gain is None else float(gain))


def _other_from_json(record: dict[str, Any], dataset: Dataset) -> OtherTransform:
    result = _search_from_json(record["search"])
    _check_fits(result, dataset)
    return OtherTransform(Transform.from_json(record["transform"]), result)


def _search_from_json(record: dict[str, Any]) -> SearchResult:
    frontier = tuple(Candidate.from_json(candidate) for candidate in record["frontier"])
    return SearchResult(
        frontier[0],
        frontier,
        tuple(_step_from_json(step) for step in record["trace"]),
        int(record["evaluations"]),
        float(record["seconds"]),
        str(record["stopped"]),
        bool(record["interrupted"]),
    )


def _step_from_json(record: dict[str, Any]) -> StepInfo:
    step = StepInfo.from_json(record)
    others = {"expression", "objected"} | ({"rows"} if step.rows is None else set())
    if not (isinstance(step.expression, str) and isinstance(step.objected, bool)) or not all(
        is_number(value) for name, value in record.items() if name not in others
    ):
        raise ValueError("a level of the search is not made of numbers")
    return step


def _check_fits(result: SearchResult, dataset: Dataset) -> None:
    """Raise a `ValueError` unless the data are finite and every model is complete."""
    if not (dataset.n and (np.abs([*dataset.X.flat, *dataset.y, dataset.offset]) < LARGEST_NUMBER).all()):
        raise ValueError("the data are not finite numbers")
    for candidate in result.frontier:
        if not np.isfinite([candidate.nll, candidate.score, *candidate.kernel.values]).all():
            raise ValueError("a model without all its numbers")
        sizes = np.abs([candidate.nll, candidate.score, *candidate.kernel.values])
        if (sizes > LARGEST_NUMBER).any() or ((sizes > 0.0) & (sizes < 1.0 / LARGEST_NUMBER)).any():
            raise ValueError("a model with numbers that no computation can use")
