"""Dates and times: how people write them, and the axis on which calendar steps are equal."""
