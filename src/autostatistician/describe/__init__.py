"""From a decomposition to words: facts (`observe`), clauses (`phrases`), a Document of plain data (`narrative`).

Nothing in here sees a matrix: the words are made from the records of the decomposition alone.
"""
