"""Which columns of a table explain a target that is named, where there is no time."""

from __future__ import annotations

from autostatistician.data.categories import is_category, levels_of
from autostatistician.data.cells import Column, as_numbers
from autostatistician.data.roles import assign_roles, is_row_count
from autostatistician.data.wording import listed

__all__ = ["explaining"]

LEAST = 0.95  # of the cells of a column of numbers are such
MANY = 0.5  # of the rows: a column with more categories names its rows
SEVERAL = 2  # columns make a table


def explaining(
    columns: tuple[Column, ...], target: str, comma: bool = False
) -> tuple[tuple[Column, ...], Column, tuple[str, ...]] | None:
    """The inputs, the target and what is to be said; None for a series, or with fewer than two columns to explain it.

    Examples
    --------
    >>> columns = (Column("a", ("2", "1", "3")), Column("b", ("1", "1", "0")), Column("y", ("1", "5", "2")))
    >>> used, chosen, notes = explaining(columns, "y")
    >>> [column.name for column in used], chosen.name
    (['a', 'b'], 'y')
    """
    roles = assign_roles(columns, None, target, comma)
    if roles.time is not None:
        return None
    others = [column for column in columns if column is not roles.target]
    used = tuple(column for column in others if _explains(column, comma))
    if len(used) < SEVERAL:
        return None
    said = [f"No column of times was found; {roles.target.name!r} is modelled from all other columns of the table."]
    left = [column.name for column in others if all(column is not one for one in used)]
    if left:
        said.append(
            f"Not used, because they name or count the rows or hold neither numbers nor categories: {listed(left)}."
        )
    return used, roles.target, tuple(said)


def _explains(column: Column, comma: bool) -> bool:
    if is_category(column):
        return len(levels_of(column)) <= max(MANY * column.size, 1)
    numbers = as_numbers(column, comma=comma)
    return numbers.share >= LEAST and not is_row_count(column, comma)
