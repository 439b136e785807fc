"""Questions about all solutions of a model: count, backbone, the best ones, different ones."""
