"""Frozen values as JSON-ready records, and back, by the types of their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.i18n.messages import message_from_json, message_to_json

__all__ = ["Record", "fields_from", "reading", "record_of", "refuse"]


class Record:
    """A dataclass that is saved as a record of its fields, with its ``KIND`` where it has one.

    Whatever does not fit the types of the fields, or is no finite number, is a `ValueError` or a `TypeError`.
    """

    KIND: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        return ({"kind": self.KIND} if self.KIND else {}) | record_of(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """What `to_json` wrote."""
        return cls(**fields_from(cls, record))


@contextmanager
def reading(what: str, remedy: str = "save the model again") -> Iterator[None]:
    """Reading a record: whatever does not fit is an `InputError` that says so."""
    try:
        yield
    except InputError:
        raise
    except (ValueError, TypeError, AttributeError, LookupError, OverflowError) as error:
        found = f"another record ({type(error).__name__}: {error})"
        raise InputError.of(f"the record of {what}", found, remedy) from None


def refuse(wrong: Mapping[str, bool]) -> None:
    """Raise a `ValueError` with the first text that holds.

    >>> refuse({"no rows": False})
    """
    if text := next((text for text, is_wrong in wrong.items() if is_wrong), ""):
        raise ValueError(text)


def record_of(value: Any, *but: str) -> dict[str, Any]:
    """The fields of a dataclass as a JSON-ready record, ``but`` for some; numbers keep every bit, NaN is null."""
    return {
        each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.init and each.name not in but
    }


def _plain(value: Any) -> Any:
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "M":
            return value.astype(str).tolist()
        return np.where(np.isfinite(value), value.astype(object), np.array(None)).tolist()
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if is_dataclass(value):
        return record_of(value)
    return message_to_json(value) if isinstance(value, str) else value


def fields_from(kind: type, record: Mapping[str, Any]) -> dict[str, Any]:
    """Those fields of a dataclass that a record has."""
    kinds = get_type_hints(kind)
    names = [each.name for each in fields(kind) if each.init and each.name in record]
    return {name: _typed(kinds[name], record[name]) for name in names}


def _typed(wanted: Any, given: Any) -> Any:
    """What a record holds as a value of the type that is wanted."""
    origin, kinds = get_origin(wanted), get_args(wanted)
    if origin is UnionType:
        return None if given is None else _typed(next(kind for kind in kinds if kind is not NoneType), given)
    if origin in (np.ndarray, NDArray):  # the alias stays one from NumPy 2.5 and Python 3.12 on
        return np.array(given, dtype="M8[D]" if np.datetime64 in (kinds[-1], *get_args(kinds[-1])) else np.float64)
    if origin is tuple and isinstance(given, list | tuple):
        kinds = (kinds[0],) * len(given) if kinds[-1] is Ellipsis else kinds
        return tuple(_typed(kind, each) for kind, each in zip(kinds, given, strict=True))
    if origin is Mapping:
        return {str(name): _typed(kinds[1], each) for name, each in given.items()}
    if hasattr(wanted, "__dataclass_fields__"):
        return wanted.from_json(given) if hasattr(wanted, "from_json") else wanted(**fields_from(wanted, given))
    if wanted is str and isinstance(given, str | dict):
        return message_from_json(given)
    if wanted is float and isinstance(given, int) and not isinstance(given, bool):
        given = float(given)
    if origin is not None or not isinstance(given, wanted) or (wanted is not bool and isinstance(given, bool)):
        raise TypeError(f"{given!r} is no {getattr(wanted, '__name__', wanted)}")
    if wanted is float and not np.isfinite(given):
        raise ValueError(f"{given!r} is not finite")
    return given
