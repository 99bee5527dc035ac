"""What other programs and people keep as memory, read as notes. One importer, one file; ``table`` lists them all."""
