"""Hierarchical kernel learning (Bach 2009): sparse sums over all subsets of the columns, proven to be best."""
