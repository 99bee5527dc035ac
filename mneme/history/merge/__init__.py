"""Three-way merge of memory files, cell by cell. Pure: texts in, text and notes out; git is spoken to elsewhere."""
