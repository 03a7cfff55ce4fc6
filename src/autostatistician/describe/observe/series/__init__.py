"""Series: facts of the parts of a decomposition, of the whole, of its checks and of what the search claims."""
