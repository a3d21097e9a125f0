"""The closed-form solver."""
