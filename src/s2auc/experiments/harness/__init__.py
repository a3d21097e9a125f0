"""The harness of experiments: specifications, trials in processes of their own, rows on disk."""
