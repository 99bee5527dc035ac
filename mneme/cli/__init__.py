"""The command line: parse, call one function, print. The only importer of click."""
