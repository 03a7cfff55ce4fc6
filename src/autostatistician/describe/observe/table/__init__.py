"""Tables: facts of the effects of a model, of its columns, of its errors and of what the search claims."""
