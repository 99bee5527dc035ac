"""Write what this implementation makes of the conformance cases into them. Read every change before you commit it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.conformance.cases import FOLDER, dump, evaluate, load


def main(names: list[str]) -> int:
    """Update the cases called ``names``, or all; print the names of those that changed."""
    paths = [FOLDER / f"{name}.json" for name in names] or sorted(FOLDER.glob("*.json"))
    for path in paths:
        before = path.read_text(encoding="utf-8")
        after = dump(evaluate(load(path)))
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(path.stem)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
