"""What constraints mean, for values and for terms of Z3."""
