"""The words by which a question shows what it is after, in eleven languages.

A blank stands for any white space. Cues are whole words, but for the Chinese ones.
"""

from __future__ import annotations

from collections.abc import Mapping

COUNTED: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "WHY": (
        ("why", "reason", "because", "cause", "motivation", "rationale"),
        ("为什么", "為什麼", "為甚麼", "原因", "理由"),
    ),
    "WHEN": (
        ("when", "timeline", "time", "date", "before", "after", "during", "history", "sequence"),
        ("什么时候", "什麼時候", "甚麼時候", "何时", "何時", "时间", "時間", "之前", "之后", "之後"),
    ),
    "ENTITY": (
        ("what is", "who is", "tell me about", "describe", "about"),
        ("是什么(?!时候)", "是什麼(?!時候)", "是甚麼(?!時候)", "谁是", "誰是", "关于", "關於", "介绍", "介紹"),
    ),
}  # fmt: skip
"""English cues and Chinese ones, by intent: each occurrence counts. "是什么时候" asks for a time and is no "是什么"."""

_APOSTROPHE = "['’]"

PRESENT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Hindi": {
        "WHY": ("क्यों", "क्यूँ", "किसलिए"),
        "WHEN": ("कब",),
        "ENTITY": ("(?:क्या|कौन) & (?:हैं|है)",),
    },
    "Spanish": {
        "WHY": ("por qué",),
        "WHEN": ("cuándo",),
        "ENTITY": ("(?<!por )qué es", "quién es"),  # "¿por qué es ...?" asks for a reason
    },
    "Arabic": {
        "WHY": ("لماذا",),
        "WHEN": ("متى",),
        "ENTITY": ("(?:ما|من) (?:هو|هي)",),
    },
    "French": {
        "WHY": ("pourquoi",),
        "WHEN": ("quand",),
        "ENTITY": (f"qu{_APOSTROPHE}est[- ]ce que", "qui est", f"c{_APOSTROPHE}est quoi"),
    },
    "Bengali": {
        "WHY": ("কেন",),
        "WHEN": ("কখন", "কবে"),
        "ENTITY": ("(?:কী|কি|কে) ?[?？]? ?$",),
    },
    "Portuguese": {
        "WHY": ("por que", "por quê"),
        "WHEN": ("quando",),
        "ENTITY": ("(?:o que|quem) é",),
    },
    "Indonesian": {
        "WHY": ("mengapa", "kenapa"),
        "WHEN": ("kapan",),
        "ENTITY": ("(?:apa|siapa) itu",),
    },
    "Russian": {
        "WHY": ("почему", "зачем"),
        "WHEN": ("когда",),
        "ENTITY": ("что такое", "кто (?:такой|такая|такие)"),
    },
    "German": {
        "WHY": ("warum", "wieso", "weshalb"),
        "WHEN": ("wann",),
        "ENTITY": ("(?:was|wer) (?:ist|sind)",),
    },
}  # fmt: skip
"""Expressions of the added languages, by language and intent: it matters whether they occur, not how often.

Both sides of an `` & `` have to occur, wherever. Of two that differ by a mark at the end, the longer comes first.
"""
