"""``python -m mneme``: the same as the ``mneme`` command."""

from mneme.cli.main import entry

entry()
