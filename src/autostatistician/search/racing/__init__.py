"""Candidates of a level against each other: tasks, the workers that run them, rounds, and races as data."""
