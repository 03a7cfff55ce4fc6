"""What each column of a table is for: the time, the target, inputs, keys."""
