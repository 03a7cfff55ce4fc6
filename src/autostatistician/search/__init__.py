"""The search for a model: proposals, starting values, races, the loop with its budget, workers and checkpoints."""
