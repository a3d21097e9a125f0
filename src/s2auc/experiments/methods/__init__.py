"""The methods that experiments compare."""
