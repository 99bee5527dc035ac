"""The text that defines a symbol, in any language that people indent: found by its head, cut by its indent."""

from __future__ import annotations

import re


def definition(text: str, symbol: str) -> str | None:
    """Return the lines that define ``symbol`` (``name``, ``Class.method`` or ``Class::method``); None when it is gone.

    The head is the first line that introduces the last part of the name, inside of what introduces the parts before it;
    the block ends before the next line that is not indented deeper than the head and closes nothing. Where nothing
    introduces the name but it is there, every line that has it counts.
    """
    lines = text.split("\n")
    start, end = 0, len(lines)
    for part in re.split(r"\.|::", symbol):
        block = _block(lines, start, end, part)
        if block is None:
            word = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)")
            having = [line.strip() for line in lines[start:end] if word.search(line)]
            return "\n".join(having) if having else None
        start, end = block
    return "\n".join(line.rstrip() for line in lines[start:end]).rstrip("\n")


def _block(lines: list[str], start: int, end: int, name: str) -> tuple[int, int] | None:
    head = re.compile(
        r"\s*(?:[\w@\[\]<>*&:,.()]+\s+)*?"
        r"(?:def|class|func|fn|function|interface|struct|enum|trait|type|module|namespace|const|let|var|val|macro|sub|"
        rf"procedure|record|object|impl|static|#define)\s+(?:\([^)]*\)\s*)?{re.escape(name)}(?!\w)"
        rf"|\s*(?:export\s+)?{re.escape(name)}\s*(?::[^=:]+)?(?:=|:=)(?!=)"
        rf"|\s*[\"']?{re.escape(name)}[\"']?\s*:(?!:)"
        rf"|\[+{re.escape(name)}\]+"
        rf"|(?:[\w*&<>:,~]+\s+)+[*&]?(?:\w+::)*{re.escape(name)}\s*\("
    )
    for number in range(start, end):
        line = lines[number]
        if name in line and head.match(line):
            return _with_decorators(lines, start, number), _end_of(lines, number, end)
    return None


def _end_of(lines: list[str], head: int, end: int) -> int:
    depth = _indent(lines[head])
    for number in range(head + 1, end):
        line = lines[number]
        stripped = line.strip()
        if not stripped or _indent(line) > depth:
            continue
        closing = stripped[0] in ")}]{" or stripped.startswith("end")
        if _indent(line) < depth or not closing:
            return number
    return end


def _with_decorators(lines: list[str], start: int, head: int) -> int:
    depth = _indent(lines[head])
    while head > start and lines[head - 1].strip()[:1] == "@" and _indent(lines[head - 1]) == depth:
        head -= 1
    return head


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
