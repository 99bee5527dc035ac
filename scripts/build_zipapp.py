#!/usr/bin/env python3
"""Make mneme.pyz: the whole of mneme and its pure-Python dependencies in one file that needs only Python 3.11.

    python scripts/build_zipapp.py                      writes mneme.pyz here
    python scripts/build_zipapp.py --output DIR/FILE    writes it there

What of this project goes in is what pyproject.toml puts into the wheel; the dependencies are those installed in the
environment that runs this, with their licences. Nothing is downloaded. The same code and versions give the same bytes:
entries are sorted, and dates, modes and compiled files left out.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import io
import os
import re
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
SHEBANG = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip file can hold
LEFT_OUT = {
    "tzdata": "python-dateutil reads it for named time zones only; the format's dates have none",
}
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.stderr.write("mneme: error: Python 3.11 or later is needed, this is %d.%d\\n" % sys.version_info[:2])
    sys.exit(2)
if sys.argv[1:2] == ["mneme_tool"]:
    del sys.argv[1]
    from mneme.cli.classic import entry
else:
    from mneme.cli.main import entry
entry()
"""

Entries = dict[str, bytes]


class BuildError(Exception):
    """The archive cannot be made from what is installed."""


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


def dependencies(requirements: list[str]) -> dict[str, importlib.metadata.Distribution]:
    """Return the installed distributions that ``requirements`` name, and all that those need, by canonical name."""
    found: dict[str, importlib.metadata.Distribution] = {}
    wanted = [Requirement(text) for text in requirements]
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        if name in found or name in LEFT_OUT or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            raise BuildError(f"{name} is not installed: python -m pip install -e . in this environment") from None
        if not requirement.specifier.contains(distribution.version, prereleases=True):
            raise BuildError(f"{requirement} is wanted, {distribution.version} is installed")
        found[name] = distribution
        wanted += [Requirement(text) for text in distribution.requires or ()]
    return dict(sorted(found.items()))


def vendored_entries(distribution: importlib.metadata.Distribution) -> Entries:
    """Return the code, data, metadata and licences of an installed distribution."""
    entries: Entries = {}
    for file in distribution.files or ():
        path = PurePosixPath(file.as_posix())
        if path.is_absolute() or ".." in path.parts or "__pycache__" in path.parts or path.suffix == ".pyc":
            continue  # scripts and compiled files
        if path.suffix in (".so", ".pyd", ".dll", ".dylib"):
            raise BuildError(f"{distribution.name} {distribution.version} is not pure Python: {path}")
        in_metadata = path.parts[0].endswith(".dist-info")
        if in_metadata and not _is_kept_metadata(path):
            continue
        if not in_metadata and (path.suffix in (".pyi", ".pth") or path.name == "py.typed"):
            continue
        entries[str(path)] = Path(str(file.locate())).read_bytes()
    if not any(name.endswith(".py") for name in entries):
        raise BuildError(
            f"{distribution.name} {distribution.version}: its files are not known; install it from a wheel"
        )
    return entries


def _is_kept_metadata(path: PurePosixPath) -> bool:
    licence = re.match("licen[cs]e|copying|notice|authors", path.name, re.IGNORECASE)
    return path.name == "METADATA" or path.parts[1:2] == ("licenses",) or bool(licence)


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
    for distribution in dependencies(project["project"]["dependencies"]).values():
        entries |= vendored_entries(distribution)
    return entries


def archive(entries: Entries) -> bytes:
    """Return the executable zip file that holds ``entries``."""
    stream = io.BytesIO()
    stream.write(SHEBANG)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, wherever this runs: the modes below are read then
            info.external_attr = 0o100644 << 16
            target.writestr(info, entries[name], compresslevel=9)
    return stream.getvalue()


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
        return 2
    print(f"{arguments.output}: {len(data):,} bytes; {', '.join(packages(entries))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
