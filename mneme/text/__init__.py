"""Bytes, text, patches, locks, atomic writes. Knows no format."""
