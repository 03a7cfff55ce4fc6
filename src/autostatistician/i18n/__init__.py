"""How numbers, names and lists are written."""
