"""Pages on models of classes: chances, what moves them, and how well they foresee."""
