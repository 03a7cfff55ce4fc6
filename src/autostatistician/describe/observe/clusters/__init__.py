"""Clusters of rows: from what chains have found to facts."""
