"""mneme.pyz: all of mneme and its dependencies in one file that needs nothing but Python.

``scripts/build_zipapp.py`` makes it from a checkout; here it is made from whatever is running: an installation, or such
a file itself. The same code and versions give the same bytes: entries are sorted, dates and modes fixed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import io
import re
import zipfile
import zipimport
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from mneme.errors import MnemeError

DISTRIBUTION = "mneme-cells"
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
    from mneme.cli.start import mneme_tool as start
else:
    from mneme.cli.start import mneme as start
start()
"""

Entries = dict[str, bytes]


class BuildError(MnemeError):
    """The file cannot be made from what is installed."""


def running() -> bytes:
    """Return mneme.pyz as bytes: the file that runs right now, else one made from the running installation.

    Raises:
        BuildError: a dependency is missing or not pure Python, or the running file cannot be read.
    """
    import mneme

    loader = getattr(mneme.__spec__, "loader", None)
    if not isinstance(loader, zipimport.zipimporter):
        return archive(installed_entries())
    try:
        return Path(loader.archive).read_bytes()
    except OSError as error:
        raise BuildError(f"{loader.archive}: {error.strerror}") from None


def installed_entries() -> Entries:
    """Return every entry of the archive by name, from what is installed.

    Raises:
        BuildError: mneme was not installed by a package installer, or a dependency cannot go in.
    """
    own = _distribution(DISTRIBUTION)
    entries: Entries = {"__main__.py": MAIN.encode()}
    # An editable installation maps these folders from elsewhere; in any other they lie inside the first one.
    for package in ("mneme", "mneme.grammar", "mneme.skills"):
        for path, file in _files(importlib.resources.files(package), package.replace(".", "/")):
            entries[path] = file.read_bytes()
    entries |= _about(own)
    for distribution in dependencies(own.requires or ()).values():
        entries |= vendored_entries(distribution)
    return entries


def _about(own: importlib.metadata.Distribution) -> Entries:
    """Return what says which program this is, and its licence."""
    folder = f"{DISTRIBUTION.replace('-', '_')}-{own.version}.dist-info"
    about = own.read_text("METADATA") or own.read_text("PKG-INFO") or ""
    entries: Entries = {f"{folder}/METADATA": about.encode("utf-8")}
    for file in own.files or ():
        path = PurePosixPath(file.as_posix())
        if "licenses" in path.parts and _in_metadata(path):
            entries[str(path)] = Path(str(file.locate())).read_bytes()
    return entries


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for child in sorted(folder.iterdir(), key=lambda child: child.name):
        if child.name == "__pycache__" or child.name.startswith(".") or child.name.endswith((".pyc", ".pyz", "~")):
            continue
        if child.is_dir():
            yield from _files(child, f"{path}/{child.name}")
        else:
            yield f"{path}/{child.name}", child


def dependencies(requirements: Iterable[str]) -> dict[str, importlib.metadata.Distribution]:
    """Return the installed distributions that ``requirements`` name, and all that those need, by canonical name.

    Extras are not followed; what another platform or Python would need is taken when it is installed.

    Raises:
        BuildError: one that is needed everywhere is not installed.
    """
    found: dict[str, importlib.metadata.Distribution] = {}
    wanted = list(requirements)
    while wanted:
        text, _, marker = wanted.pop().partition(";")
        name = re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", text.strip(), maxsplit=1)[0]).lower()
        if name in found or name in LEFT_OUT or re.search(r"\bextra\b", marker):
            continue
        try:
            found[name] = _distribution(name)
        except BuildError:
            if not marker:
                raise
            continue
        wanted += found[name].requires or ()
    return dict(sorted(found.items()))


def _distribution(name: str) -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        raise BuildError(
            f"{name} is not installed in this environment, so mneme.pyz cannot be made", "install mneme with pip"
        ) from None


def vendored_entries(distribution: importlib.metadata.Distribution) -> Entries:
    """Return the code, data, metadata and licences of an installed distribution.

    Raises:
        BuildError: it is not pure Python, or was installed in a way that does not say what its files are.
    """
    entries: Entries = {}
    for file in distribution.files or ():
        path = PurePosixPath(file.as_posix())
        if path.is_absolute() or ".." in path.parts or "__pycache__" in path.parts or path.suffix == ".pyc":
            continue  # scripts and compiled files
        if path.suffix in (".so", ".pyd", ".dll", ".dylib"):
            raise BuildError(f"{distribution.name} {distribution.version} is not pure Python: {path}")
        if _in_metadata(path) and not _is_kept_metadata(path):
            continue
        if not _in_metadata(path) and (path.suffix in (".pyi", ".pth") or path.name == "py.typed"):
            continue
        entries[str(path)] = Path(str(file.locate())).read_bytes()
    if not any(name.endswith(".py") for name in entries):
        raise BuildError(
            f"{distribution.name} {distribution.version}: its files are not known", "install it from a wheel"
        )
    return entries


def _in_metadata(path: PurePosixPath) -> bool:
    return path.parts[0].endswith(".dist-info")


def _is_kept_metadata(path: PurePosixPath) -> bool:
    licence = re.match("licen[cs]e|copying|notice|authors", path.name, re.IGNORECASE)
    return path.name == "METADATA" or path.parts[1:2] == ("licenses",) or bool(licence)


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
