"""Sentences that answer a question about a model: what if, why it changed, what an event did, what is new."""
