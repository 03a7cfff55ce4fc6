"""The report on a series: its page, and the pictures, tables and verdict that stand on it."""
