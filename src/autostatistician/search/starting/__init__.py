"""Where fits begin: standard units, what the data hint at, and starting points of open parameters."""
