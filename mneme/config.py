"""Configuration: ``mneme.toml``, or ``[tool.mneme]`` in ``pyproject.toml``, as frozen values."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from mneme import __version__
from mneme.errors import ConfigError

CONFIG_FILE = "mneme.toml"
PROJECT_FILE = "pyproject.toml"

CATEGORIES = ("preference", "decision", "insight", "fact", "context", "general")
PROJECTIONS = ("user", "memory", "none")
ID_STYLES = ("sequential", "random")
AGENT_STATES = ("live", "proposed")
FILE_LAYOUTS = ("project", "topic", "author", "month")


@dataclass(frozen=True, slots=True)
class Prefix:
    """What a project says about one ID prefix; an empty text or None means: as for all."""

    meaning: str = ""
    category: str = ""
    projection: str = ""
    decay_days: int | None = None


@dataclass(frozen=True, slots=True)
class LintConfig:
    """``[tool.mneme.lint]``."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    max_gist_width: int = 140
    """Columns: a full-width character counts two."""
    max_body_chars: int = 4000
    stale_days: int = 90
    """After so many days unseen a stale cell is reported."""
    proposed_days: int = 30
    """After so many days unseen a proposed cell is reported."""


@dataclass(frozen=True, slots=True)
class ProjectionsConfig:
    """``[tool.mneme.projections]``."""

    out: str = ""
    """The folder of USER.md and MEMORY.md, from the workspace's root."""
    user_limit: int = 4096
    """Bytes of USER.md."""
    memory_limit: int = 10240
    """Bytes of MEMORY.md."""
    blocks: tuple[str, ...] = ()
    """Files that hold a marked block, from the workspace's root; a pattern means those that have one."""
    block_limit: int = 10240
    """Bytes of the entries in such a block."""
    claude_memory: str = ""
    """Claude Code's auto-memory folder: ``auto``, or a path; empty: not kept."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. ``source`` is the file it came from, None for the defaults."""

    source: Path | None = None
    include: tuple[str, ...] = ("*.mneme", "*.mn")
    exclude: tuple[str, ...] = (
        ".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox",
        ".mypy_cache", ".ruff_cache", ".pytest_cache", ".mneme_cache", "build", "dist",
    )  # fmt: skip
    extend_exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required_version: str = ""
    ids: str = "sequential"
    file_per: str = "project"
    trunk: str = ""
    """The branch that all others go back to; empty: what ``origin/HEAD`` says, else main or master."""
    amend_window: bool = False
    """Whether small edits are allowed in cells that the upstream branch does not hold yet."""
    decay_days: int = 45
    evidence_decay_days: int = 0
    """Days for a live cell whose evidence is there and did not change, where they are more than the others say."""
    prefixes: Mapping[str, Prefix] = field(default_factory=dict)
    agent_state: str = "live"
    """The state of cells that an agent remembers: ``proposed`` lets a person accept them first."""
    stores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For the name of a store the files that it is compiled from, as patterns in the manner of ``.gitignore``."""
    lint: LintConfig = field(default_factory=LintConfig)
    projections: ProjectionsConfig = field(default_factory=ProjectionsConfig)

    def decay_for(self, cell_id: str, *, settled: bool = False) -> int:
        """Return after how many days unseen a live cell with this ID is due.

        ``settled``: the cell leans on code, and none of that changed since the cell was seen.
        """
        prefix = self.prefixes.get(cell_id.partition("-")[0])
        days = self.decay_days if prefix is None or prefix.decay_days is None else prefix.decay_days
        return max(days, self.evidence_decay_days) if settled else days


Reader = Callable[[Path], bytes | None]
"""Returns the bytes of a file, None where there is none: what is on disk, or what is staged."""


def read_disk(path: Path) -> bytes | None:
    """Return the bytes of ``path``; None when it is no file, or lies in a folder that may not be entered.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_bytes() if os.path.isfile(path) else None  # noqa: PTH113 - pathlib raises there
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def find_config(folder: Path, read: Reader = read_disk) -> Path | None:
    """Return the configuration file of ``folder`` itself, ``mneme.toml`` before ``pyproject.toml``; None without."""
    own = folder / CONFIG_FILE
    if read(own) is not None:
        return own
    project = folder / PROJECT_FILE
    data = read(project)
    if data is None:
        return None
    tool = _toml(project, data).get("tool")
    return project if isinstance(tool, dict) and "mneme" in tool else None


