"""What the hooks of others say: whether they can be kept under another name, and whether they run ours already."""

from __future__ import annotations

import re

from mneme.history.hook_script import LINT

_COMMENT = re.compile(rb"^[ \t]*#(?!!).*$", re.MULTILINE)

_FOLDER_OF_ITSELF = re.compile(
    rb"""dirname\s+(?:--\s+)?["']?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})(?!\w)"""
    rb"""|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}"""
    rb"""|dirname\(\s*__file__\s*\)|Path\(__file__\)(?:\.(?:resolve|absolute)\(\))?\.parent\b"""
)
"""A hook that asks for its folder only: a new name in the same folder changes nothing for it."""

_NAME_OF_ITSELF = re.compile(
    rb"""\$0\b|\$\{0\b|\bBASH_SOURCE\b|\$\{?ZSH_ARGZERO|\bstatus\s+(?:current-)?(?:filename|basename)\b"""
    rb"""|\bargv\s*\[\s*0\s*\]|\bsys\.argv\b(?!\s*\[\s*[1-9])|\bargv0\b|\bos\.Args\b|\b__file__\b|\b__FILE__\b|\bPROGRAM_NAME\b|\bFindBin\b"""
    rb"""|\bprocess\.argv\b(?!\.slice\(\s*2\b|\[\s*[2-9])|\b__filename\b|\bimport\.meta\b"""
    rb"""|\bhusky\b|\bovercommit\b"""
)

_READS_ANOTHER = re.compile(
    rb"""(?:^|[;&|]|\bthen\b|\bdo\b)[ \t]*(?:\.|source)[ \t]+(?!git-sh-setup\b|["']?(?:~|\$\{?(?:HOME|NVM_DIR)\b))""",
    re.MULTILINE,
)
"""A shell script read into this one sees the name of this one."""

_RUNS_PRE_COMMIT = re.compile(
    rb"""(?:^|[;&|({]|\b(?:exec|sh|bash|then|else|do)\b|[ \t]\.[ \t])[ \t]*"""
    rb"""["']?(?:\$\([^)\n]*\)|[^\s"';&|])*hooks/pre-commit["']?(?=[\s;&|)]|\Z)""",
    re.MULTILINE,
)
"""As in git's sample of a pre-merge-commit hook."""


def goes_by_name(data: bytes) -> bool:
    """Whether a hook may find out by its own file name what it is to do: under another name it would do nothing.

    In doubt it is: a program that is no text, a script that reads another one.
    """
    if b"\0" in data:
        return True
    text = _FOLDER_OF_ITSELF.sub(b"", _COMMENT.sub(b"", data))
    return bool(_NAME_OF_ITSELF.search(text) or _READS_ANOTHER.search(text))


def runs_pre_commit(data: bytes) -> bool:
    """Whether a hook runs the ``pre-commit`` hook, by a call and not only in a comment."""
    return bool(_RUNS_PRE_COMMIT.search(_COMMENT.sub(b"", data)))


def is_lefthook(data: bytes) -> bool:
    """Whether lefthook wrote a hook. It writes it anew at will, and moves what it finds there out of the way."""
    return b"call_lefthook" in data or b"LEFTHOOK" in data


def runs_our_line(data: bytes) -> bool:
    """Whether a hook has our line, not only in a comment."""
    return LINT.encode() in _COMMENT.sub(b"", data)
