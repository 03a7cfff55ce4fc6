"""From records to words: facts are observed, sentences made from facts alone, and a Document put together from both.

Nothing in here sees a matrix: the facts are made from the records of the decomposition.
"""
