"""The linter: rules that look, an engine that places what they found, reports that show it."""
