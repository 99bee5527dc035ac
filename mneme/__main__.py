"""``python -m mneme``: the same as the ``mneme`` command."""

from pathlib import Path

import mneme

_above = Path(__file__).parent.parent
if (_above / "grammar" / "mneme.lark").is_file():
    # A checkout, which hides an installed mneme from whoever stands in it: mneme.grammar lies beside the package here.
    mneme.__path__.append(str(_above))

from mneme.cli.start import mneme as start  # noqa: E402 - what it imports may lie there

start()
