"""The free parameters of a kernel: their bounds, priors, coordinates and starting values."""
