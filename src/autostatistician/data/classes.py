"""Targets that are one of some classes: recognised or stated, coded and named.

Two classes are coded -1 and +1; more of them 0, 1, 2 and so on, in their order, and each is set against the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset
from autostatistician.data.row_limits import check_class_rows
from autostatistician.data.value_checks import has_two_values, remarks
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note
from autostatistician.i18n.names import listed
from autostatistician.i18n.numbers import as_written

__all__ = [
    "MOST_CLASSES", "TASKS", "Task", "against_rest", "class_codes", "class_names", "codes_of", "is_class",
    "of_those_there", "read_as_classes", "refuse_classes",
]  # fmt: skip

Task = Literal["auto", "class", "number"]
TASKS = ("auto", "class", "number")
MOST_NAMED = 4  # classes in a message
MOST_CLASSES = 20  # of which each gets a search of its own
# Words of which one says that something is so and the other that it is not; the chance of the former is reported.
AFFIRMED = ("yes", "y", "true", "t", "positive", "pos", "present", "on", "success", "good")
FEWEST_WITH_WORDS = 3  # characters from which a name may be the other one with something before it, as "survived"
DENIALS = ("not ", "no ", "non-", "non", "un", "in", "dis", "ab")


def is_class(column: DataColumn, task: Task) -> bool:
    """Whether a target is modelled as a class: as asked for, or "auto" where it is text or has two values only.

    >>> [is_class(DataColumn("a", tuple(cells)), "auto") for cells in (["yes", "no", "no"], "01101", "152")]
    [True, True, False]
    """
    if task != "auto":
        return task == "class"
    return column.is_category or has_two_values(column.numbers.values[np.isfinite(column.numbers.values)])


def class_codes(column: DataColumn) -> tuple[DataColumn, tuple[str, ...]]:
    """The column with codes (NaN: missing) in the place of its cells, and the names of the classes.

    Of two classes the second is the one whose chance is reported: what is affirmed ("yes", "true", 1), else the later
    one in order.

    >>> coded, names = class_codes(DataColumn("survived", ("yes", "no", None, "yes")))
    >>> coded.values.tolist(), names
    ([1.0, -1.0, nan, 1.0], ('no', 'yes'))
    """
    texts, is_number = column.texts, column.is_numeric and not column.is_category
    if is_number:
        texts = tuple(as_written(value) if np.isfinite(value) else None for value in column.numbers.values)
    in_order = sorted({text for text in texts if text is not None}, key=float if is_number else str)
    classes = column.categories if column.is_category else tuple(in_order)
    if not 2 <= len(classes) <= MOST_CLASSES:
        refuse_classes(column.name, classes)
    names = class_names(classes) if len(classes) == 2 else tuple(classes)
    codes: dict[str | None, float] = dict(zip(names, codes_of(len(names)), strict=True)) | {None: np.nan}
    return DataColumn(column.name, np.array([codes[text] for text in texts])), names


def codes_of(count: int) -> list[float]:
    """The numbers that stand for so many classes in their order.

    >>> codes_of(2), codes_of(3)
    ([-1.0, 1.0], [0.0, 1.0, 2.0])
    """
    return [-1.0, 1.0] if count == 2 else [float(place) for place in range(count)]


def against_rest(data: Dataset, place: int) -> Dataset:
    """The data of one of several classes against all others: two classes, of which it is the second.

    >>> from autostatistician.data.dataset import from_arrays
    >>> data = replace(from_arrays([1, 2, 3], [0.0, 2.0, 1.0]), classes=("red", "green", "blue"))
    >>> one = against_rest(data, 1)
    >>> one.classes, one.y.tolist()
    (('not green', 'green'), [-1.0, -1.0, 1.0])
    """
    name = data.classes[place]
    y = np.where(data.y == place, 1.0, -1.0)
    return replace(data, y=y, classes=(note("not {name}", name=name), name), warnings=(), choice="")


def of_those_there(data: Dataset, labels: NDArray[Any]) -> tuple[Dataset, NDArray[Any]]:
    """Coded data that know their classes, and the labels (k,) of these, without those of which all rows were left out.

    What is remarkable about the codes is no warning; too many rows are refused.

    >>> from autostatistician.data.dataset import from_arrays
    >>> data, labels = of_those_there(from_arrays([1, 2], [0.0, 2.0]), np.array(["red", "green", "blue"]))
    >>> data.y.tolist(), labels.tolist()
    ([-1.0, 1.0], ['red', 'blue'])
    """
    check_class_rows(data.n)
    of_codes = remarks(data.y, data.target)
    kept = tuple(warning for warning in data.warnings if warning not in of_codes)
    codes = np.array(codes_of(len(labels)))
    there = np.isin(codes, data.y)
    names = tuple(map(str, labels[there]))
    if len(names) < 2:
        refuse_classes(data.target, names)
    y = np.array(codes_of(len(names)))[np.searchsorted(codes[there], data.y)]
    return replace(data, y=y, classes=names, warnings=kept), labels[there]


def class_names(names: Sequence[str]) -> tuple[str, str]:
    """Two classes, the one whose chance is reported last.

    >>> class_names(("yes", "no")), class_names(("died", "survived")), class_names(("benign", "non-benign"))
    (('no', 'yes'), ('died', 'survived'), ('non-benign', 'benign'))
    """
    first, second = names
    denied = len(first) >= FEWEST_WITH_WORDS and second.lower() in [f"{denial}{first.lower()}" for denial in DENIALS]
    affirmed = first.lower() in AFFIRMED and second.lower() not in AFFIRMED
    return (second, first) if affirmed or denied else (first, second)


def read_as_classes(name: str, names: Sequence[str]) -> str:
    """What is said where a target was taken for a class without being asked for."""
    if len(names) > 2:
        return note(
            "Column {column} holds {n} classes: what is modelled is the chance of each against all others.",
            column=repr(name), n=len(names),
        )  # fmt: skip
    return note(
        "Column {column} holds two classes, {first} and {second}: what is modelled is the chance of {second}; "
        "it could be modelled as a number instead.",
        column=repr(name), first=repr(names[0]), second=repr(names[1]),
    )  # fmt: skip


def refuse_classes(name: str, classes: Sequence[str]) -> NoReturn:
    """Raise an `InputError` for less than two classes, or more than can be modelled."""
    if len(classes) < 2:
        only = note("one class only, {name}", name=repr(classes[0])) if classes else note("none")
        expected = note("two classes in column {column}", column=repr(name))
        raise InputError.of(expected, only, note("give rows of both, or name another target"))
    shown = listed([str(label) for label in classes[:MOST_NAMED]])
    several = note("{n} classes ({names}, ...)", n=len(classes), names=shown)
    remedy = note("join rare ones into one, model a number (task 'number'), or use GPClassifier")
    expected = note("at most {n} classes in column {column}", n=MOST_CLASSES, column=repr(name))
    raise InputError.of(expected, several, remedy)
