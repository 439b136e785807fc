"""The best solution so far of a MaxSAT engine that does not end in its share of the time."""
