"""What a model is worth: prior of its structure, penalties for choices, weights among models."""
