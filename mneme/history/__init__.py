"""Git: what is staged, what was, and the hooks that look at it."""
