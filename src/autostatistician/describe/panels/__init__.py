"""Many series of one table: what a report of each would claim, what they share and who differs, in words."""
