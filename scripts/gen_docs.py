#!/usr/bin/env python3
"""Write the documentation that comes out of the code.

    python scripts/gen_docs.py            write what changed, delete what is no longer made
    python scripts/gen_docs.py --check    write nothing; exit 1 when something would change

GENERATORS is the whole list: a generator makes pages (path from the top of the repository, and text) and owns the files
that match its patterns, so a page whose source is gone goes too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- Made by scripts/gen_docs.py from {source}. Change that, not this page. -->\n\n"

Pages = dict[str, str]


class Generator(NamedTuple):
    """What makes pages, and the patterns of the files that are there only because it made them."""

    make: Callable[[], Pages]
    owns: tuple[str, ...]


def rule_pages() -> Pages:
    """Return ``docs/rules/``: a page a rule, and the index."""
    from mneme.lint.explain import index_page, rule_page
    from mneme.lint.rules import RULES

    pages = {
        f"docs/rules/{rule.name}.md": MARK.format(source="the rule's docstring") + rule_page(rule) for rule in RULES
    }
    return {"docs/rules/README.md": MARK.format(source="mneme/lint/rules/") + index_page(RULES), **pages}


GENERATORS: tuple[Generator, ...] = (Generator(rule_pages, ("docs/rules/*.md",)),)


def changes(root: Path = ROOT) -> dict[Path, str | None]:
    """Return the files that are not as they should be, with the text they should have; None for one that should go."""
    wrong: dict[Path, str | None] = {}
    for generator in GENERATORS:
        pages = {root / name: text for name, text in generator.make().items()}
        wrong |= {path: text for path, text in pages.items() if _read(path) != text.encode()}
        for pattern in generator.owns:
            wrong |= {path: None for path in sorted(root.glob(pattern)) if path not in pages}
    return wrong


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Write the documentation that comes out of the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when something would change")
    check = parser.parse_args(arguments).check
    wrong = changes(root)
    for path, text in wrong.items():
        verb = "delete" if text is None else "write"
        print(f"would {verb} {path.relative_to(root)}" if check else f"{verb} {path.relative_to(root)}")
        if check:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
