"""What a model taken apart says, as plain values: all that words and pictures are made from."""
