"""A search from few rows to all: the rows of each stage, its plan, its steps, and how long they are going to take."""
