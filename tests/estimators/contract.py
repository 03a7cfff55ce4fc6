"""The checks of scikit-learn, without those of which another one does all."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

__all__ = ["once_each"]

# A fit on arrays that may not be written to, of single precision, is also one on plain arrays.
LESS = ({"readonly_memmap": True}, {})
SAME = ("check_classifiers_train", "check_regressors_train")


def once_each(*estimators: Any) -> Callable[[Any], Any]:
    """Marks a test with ``estimator`` and ``check`` to be run on all checks, those of training once.

    They come as plain arrays, read-only ones, and read-only ones of single precision; the last is all three.
    """
    pairs = [pair for estimator in estimators for pair in estimator_checks_generator(estimator, mark="skip")]
    wanted: Sequence[Any] = [pair for pair in pairs if not _is_less(_of(pair)[1])]
    assert len(wanted) < len(pairs)
    return pytest.mark.parametrize(("estimator", "check"), wanted, ids=_name)


def _of(pair: Any) -> Any:
    return pair.values if hasattr(pair, "values") else pair


def _is_less(check: Any) -> bool:
    inner, settings = check, dict[str, Any]()
    while isinstance(inner, partial):
        settings, inner = {**inner.keywords, **settings}, inner.func
    return (
        inner.__name__ in SAME
        and {key: settings[key] for key in ("readonly_memmap", "X_dtype") if key in settings} in LESS
    )


def _name(value: object) -> str:
    inner = value
    while isinstance(inner, partial):
        inner = inner.func
    return getattr(inner, "__name__", type(value).__name__)
