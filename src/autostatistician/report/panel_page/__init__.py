"""One page for all series of a panel: what they share, who differs, and a table to search, sort and look at."""
