"""The verbs on a project's memory: what the commands and the API call. Joins workspace, format and text."""
