"""The search on a table: what columns bring in, from below and from above."""
