"""The parts whose scores add up to that of a model."""
