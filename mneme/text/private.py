"""Files for their owner alone, replaced in order: written whole beside their targets first, then renamed one by one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mneme.text.files import new_bytes, sync_folder

MODE = 0o600


def replace_private(changes: Mapping[Path, bytes]) -> None:
    """Replace or make files, the last of ``changes`` last; only their owner may read them.

    Raises:
        OSError: one cannot be written; those before it may be replaced, and no temporary file is left.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in changes.items():
            temporary = new_bytes(path, data)
            staged.append((temporary, path))
            temporary.chmod(MODE)
        for temporary, path in staged:
            temporary.replace(path)
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
    for folder in {path.parent for path in changes}:
        sync_folder(folder)
