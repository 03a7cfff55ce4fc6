"""Sentences of any text held against the claims of a model, by rules and without a language model."""
