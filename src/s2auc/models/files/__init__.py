"""Model files: a description in JSON, arrays, and checks of both."""
