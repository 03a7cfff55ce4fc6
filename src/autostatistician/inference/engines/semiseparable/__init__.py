"""One column in blocks: exact within a block, a few columns of damped waves between blocks; the cost grows with n."""
