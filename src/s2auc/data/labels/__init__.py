"""The meaning of y: positive, negative and unlabelled rows, and their weights."""
