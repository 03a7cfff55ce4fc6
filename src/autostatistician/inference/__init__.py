"""Numbers for one expression on one data set: evidence with its gradient, fits, posteriors, criteria, draws."""
