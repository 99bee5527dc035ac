"""What a note is about, by the words it uses and the heading it stands under: the prefix of its cell."""

from __future__ import annotations

import re

_BY_HEADING = (
    ("GOTCHA", r"gotcha|pitfall|caveat|known issue|troubleshoot|debugging|lesson|mistake|watch out|坑|注意"),
    ("DEC", r"decision|决策|决定"),
    ("PREF", r"preference|convention|style|guideline|rule|working agreement|do and don|偏好|规范|约定"),
    ("OKR", r"\bgoals?\b|roadmap|objective|\bokrs?\b|目标"),
    ("TODO", r"\bto-?dos?\b|next steps|open items|backlog|待办"),
)
_BY_TEXT = (
    (
        "PREF",
        r"(?:please )?(?:always|never|prefer|avoid|do not|don['’]t|must|make sure|i prefer|user prefers)\b|偏好|喜欢",
    ),
    ("DEC", r"(?:we )?(?:decided|chose|agreed)\b|decision:|决定"),
    ("GOTCHA", r"(?:gotcha|pitfall|careful|beware|caution|warning)\b|注意"),
)
_HEADINGS = [(prefix, re.compile(words, re.IGNORECASE)) for prefix, words in _BY_HEADING]
_TEXTS = [(prefix, re.compile(rf"[*_\s]*(?:{words})", re.IGNORECASE)) for prefix, words in _BY_TEXT]

_CATEGORIES = {
    "decision": "DEC", "architecture": "DEC", "preference": "PREF", "feedback": "PREF", "user": "PREF", "rule": "PREF",
    "convention": "PREF", "style": "PREF", "gotcha": "GOTCHA", "pitfall": "GOTCHA", "issue": "GOTCHA",
    "problem": "GOTCHA", "bug": "GOTCHA", "risk": "GOTCHA", "warning": "GOTCHA", "lesson": "GOTCHA", "goal": "OKR",
    "objective": "OKR", "todo": "TODO", "task": "TODO", "next": "TODO",
}  # fmt: skip

DEFAULT = "FACT"


def prefix_by_words(text: str, headings: tuple[str, ...] = ()) -> str:
    """Return the prefix for ``text``: by its first words, else by the nearest heading that says something."""
    for prefix, words in _TEXTS:
        if words.match(text):
            return prefix
    for heading in reversed(headings):
        for prefix, words in _HEADINGS:
            if words.search(heading):
                return prefix
    return DEFAULT


def prefix_of_category(category: str) -> str:
    """Return the prefix for what a source calls a category; empty where it says nothing."""
    plain = category.casefold().strip()
    return _CATEGORIES.get(plain) or _CATEGORIES.get(plain.removesuffix("s"), "")
