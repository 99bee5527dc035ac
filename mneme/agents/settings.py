"""Our entries in a settings file of Claude Code's shape: put in, found again, taken out; nothing else is touched.

The file is JSON, often with comments. What we put in is one group with one handler under ``hooks.SessionStart``, and
rules under ``permissions.allow``. What was put in is recorded, so that it, and nothing like it, comes out again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from mneme.errors import ConfigError, EditError
from mneme.text.jsonc import Container, Member, Node, parse
from mneme.text.jsonc_edit import append, remove
from mneme.text.patch import Patch, apply
from mneme.text.source import digest_bytes

EVENT = "SessionStart"
EMPTY = "{\n}\n"
CREATED = frozenset({"file", "hooks", f"hooks.{EVENT}", "permissions", "permissions.allow"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The entries to have: when the command runs, for how many seconds at most, and what needs no asking.

    ``tool`` is the part of command and rules that names our program, as only our entries do.
    """

    command: str
    rules: tuple[str, ...]
    matcher: str
    timeout: int
    tool: str = ""

    @property
    def group(self) -> dict[str, Any]:
        """The hook group as the settings hold it."""
        handler = {"type": "command", "command": self.command, "timeout": self.timeout}
        return {"matcher": self.matcher, "hooks": [handler]}

    @property
    def document(self) -> dict[str, Any]:
        """The entries as the content of a settings file of their own."""
        return {"hooks": {EVENT: [self.group]}, "permissions": {"allow": list(self.rules)}}

    @property
    def text(self) -> str:
        """The entries as JSON text, for those who prefer to paste them."""
        return json.dumps(self.document, ensure_ascii=False, indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class Record:
    """What was put into one file.

    ``created`` names what was not there before: ``file``, ``hooks``, ``hooks.SessionStart``, ``permissions``,
    ``permissions.allow``. ``insertions`` are (start, length) in the resulting text, whose SHA-256 is ``digest``:
    while that still holds, taking them out restores the former bytes. Without it the entries are looked for.
    """

    command: str
    rules: tuple[str, ...] = ()
    created: frozenset[str] = frozenset()
    insertions: tuple[tuple[int, int], ...] = ()
    digest: str = ""


def put_in(text: str | None, wanted: Wanted, record: Record | None, name: str) -> tuple[str, Record]:
    """Return ``text`` (None: there is no file) with the wanted entries, and the record of it.

    ``record`` is that of an earlier time; entries of another version of ours are replaced.

    Raises:
        UnreadableFile: the text is not JSON.
        ConfigError: it is, but not of the shape that settings have.
        EditError: the result would not be what is wanted; nothing was changed.
    """
    if record is not None and text is not None and _is_outdated(record, wanted):
        text, record = take_out(text, record, name), None
    before = EMPTY if text is None else text
    root = _settings(before, name)
    patches, created, rules = _plan(before, root, wanted, name)
    if not patches and record is not None:
        return before, record
    after = apply(before, patches)
    _verify(after, wanted, name)
    made = {"file"} if text is None else set()
    if record is not None and text is not None:
        return after, Record(wanted.command, (*record.rules, *rules), record.created | created)
    if holds(before, wanted.command, name):  # ours of a time that nothing remembers: it goes when the script goes
        return after, recognised(after, wanted, name)
    digest = digest_bytes(after.encode("utf-8"))
    return after, Record(wanted.command, rules, frozenset(made | created), _places(patches), digest)


def take_out(text: str, record: Record, name: str) -> str | None:
    """Return ``text`` without what ``record`` says was put in; None when the file was made for it and is empty now.

    Raises:
        UnreadableFile: the text is not JSON.
    """
    if record.digest and digest_bytes(text.encode("utf-8")) == record.digest:
        if "file" in record.created:
            return None
        return apply(text, [Patch(start, start + length, "") for start, length in record.insertions])
    after = _remove_all(text, name, lambda root: _find_handler(root, record))
    for rule in record.rules:
        after = _remove_all(after, name, lambda root, rule=rule: _find_rule(root, rule, record))  # type: ignore[misc]
    if after != text and "file" in record.created and after.strip("\ufeff \t\r\n") == "{}":
        return None
    return after


def recognised(text: str, wanted: Wanted, name: str) -> Record:
    """Return the record of our entries in ``text`` when none was kept: they are told by what they say.

    With our very command all rules are ours, as they came together; without it those that name our program.

    Raises:
        UnreadableFile: the text is not JSON.
    """
    if holds(text, wanted.command, name):
        return Record(wanted.command, wanted.rules, CREATED)
    rules = tuple(rule for rule in wanted.rules if wanted.tool and wanted.tool in rule)
    return Record(wanted.command, rules, frozenset({"permissions.allow", "permissions"}))


def changed_commands(text: str, wanted: Wanted, name: str) -> list[str]:
    """Return the commands at session start that run our program and are not ours as we wrote them.

    Raises:
        UnreadableFile: the text is not JSON.
    """
    commands = [handler.data.get("command") for _, _, handler in _handlers(parse(text, name))]
    return [command for command in commands if _is_changed(command, wanted)]


def _is_changed(command: object, wanted: Wanted) -> TypeGuard[str]:
    return isinstance(command, str) and bool(wanted.tool) and wanted.tool in command and command != wanted.command


def holds(text: str, command: str, name: str) -> int:
    """Return how many session-start handlers run exactly ``command``."""
    return sum(handler.data.get("command") == command for _, _, handler in _handlers(parse(text, name)))


def is_strict(text: str) -> bool:
    """Whether ``text`` is JSON without comments and trailing commas, as some hosts want it."""
    try:
        json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return False
    except RecursionError:  # nested deeper than json follows, which is a fault of neither
        return True
    return True


def _is_outdated(record: Record, wanted: Wanted) -> bool:
    """Whether an earlier version of ours put in what is not wanted any more."""
    return record.command != wanted.command or not set(record.rules) <= set(wanted.rules)


def _settings(text: str, name: str) -> Container:
    root = parse(text, name)
    if not isinstance(root, Container) or not isinstance(root.data, dict):
        raise ConfigError(f"{name}: the settings are not a JSON object; nothing was written", "mend the file first")
    return root


def _plan(text: str, root: Container, wanted: Wanted, name: str) -> tuple[list[Patch], set[str], tuple[str, ...]]:
    """Return the insertions, what they create, and the rules among them."""
    # A command that somebody changed shows the spine in their way: a second one would show it twice.
    commands = [handler.data.get("command") for _, _, handler in _handlers(root)]
    present = any(command == wanted.command or _is_changed(command, wanted) for command in commands)
    allowed = _at(root, "permissions", name, dict)
    listed = _at(allowed, "allow", name, list)
    rules = tuple(rule for rule in wanted.rules if listed is None or rule not in listed.data)
    hooks = _at(root, "hooks", name, dict)
    groups = _at(hooks, EVENT, name, list)
    patches: list[Patch] = []
    created: set[str] = set()
    top: dict[str, Any] = {}
    for is_wanted, key, inner, outer, target, items in (
        (not present, "hooks", EVENT, hooks, groups, [wanted.group]),
        (bool(rules), "permissions", "allow", allowed, listed, list(rules)),
    ):
        if not is_wanted:
            continue
        if target is not None:
            patches += append(text, root, target, items)
            continue
        created.add(f"{key}.{inner}")
        if outer is not None:
            patches += append(text, root, outer, {inner: items})
            continue
        created.add(key)
        top[key] = {inner: items}
    return patches + append(text, root, root, top), created, rules


def _at(container: Container | None, key: str, name: str, kind: type) -> Container | None:
    member = container.member(key) if container is not None else None
    if member is None:
        return None
    if not isinstance(member.value, Container) or not isinstance(member.value.data, kind):
        what = "an object" if kind is dict else "a list"
        raise ConfigError(f'{name}: "{key}" is not {what}; nothing was written', "mend the file first")
    return member.value


def _verify(text: str, wanted: Wanted, name: str) -> None:
    root = _settings(text, name)
    allowed = {rule for rule in root.data["permissions"]["allow"] if isinstance(rule, str)} if wanted.rules else set()
    shown = holds(text, wanted.command, name) or changed_commands(text, wanted, name)
    if not shown or not allowed.issuperset(wanted.rules):
        raise EditError(f"{name}: the entries would not arrive; nothing was written", "please report it, with the file")


def _places(patches: list[Patch]) -> tuple[tuple[int, int], ...]:
    """Return where the insertions stand in the resulting text."""
    places = []
    shift = 0
    for patch in sorted(patches, key=lambda patch: patch.start):
        places.append((patch.start + shift, len(patch.new)))
        shift += len(patch.new)
    return tuple(places)


def _handlers(root: Node) -> Iterator[tuple[int, int, Container]]:
    """Yield group index, handler index and handler of every session-start handler that has the shape of one."""
    groups = _inner(_inner(root, "hooks"), EVENT)
    for number, group in enumerate(groups.items if groups is not None else ()):
        handlers = _inner(group, "hooks") if isinstance(group, Node) else None
        for index, handler in enumerate(handlers.items if handlers is not None else ()):
            if isinstance(handler, Container) and isinstance(handler.data, dict):
                yield number, index, handler


def _inner(node: Node | None, key: str) -> Container | None:
    """Return the container that the object ``node`` holds as ``key``; None when there is none."""
    member = node.member(key) if isinstance(node, Container) else None
    return member.value if member is not None and isinstance(member.value, Container) else None


Found = tuple[Container, int]


def _remove_all(text: str, name: str, find: Callable[[Node], Found | None]) -> str:
    found = find(parse(text, name))
    while found is not None:
        text = apply(text, remove(text, *found))
        found = find(parse(text, name))
    return text


def _find_handler(root: Node, record: Record) -> Found | None:
    """Return what to take out so that the recorded handler is gone: it, or what was made for it and held only it."""
    place = next((place for place in _handlers(root) if place[2].data.get("command") == record.command), None)
    hooks = _inner(root, "hooks")
    groups = _inner(hooks, EVENT)
    if place is None or hooks is None or groups is None:
        return None
    handlers = _inner(groups.items[place[0]], "hooks")
    assert handlers is not None
    if len(handlers.items) > 1:
        return handlers, place[1]
    if len(groups.items) > 1 or f"hooks.{EVENT}" not in record.created:
        return groups, place[0]
    return _emptied(root, hooks, "hooks", EVENT, record)


def _find_rule(root: Node, rule: str, record: Record) -> Found | None:
    permissions = _inner(root, "permissions")
    allow = _inner(permissions, "allow")
    if permissions is None or allow is None or rule not in allow.data:
        return None
    if len(allow.items) > 1 or "permissions.allow" not in record.created:
        return allow, allow.data.index(rule)
    return _emptied(root, permissions, "permissions", "allow", record)


def _emptied(root: Node, outer: Container, key: str, inner: str, record: Record) -> Found:
    """Return the member ``inner`` of ``outer``, or ``outer`` itself when it was made for it and holds nothing else."""
    assert isinstance(root, Container)
    if len(outer.items) == 1 and key in record.created:
        return root, _index(root, key)
    return outer, _index(outer, inner)


def _index(container: Container, key: str) -> int:
    return max(index for index, item in enumerate(container.items) if isinstance(item, Member) and item.key == key)
