"""Results of experiments: summaries, comparisons, tables and figures."""
