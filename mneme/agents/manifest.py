"""What an installation wrote, kept in the installed folder: so that no more and no less is replaced or removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mneme.agents.settings import Record
from mneme.errors import ConfigError
from mneme.text.source import digest_bytes

MANIFEST = ".mneme-install.json"
VERSION = 1


@dataclass
class Manifest:
    """Files with their digests, folders that were made (innermost first), and who uses the folder.

    Paths are relative to the installed folder and written with ``/``; those of files lie inside it. ``uses`` maps each
    name that the folder was installed under ("." or that of a link to it) to the settings files changed for it.

    In a clone it was written by whoever made the commit: nothing outside the folder is changed on its word alone.
    """

    files: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    uses: dict[str, dict[str, Record]] = field(default_factory=dict)

    def dump(self) -> bytes:
        """Return the manifest as the bytes of its file."""
        document = {
            "version": VERSION,
            "about": "Written by mneme skill install, which needs it to update and to uninstall.",
            "files": dict(sorted(self.files.items())),
            "folders": self.folders,
            "uses": {
                name: {path: _record_data(record) for path, record in settings.items()}
                for name, settings in sorted(self.uses.items())
            },
        }
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def load(folder: Path) -> Manifest | None:
    """Return the manifest of ``folder``; None when there is none.

    Raises:
        ConfigError: there is one, and it cannot be understood, or names files outside of the folder.
    """
    path = folder / MANIFEST
    try:
        if path.is_symlink():
            raise ConfigError(f"{path} is a link, which mneme never makes", "delete it and install again")
        data = json.loads(path.read_bytes())
        if data["version"] != VERSION:
            raise ConfigError(
                f"{path}: written by another version of mneme (manifest {data['version']!r})", "use that version here"
            )
        uses = {
            str(name): {str(where): _record(record) for where, record in settings.items()}
            for name, settings in data["uses"].items()
        }
        files = {str(name): str(digest) for name, digest in data["files"].items()}
        folders = [str(name) for name in data["folders"]]
        strange = next((name for name in files if not _is_inside(name)), next((f for f in folders if "\0" in f), None))
        if strange is not None:
            raise ConfigError(
                f"{path} names a file that no installation wrote: {strange!r}; nothing was changed",
                "delete it and install again",
            )
        return Manifest(files, folders, uses)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ConfigError(f"{path} is damaged", "restore it, or delete it and install again") from None


def digest(data: bytes) -> str:
    """Return the digest of a file's content; git may change the line ends of texts, so those do not count."""
    return digest_bytes(data if b"\0" in data else data.replace(b"\r\n", b"\n"))


def _is_inside(name: str) -> bool:
    """Whether ``name`` is the plain relative path of a file below the folder, on any system."""
    parts = name.split("/")
    return name.isprintable() and not set(parts) & {"", ".", ".."} and not set(name) & set("\\:")


def _record_data(record: Record) -> dict[str, Any]:
    return {
        "command": record.command,
        "rules": list(record.rules),
        "created": sorted(record.created),
        "insertions": [list(place) for place in record.insertions],
        "digest": record.digest,
    }


def _record(data: Mapping[str, Any]) -> Record:
    places = tuple((int(start), int(length)) for start, length in data["insertions"])
    created = frozenset(map(str, data["created"]))
    return Record(str(data["command"]), tuple(map(str, data["rules"])), created, places, str(data["digest"]))
