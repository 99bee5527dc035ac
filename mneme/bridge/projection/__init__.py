"""Projections: the working memory as the files that agent hosts read. Pure: texts in, texts out."""
