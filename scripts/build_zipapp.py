#!/usr/bin/env python3
"""Make mneme.pyz: the whole of mneme and its pure-Python dependencies in one file that needs only Python 3.11.

    python scripts/build_zipapp.py                      writes mneme.pyz here
    python scripts/build_zipapp.py --output DIR/FILE    writes it there

What of this project goes in is what pyproject.toml puts into the wheel; the dependencies are those installed in the
environment that runs this, with their licences. It needs no other package and downloads nothing. The same code and
versions give the same bytes: entries are sorted, and dates, modes and compiled files left out.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HINT = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python scripts/build_zipapp.py"
sys.path.insert(0, str(ROOT))

from mneme.agents.onefile import (  # noqa: E402 - the checkout's own
    MAIN,
    BuildError,
    Entries,
    archive,
    dependencies,
    vendored_entries,
)


def own_entries(project: dict[str, Any]) -> Entries:
    """Return the files of this project's packages, as setuptools is told of them."""
    tool = project["tool"]["setuptools"]
    entries: Entries = {}
    for package in tool["packages"]:
        folder = package_folder(package, tool.get("package-dir", {}))
        data = tool.get("package-data", {})
        globs = ["*.py", *data.get(package, ()), *data.get("*", ())]
        files = sorted({path for glob in globs for path in folder.glob(glob) if path.is_file()})
        if not files:
            raise BuildError(f"package {package}: nothing in {folder}")
        for path in files:
            if "__pycache__" not in path.parts:
                entries[f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return entries


def package_folder(package: str, mapping: dict[str, str]) -> Path:
    """Return where setuptools looks for ``package``: the nearest mapped parent decides."""
    parts = package.split(".")
    for length in range(len(parts), 0, -1):
        mapped = mapping.get(".".join(parts[:length]))
        if mapped is not None:
            return ROOT.joinpath(mapped, *parts[length:])
    return ROOT.joinpath(mapping.get("", ""), *parts)


def own_metadata(project: dict[str, Any], version: str) -> Entries:
    """Return what says which program this is, and its licence."""
    about = project["project"]
    folder = f"{about['name'].replace('-', '_')}-{version}.dist-info"
    head = {
        "Metadata-Version": "2.4",
        "Name": about["name"],
        "Version": version,
        "Summary": about["description"],
        "License-Expression": about["license"],
        "Requires-Python": about["requires-python"],
    }
    entries = {f"{folder}/METADATA": "".join(f"{key}: {value}\n" for key, value in head.items()).encode()}
    for glob in about["license-files"]:
        for path in sorted(ROOT.glob(glob)):
            entries[f"{folder}/licenses/{path.relative_to(ROOT).as_posix()}"] = path.read_bytes()
    return entries


def check_versions(requirements: list[str], found: dict[str, Any]) -> None:
    """Raise BuildError when what is installed is not what pyproject.toml asks for."""
    for requirement in requirements:
        name, bounds = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
        installed = found[re.sub(r"[-_.]+", "-", name).lower()].version
        for bound in filter(None, bounds.split(",")):
            if not holds(installed, bound):
                raise BuildError(f"{requirement} is wanted, {installed} is installed")


def holds(version: str, bound: str) -> bool:
    """Whether ``version`` keeps a bound (``>=`` or ``<`` and a release); a pre-release counts as its release.

    Raises:
        BuildError: another kind of bound; packaging, which knows all kinds, is not there after a plain install.
    """
    match = re.fullmatch(r"(>=|<)(\d+(?:\.\d+)*)", bound.strip())
    if match is None:
        raise BuildError(f"pyproject.toml: the bound {bound!r} is neither >= nor <")
    one, other = release(version), release(match[2])
    return one >= other if match[1] == ">=" else one < other


def release(version: str) -> list[int]:
    """Return the numbers of a version, without zeros at the end."""
    numbers = re.match(r"v?(?:\d+!)?(\d+(?:\.\d+)*)", version)
    if numbers is None:
        raise BuildError(f"{version!r} is no version")
    return [int(part) for part in re.sub(r"(?:\.0+)+$", "", numbers[1]).split(".")]


def collect() -> Entries:
    """Return every entry of the archive by name.

    Raises:
        BuildError: a dependency is missing, has the wrong version, or is not pure Python.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    entries: Entries = {"__main__.py": MAIN.encode()}
    entries |= own_entries(project)
    version = re.search(rb'^__version__ = "([^"]+)"$', entries["mneme/__init__.py"], re.MULTILINE)
    if version is None:
        raise BuildError("mneme/__init__.py has no __version__")
    entries |= own_metadata(project, version[1].decode())
    requirements = project["project"]["dependencies"]
    found = dependencies(requirements)
    check_versions(requirements, found)
    for distribution in found.values():
        entries |= vendored_entries(distribution)
    return entries


def write(data: bytes, output: Path) -> None:
    """Put ``data`` at ``output`` in one step, executable."""
    handle, name = tempfile.mkstemp(prefix=f".{output.name}.", dir=output.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    Path(name).chmod(0o755)
    Path(name).replace(output)


def packages(entries: Entries) -> Iterator[str]:
    """Yield name and version of everything inside."""
    for name in sorted(entries):
        if name.endswith(".dist-info/METADATA"):
            yield name.removesuffix(".dist-info/METADATA").replace("_", "-")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make mneme.pyz, one file that needs only Python 3.11.")
    parser.add_argument("--output", type=Path, default=Path("mneme.pyz"), help="default: mneme.pyz here")
    arguments = parser.parse_args()
    try:
        entries = collect()
        data = archive(entries)
        write(data, arguments.output.absolute())
    except (BuildError, OSError) as error:
        print(f"build_zipapp: error: {error}", file=sys.stderr)
        if isinstance(error, BuildError):
            print(f"  hint: an environment that has what is needed: {HINT}", file=sys.stderr)
        return 2
    print(f"{arguments.output}: {len(data):,} bytes; {', '.join(packages(entries))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
