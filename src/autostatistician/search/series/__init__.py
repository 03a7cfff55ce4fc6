"""The search on a series: changes of structure along its one column, and levels that are drawn twice."""
