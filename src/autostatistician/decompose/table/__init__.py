"""Models of a table taken apart: effects of columns, alone and together, and how much hangs on each."""
