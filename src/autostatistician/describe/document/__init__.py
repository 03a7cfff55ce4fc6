"""Sentences, tables and figures put together as a document of plain data."""
