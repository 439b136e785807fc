"""The meaning of constraints, for values and for Z3 terms."""
