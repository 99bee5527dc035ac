"""Hot memory as hosts keep it: the records of ``memories.json``, their revision, and what a compaction must keep to."""
