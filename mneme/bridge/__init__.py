"""Between text and what is derived from it: cells compiled into the store, and back."""
