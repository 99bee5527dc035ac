"""What in a cell may be a path, which paths a glob means, and where a symbol's text begins and ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mneme.format.parser import parse
from mneme.history.globs import glob_pattern
from mneme.history.references import references
from mneme.history.symbols import definition


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("gist  Parsing is in mneme/format/parser.py.", ["mneme/format/parser.py!"]),
        ("> `a/b.py:load`, (c/d.ts#L10) **e/f.go** ./g/h.rs:12:", ["a/b.py:load!", "c/d.ts!", "e/f.go!", "g/h.rs!"]),
        ("> tests/test_a.py::TestA::test_b", ["tests/test_a.py:TestA::test_b!"]),
        ("> src/__init__.py _private/x.py", ["src/__init__.py!", "_private/x.py!"]),
        ("> README.md and setup.cfg", ["README.md", "setup.cfg"]),
        ("> and/or src/ src/*.py **/x.py", ["and/or", "src/", "src/*.py", "**/x.py"]),
        ("> 1/2 24/7 ... / // ../x.py a/../b.py /etc/x.py ~/x.py C:/x.py C:\\x https://a.b/c.py git+ssh://h/x.py", []),
        ("> 见src/缓存.py，然后（lib/a.py）", ["见src/缓存.py!", "lib/a.py!"]),
        ("> 在a/b.py里", ["在a/b.py里", "a/b.py!"]),
        ("ref Makefile src a.py:X /abs ../out src/*.py", ["Makefile!", "src!", "a.py:X!", "src/*.py!"]),
        ("> a/b.py a/b.py", ["a/b.py!"]),
        ("cue a/b.py", []),
    ],
)
def test_references(line: str, expected: list[str]) -> None:
    text = f"@ DEC-0001  a/b.py\n{line}\nstate live   since 2026-11-01   seen 2026-11-01\n"
    found = [
        f"{entry.path}{':' + entry.symbol if entry.symbol else ''}{'!' if entry.certain else ''}"
        for entry in references(parse(text).cells[0])
    ]
    assert found == expected


PATHS = ["a.py", "a/b.py", "a/b/c.py", "a/b/d.txt", "ab/c.py", "a[1].py", "x/y/z/w.rs", "a/.hidden.py"]
GLOBS = st.lists(st.sampled_from(["a", "b", "*", "**", "?", "/", "**/", ".py", "[ab]", "[!a]", "c", "."]), max_size=6)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "init", "-q", folder], check=True)
    for name in PATHS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    subprocess.run(["git", "-C", folder, "add", "-A"], check=True)
    return folder


@given(GLOBS.map("".join))
@settings(max_examples=60, deadline=None)
def test_globs_mean_what_git_means_by_them(tree: Path, glob: str) -> None:
    parts = glob.split("/")
    odd = any(part in ("", ".", "..") or ("**" in part and part != "**") for part in parts)
    if odd or not any(char in glob for char in "*?["):
        return  # git reads these as something else than a glob, or in ways that differ between its versions
    listed = subprocess.run(
        ["git", "-C", tree, "ls-files", "-z", "--", f":(glob){glob}"], capture_output=True, text=True, check=True
    ).stdout
    expected = sorted(name for name in listed.split("\0") if name)
    inside = [name for name in PATHS if glob_pattern(glob).fullmatch(name)]
    assert sorted(inside) == expected


PYTHON = """\
x = 1

@cached
def f(a,
      b):
    return 1


class C(Base):
    y: int = 2

    async def f(self):
        pass
"""
RUST = "pub fn run(a: u8) -> u8 {\n    a\n}\n\nimpl Store {\n    pub(crate) fn get(&self) {\n        1\n    }\n}\n"
SCRIPT = "export const limit = 5;\nexport async function load(url) {\n  return fetch(url);\n}\nfunction other() {\n}\n"
C_CODE = (
    "static int add(int a,\n               int b)\n{\n    return a + b;\n}\n\nint other(void)\n{\n    return 0;\n}\n"
)
GO = "func (s *Store) Put(k string) {\n\ts.m[k] = 1\n}\n\nfunc Put() {\n}\n"
TOML = "[tool.x]\nlimit = 5\nother = 6\n"


@pytest.mark.parametrize(
    ("text", "symbol", "expected"),
    [
        (PYTHON, "f", "@cached\ndef f(a,\n      b):\n    return 1"),
        (PYTHON, "C.f", "    async def f(self):\n        pass"),
        (PYTHON, "C.y", "    y: int = 2"),
        (PYTHON, "x", "x = 1"),
        (PYTHON, "g", None),
        (PYTHON, "C.g", None),
        (RUST, "run", "pub fn run(a: u8) -> u8 {\n    a\n}"),
        (RUST, "Store::get", "    pub(crate) fn get(&self) {\n        1\n    }"),
        (SCRIPT, "load", "export async function load(url) {\n  return fetch(url);\n}"),
        (SCRIPT, "limit", "export const limit = 5;"),
        (C_CODE, "add", "static int add(int a,\n               int b)\n{\n    return a + b;\n}"),
        (GO, "Put", "func (s *Store) Put(k string) {\n\ts.m[k] = 1\n}"),
        (TOML, "limit", "limit = 5"),
        ("call(thing)\nother\nuse thing\n", "thing", "call(thing)\nuse thing"),
    ],
)
def test_definitions(text: str, symbol: str, expected: str | None) -> None:
    assert definition(text, symbol) == expected
