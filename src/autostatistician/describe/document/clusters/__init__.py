"""The page on clusters of rows."""
