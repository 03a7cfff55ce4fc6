"""Targets that are one of two classes: recognised or stated, coded -1 and +1, and named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from autostatistician.data.columns import DataColumn
from autostatistician.data.value_checks import has_two_values
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed

__all__ = ["TASKS", "Task", "class_codes", "class_names", "is_class", "read_as_classes", "refuse_classes"]

Task = Literal["auto", "class", "number"]
TASKS = ("auto", "class", "number")
MOST_NAMED = 4  # classes in a message
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


def class_codes(column: DataColumn) -> tuple[DataColumn, tuple[str, str]]:
    """The column with codes -1 and +1 (NaN: missing) in the place of its cells, and the names of both classes.

    The second is the one whose chance is reported: what is affirmed ("yes", "true", 1), else the later one in order.

    >>> coded, names = class_codes(DataColumn("survived", ("yes", "no", None, "yes")))
    >>> coded.values.tolist(), names
    ([1.0, -1.0, nan, 1.0], ('no', 'yes'))
    """
    texts = column.texts if column.is_category or not column.is_numeric else _number_texts(column)
    classes = column.categories if column.is_category else _in_order(texts)
    if len(classes) != 2:
        refuse_classes(column.name, classes)
    names = class_names(classes)
    codes = {None: np.nan, names[0]: -1.0, names[1]: 1.0}
    return DataColumn(column.name, np.array([codes[text] for text in texts])), names


def class_names(names: Sequence[str]) -> tuple[str, str]:
    """Two classes, the one whose chance is reported last.

    >>> class_names(("yes", "no")), class_names(("died", "survived")), class_names(("benign", "non-benign"))
    (('no', 'yes'), ('died', 'survived'), ('non-benign', 'benign'))
    """
    first, second = names
    if (first.lower() in AFFIRMED and second.lower() not in AFFIRMED) or _denies(second, first):
        return second, first
    return first, second


def _denies(name: str, other: str) -> bool:
    return len(other) >= FEWEST_WITH_WORDS and name.lower() in [f"{denial}{other.lower()}" for denial in DENIALS]


def read_as_classes(name: str, names: Sequence[str]) -> str:
    """What is said where a target was taken for a class without being asked for."""
    return (
        f"Column {name!r} holds two classes, {names[0]!r} and {names[1]!r}: what is modelled is the chance of "
        f"{names[1]!r}; --task number models it as a number instead."
    )


def refuse_classes(name: str, classes: Sequence[str]) -> None:
    """Raise an `InputError` for a number of classes other than two."""
    if len(classes) < 2:
        only = f"one class only, {classes[0]!r}" if classes else "none"
        raise InputError.of(f"two classes in column {name!r}", only, "give rows of both, or name another target")
    shown = listed([str(label) for label in classes[:MOST_NAMED]]) + (", ..." if len(classes) > MOST_NAMED else "")
    several = f"{len(classes)} classes ({shown})"
    remedy = "ask for one class against all others, model a number (task 'number'), or use GPClassifier"
    raise InputError.of(f"two classes in column {name!r}", several, remedy)


def _number_texts(column: DataColumn) -> tuple[str | None, ...]:
    """Numbers as they are written in sentences; a missing cell is None."""
    return tuple(f"{value:g}" if np.isfinite(value) else None for value in column.numbers.values)


def _in_order(texts: Sequence[str | None]) -> tuple[str, ...]:
    """The different texts, numbers by their size."""
    different = {text for text in texts if text is not None}
    try:
        return tuple(sorted(different, key=float))
    except ValueError:
        return tuple(sorted(different))
