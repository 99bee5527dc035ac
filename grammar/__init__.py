"""The definition of the format's syntax: ``mneme.lark``."""
