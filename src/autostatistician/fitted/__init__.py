"""A finished search as one value: fitted, explained, averaged, saved."""
