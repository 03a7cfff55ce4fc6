"""A fitted estimator as JSON: its settings and all that its fit has left, without code and without pickles.

What may stand in a file are plain values, arrays, frames, and objects of classes of this package, whose attributes are
set as they were; no constructor runs.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from enum import Enum
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, Self, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.files import write_whole
from autostatistician.errors import InputError
from autostatistician.estimators.typed import BaseEstimator

__all__ = ["SavedEstimator"]

Estimator = TypeVar("Estimator")

PACKAGE = "autostatistician"
FUNCTIONS = "autostatistician.models.additive."  # where those are that fitted models hold
KIND = "!"  # the key that tells what a mapping stands for


class SavedEstimator(BaseEstimator):
    """An estimator whose fits are data, so that a file can hold them."""

    def save(self, path: str | Path) -> None:
        """Save the fitted model as JSON, whole or not at all.

        The same version of the library reads it again, with the same predictions.

        Raises
        ------
        InputError
            When the model is not fitted, or a setting is a function.
        """
        check_is_fitted(self)
        write_snapshot(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Load a model that `save` wrote. Nothing in the file is executed.

        Raises
        ------
        InputError
            When the file cannot be read, does not hold a model of this kind, or is of another version.
        """
        return read_snapshot(cls, path)


def write_snapshot(estimator: object, path: str | Path) -> None:
    """Write a fitted estimator to a file, whole or not at all.

    Raises
    ------
    InputError
        When it holds something that is no data, such as a function of the caller.
    """
    record = {"format": "estimator 1", "version": version(PACKAGE), "model": _packed(estimator)}
    write_whole(path, json.dumps(record).encode())


def read_snapshot(kind: type[Estimator], path: str | Path) -> Estimator:
    """The estimator in a file.

    Raises
    ------
    InputError
        When the file holds none of this kind, or one of another version.
    """
    expected = f"a {kind.__name__} that `save` wrote in '{path}'"
    try:
        record = json.loads(Path(path).read_bytes())
        written, installed = record["version"], version(PACKAGE)
        model = _unpacked(record["model"]) if written == installed else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError) as error:
        raise InputError.of(expected, str(error) or type(error).__name__, "save the model again") from error
    if written != installed:
        raise InputError.of(f"a model of version {installed}", f"one of {written}", "fit and save it again")
    if not isinstance(model, kind):
        raise InputError.of(expected, f"a {type(model).__name__}", "load it by its own class")
    return model


def _packed(value: Any) -> Any:
    """A value as what JSON can hold."""
    match value:
        case None | bool() | str():
            return value
        case int() if not isinstance(value, Enum):
            return int(value)
        case float() if np.isfinite(value):
            return float(value)
        case float():
            return {KIND: "number", "text": str(value)}
        case np.ndarray() | np.generic():
            return _packed_array(np.asarray(value), is_scalar=isinstance(value, np.generic))
        case list():
            return [_packed(each) for each in value]
        case tuple():
            return {KIND: "tuple", "class": _name(type(value)), "items": [_packed(each) for each in value]}
        case dict():
            return {KIND: "dict", "items": [[_packed(key), _packed(each)] for key, each in value.items()]}
    return _packed_object(value)


def _packed_object(value: Any) -> dict[str, Any]:
    """What is more than numbers and texts: a frame, or something of this package."""
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        return {KIND: "frame", "items": [[name, _packed(column.to_numpy())] for name, column in value.items()]}
    if isinstance(value, partial) and _is_of_package(value.func):
        return {KIND: "partial", "function": _name(value.func), "items": _packed(list(value.args))}
    if isinstance(value, FunctionType) and _is_of_package(value):
        return {KIND: "function", "function": _name(value)}
    if not _is_of_package(type(value)):
        found = f"a {type(value).__name__}"
        raise InputError.of("settings that are data, to save a model", found, "pickle it yourself")
    if isinstance(value, Enum):
        return {KIND: "enum", "class": _name(type(value)), "name": value.name}
    return {KIND: "object", "class": _name(type(value)), "state": _packed(_state(value))}


def _packed_array(value: Any, *, is_scalar: bool) -> dict[str, Any]:
    if value.dtype == object:
        return {KIND: "objects", "shape": value.shape, "items": [_packed(each) for each in value.ravel()]}
    data = b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {KIND: "array", "dtype": value.dtype.str, "shape": value.shape, "scalar": is_scalar, "data": data}


def _state(value: Any) -> dict[str, Any]:
    """The attributes of an object; of one with slots those too."""
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})


def _name(named: Any) -> str:
    return f"{named.__module__}:{named.__qualname__}"


def _is_of_package(named: Any) -> bool:
    return str(named.__module__).startswith(f"{PACKAGE}.")


def _found(name: str, kind: type, within: str) -> Any:
    """A class or a function by its name; a `ValueError` says that it is none of this package's, or not ``within``."""
    module, _, path = name.partition(":")
    attribute: Any = import_module(module) if module.startswith(within) else None
    for part in path.split("."):
        attribute = getattr(attribute, part, None)
    if not isinstance(attribute, kind) or attribute.__module__ != module:
        raise ValueError(f"{name} is none of {within}")
    return attribute


def _class(name: str) -> Any:
    return _found(name, type, f"{PACKAGE}.")


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(each) for each in value]
    return READERS[value[KIND]](value) if isinstance(value, dict) else value


def _unpacked_array(value: dict[str, Any]) -> Any:
    array = np.frombuffer(b64decode(value["data"]), dtype=value["dtype"]).reshape(value["shape"]).copy()
    return array[()] if value["scalar"] else array


def _unpacked_objects(value: dict[str, Any]) -> Any:
    array = np.empty(len(value["items"]), dtype=object)
    array[:] = _unpacked(value["items"])
    return array.reshape(value["shape"])


def _unpacked_tuple(value: dict[str, Any]) -> Any:
    kind = tuple if value["class"] == _name(tuple) else _class(value["class"])
    return tuple.__new__(kind, _unpacked(value["items"]))


def _unpacked_object(value: dict[str, Any]) -> Any:
    kind = _class(value["class"])
    unpacked = object.__new__(kind)
    for name, each in _unpacked(value["state"]).items():
        object.__setattr__(unpacked, name, each)
    return unpacked


def _unpacked_frame(value: dict[str, Any]) -> Any:
    import pandas as pd

    return pd.DataFrame(dict(_unpacked(value["items"])))


def _function(value: dict[str, Any]) -> Any:
    """One of the functions that only compute: no file can name another."""
    return _found(value["function"], FunctionType, FUNCTIONS)


READERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "enum": lambda value: _class(value["class"])[value["name"]],
    "number": lambda value: float(value["text"]),
    "array": _unpacked_array,
    "objects": _unpacked_objects,
    "tuple": _unpacked_tuple,
    "dict": lambda value: dict(_unpacked(value["items"])),
    "frame": _unpacked_frame,
    "function": _function,
    "partial": lambda value: partial(_function(value), *_unpacked(value["items"])),
    "object": _unpacked_object,
}
