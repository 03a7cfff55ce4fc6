"""A fitted model taken apart: the posterior of each additive part, how much it adds, and what is certain about it."""
