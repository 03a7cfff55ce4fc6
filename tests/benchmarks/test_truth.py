"""The command that scores reports."""

from importlib import import_module


def test_a_draw_is_the_same_each_time() -> None:
    made = import_module("truth").made
    first, again, other = (made("line", draw).columns for draw in (3, 3, 4))
    assert first == again != other
