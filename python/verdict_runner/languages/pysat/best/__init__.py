"""Finds good solutions when a MaxSAT engine does not finish in its share of the time."""
