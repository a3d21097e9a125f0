"""Tables in files and frames, and the learner of their schemas."""
