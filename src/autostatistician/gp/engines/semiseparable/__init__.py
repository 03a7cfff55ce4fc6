"""One column in blocks: exact within a block, a few exponential terms between blocks; the cost grows with n."""
