"""Deep Gaussian processes for regression, by doubly stochastic variational inference."""