def load_config(path: Path, read: Reader = read_disk) -> Config:
    """Read a configuration file.

    Raises:
        ConfigError: it cannot be read, a key is unknown (the nearest is named), a value has the wrong type.
    """
    content = read(path)
    if content is None:
        raise ConfigError(f"{path}: no such file")
    data = _toml(path, content)
    if path.name == PROJECT_FILE:
        tool = data.get("tool", {})
        if not isinstance(tool, dict):
            raise ConfigError(f"{path}: tool is not a table")
        data = tool.get("mneme", {})
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: [tool.mneme] is not a table")
    config: Config = replace(_table(Config(), data, str(path), ""), source=path)
    _check(config, str(path))
    return config


def _toml(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: cannot be read: nested too deeply") from None
    except ValueError as error:  # a number may be too long besides
        raise ConfigError(f"{path}: not valid TOML: {error}") from None


def _table(default: Any, data: Mapping[str, Any], place: str, prefix: str) -> Any:
    known = {name.name.replace("_", "-"): name.name for name in fields(default) if name.name != "source"}
    values = {}
    for key, value in data.items():
        name = known.get(key)
        if name is None:
            hint = _meant_key(key, known, prefix)
            raise ConfigError(f"{place}: unknown key {prefix}{key}", hint)
        values[name] = _value(getattr(default, name), value, place, f"{prefix}{key}")
    return replace(default, **values)


def _value(default: Any, value: Any, place: str, key: str) -> Any:
    match key:
        case "lint":
            return _table(default, _mapping(value, place, key), place, "lint.")
        case "projections":
            return _table(default, _mapping(value, place, key), place, "projections.")
        case "prefixes":
            return {
                name: _prefix(name, entry, place, key) for name, entry in sorted(_mapping(value, place, key).items())
            }
        case "stores":
            return {name: _store(name, entry, place) for name, entry in sorted(_mapping(value, place, key).items())}
        case "per-file-ignores":
            return {
                glob: _strings(codes, place, f"{key}.{glob}") for glob, codes in _mapping(value, place, key).items()
            }
        case "lint.severity":
            levels = _mapping(value, place, key)
            for name, level in levels.items():
                if level not in ("error", "warning", "note", "off"):
                    raise ConfigError(f"{place}: {key}.{name} is {level!r}", "one of: error, warning, note, off")
            return levels
    if isinstance(default, tuple):
        return _strings(value, place, key)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ConfigError(f"{place}: {key} must be true or false")
        return value
    if isinstance(default, int):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ConfigError(f"{place}: {key} must be a whole number, 0 or more")
        return value
    if not isinstance(value, str):
        raise ConfigError(f"{place}: {key} must be a text")
    return value


def _store(name: str, value: Any, place: str) -> tuple[str, ...]:
    if not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9_-]*", name):
        raise ConfigError(f"{place}: stores.{name} is no name for a store", "letters, digits, _ and -")
    data = _mapping(value, place, f"stores.{name}")
    for inner in data:
        if inner != "files":
            raise ConfigError(f"{place}: unknown key stores.{name}.{inner}", "known keys: files")
    return _strings(data.get("files", []), place, f"stores.{name}.files")


def _prefix(name: str, value: Any, place: str, key: str) -> Prefix:
    if not re.fullmatch(r"[A-Z][A-Z0-9]*", name):
        raise ConfigError(f"{place}: {key}.{name} is no ID prefix", "an upper-case letter, then letters or digits")
    if isinstance(value, str):
        return Prefix(meaning=value)
    data = dict(_mapping(value, place, f"{key}.{name}"))
    if "decay-days" in data:
        days = data["decay-days"]
        if isinstance(days, bool) or not isinstance(days, int) or days < 0:
            raise ConfigError(f"{place}: {key}.{name}.decay-days must be a whole number, 0 or more")
    decay = data.pop("decay-days", None)
    known = {"meaning", "category", "projection"}
    for inner, text in data.items():
        if inner not in known:
            near = _nearest(inner, [*known, "decay-days"])
            raise ConfigError(f"{place}: unknown key {key}.{name}.{inner}", f"did you mean {near[0]}?" if near else "")
        if not isinstance(text, str):
            raise ConfigError(f"{place}: {key}.{name}.{inner} must be a text")
    prefix = Prefix(decay_days=decay, **data)
    _one_of(prefix.category, ("", *CATEGORIES), place, f"{key}.{name}.category")
    _one_of(prefix.projection, ("", *PROJECTIONS), place, f"{key}.{name}.projection")
    return prefix


