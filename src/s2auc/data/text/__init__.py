"""Text columns: a vocabulary learnt from all rows, and texts as weighted terms and as components of these."""
