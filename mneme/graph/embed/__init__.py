"""Vectors of texts, from a model: the one that a package carries, or one that a server offers. All of it optional."""