def _meant_key(key: str, known: Iterable[str], prefix: str) -> str:
    """Return a hint that names the nearest key of this table, else of the other one, else all of this one."""
    here = {f"{prefix}{name}": name for name in known}
    other = "" if prefix else "lint."
    there = {f"{other}{spec.name.replace('_', '-')}": spec.name for spec in fields(Config if prefix else LintConfig)}
    there.pop("source", None)
    for names, cutoff in ((here, 0.75), (there, 0.75), (here, 0.5)):
        plain = {full.rpartition(".")[2]: full for full in names}
        if near := _nearest(key, plain, cutoff):
            return f"did you mean {plain[near[0]]}?"
    return f"known keys: {', '.join(sorted(known))}"


def _nearest(name: str, known: Iterable[str], cutoff: float = 0.5) -> list[str]:
    import difflib

    return difflib.get_close_matches(name, list(known), 1, cutoff)


def _mapping(value: Any, place: str, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: {key} must be a table")
    return value


def _strings(value: Any, place: str, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ConfigError(f"{place}: {key} must be a list of texts")
    return tuple(value)


def _one_of(value: str, choices: tuple[str, ...], place: str, key: str) -> None:
    if value not in choices:
        near = _nearest(value, choices)
        raise ConfigError(
            f"{place}: {key} is {value!r}",
            f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(choice for choice in choices if choice)}",
        )


def _check(config: Config, place: str) -> None:
    _one_of(config.ids, ID_STYLES, place, "ids")
    _one_of(config.file_per, FILE_LAYOUTS, place, "file-per")
    _one_of(config.agent_state, AGENT_STATES, place, "agent-state")
    default = Config()
    for key, patterns in (
        ("include", config.include), ("exclude", config.exclude), ("extend-exclude", config.extend_exclude),
        ("per-file-ignores", tuple(config.per_file_ignores)),
    ):  # fmt: skip
        if patterns and patterns != getattr(default, key.replace("-", "_")):
            _check_patterns(patterns, place, key)
    if config.required_version:
        _check_version(config.required_version, place)


def _check_patterns(patterns: tuple[str, ...], place: str, key: str) -> None:
    import warnings

    from pathspec import GitIgnoreSpec

    for pattern in patterns:
        try:
            with warnings.catch_warnings():  # of what a later version of ``re`` may read into it
                warnings.simplefilter("ignore", FutureWarning)
                GitIgnoreSpec.from_lines([pattern])
        except (ValueError, re.error):
            raise ConfigError(f"{place}: {key}: {pattern!r} is no pattern", "write it as in .gitignore") from None


def _check_version(wanted: str, place: str) -> None:
    """Hold this program's version against ``required-version``: ``1.2.3``, or comparisons joined by commas."""
    ours = _version(__version__)
    for part in wanted.split(","):
        match = re.fullmatch(r"\s*(==|!=|>=|<=|>|<|~=)?\s*([0-9]+(?:\.[0-9]+)*)\s*", part)
        if not match:
            raise ConfigError(f"{place}: required-version {wanted!r} is not understood", "for example: >=0.1,<0.2")
        operator, theirs = match[1] or "==", _version(match[2])
        holds = {
            "==": ours == theirs,
            "!=": ours != theirs,
            ">=": ours >= theirs,
            "<=": ours <= theirs,
            ">": ours > theirs,
            "<": ours < theirs,
            "~=": ours >= theirs and ours[: max(1, match[2].count("."))] == theirs[: max(1, match[2].count("."))],
        }[operator]
        if not holds:
            raise ConfigError(f"{place}: requires mneme {wanted}, and this is {__version__}", "install that version")


def _version(text: str) -> tuple[int, ...]:
    numbers = [int(part) for part in text.split(".") if part.isdigit()]
    return tuple(numbers + [0] * (4 - len(numbers)))
