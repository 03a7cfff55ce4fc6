"""The report on a table: its page, and the pictures, tables and verdict that stand on it."""
