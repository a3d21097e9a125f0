"""Files that are read and written: whole or not at all, unchanged while they are read, and kept for a run to go on."""
