"""Words in Thai text, which has no blanks between them: budoux and the model that it comes with."""

from __future__ import annotations

import json
import pkgutil
import sys
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from budoux.parser import Parser


def words_of(run: str) -> list[str]:
    """Return the words of a run of Thai letters, in order; together they are the run."""
    return _parser().parse(run)


@cache
def _parser() -> Parser:
    # budoux's part for web pages opens a file beside it when imported, which there is not inside of mneme.pyz
    name = "budoux.html_processor"
    if name not in sys.modules:
        unused = ModuleType(name)
        vars(unused).update(get_text=None, resolve=None)
        sys.modules[name] = unused
    else:
        unused = None
    try:
        from budoux.parser import Parser
    finally:
        if unused is not None:
            del sys.modules[name]
    model = pkgutil.get_data("budoux", "models/th.json")
    if model is None:
        raise FileNotFoundError("budoux has no model for Thai")
    return Parser(json.loads(model))
