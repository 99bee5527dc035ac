#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = ["lark>=1.2,<2", "click>=8.1.7,<9", "python-dateutil>=2.9"]
# ///
"""The classic commands of the Mneme format.

    python mneme_tool.py spine [FILE]          print the live and stale cells, one line each
    python mneme_tool.py lint [FILE]           check the file; exit 1 on errors
    python mneme_tool.py new-id PREFIX [FILE]  print the next free ID

In a checkout this runs the checkout, and lark and click have to be installed. Where they are not, and anywhere else,
it runs the mneme.pyz that lies beside it, which needs nothing installed.
"""

# No annotations and no new syntax here: an old Python must get as far as being told that it is too old.

import sys
from importlib.util import find_spec
from pathlib import Path

NEEDED = ("lark", "click", "dateutil")


def main():
    """Find the code, and run it with this process's arguments."""
    if sys.version_info < (3, 11):  # noqa: UP036 - nothing has checked it before
        return stop("Python 3.11 or later is needed, this is {}.{}".format(*sys.version_info), "use a newer python3")
    folder = Path(__file__).resolve().parent
    in_checkout = all((folder.parent / part).is_file() for part in ("mneme/cli/classic.py", "grammar/mneme.lark"))
    missing = [name for name in NEEDED if find_spec(name) is None]
    archive = folder / "mneme.pyz"
    if in_checkout and not missing:
        sys.path.insert(0, str(folder.parent))
        import mneme

        mneme.__path__.append(str(folder.parent))  # there mneme.grammar lies; an installation maps it
    elif archive.is_file():
        return run_archive(archive)
    elif in_checkout:
        return stop(
            "not installed: " + ", ".join(missing),
            f"python -m pip install lark click python-dateutil, or lay mneme.pyz beside {Path(__file__).name}",
        )
    elif not is_installed():
        return stop(
            f"no mneme.pyz beside {Path(__file__).name}",
            "lay it there: python scripts/build_zipapp.py in a checkout of mneme makes it",
        )
    from mneme.cli.classic import entry

    return entry()


def run_archive(archive):
    """Run what is in ``archive``, all of it or nothing."""
    from zipimport import zipimporter

    try:
        zipimporter(str(archive))
        sys.path.insert(0, str(archive))
        from mneme.cli.classic import entry
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, another copy is the answer
        return stop(
            f"{archive} is damaged ({type(error).__name__})", "lay a new one there, as mneme skill install does it"
        )
    return entry()


def is_installed():
    """Whether mneme is among the installed packages: this one, not the other program that is called so."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return bool(distribution("mneme-cells"))
    except PackageNotFoundError:
        return False


def stop(reason, hint):
    """Say why nothing can be run, and what to do."""
    sys.stderr.write(f"mneme_tool: error: {reason}\n  hint: {hint}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
