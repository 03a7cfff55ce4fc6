"""Ways of computing: what a model says of data, its objective and its posterior, each for what it can bear."""
