"""What is to be remembered, checked against the engine's limits and made into the values of a cell."""

from __future__ import annotations

from dataclasses import dataclass

from mneme.bridge import mapping
from mneme.config import CATEGORIES, Config
from mneme.errors import UsageError
from mneme.format.encoded import origin_token
from mneme.format.model import Cell
from mneme.format.statement import NOTHING_SAID, statement
from mneme.format.vocabulary import BLANKS
from mneme.graph.entities import MODES
from mneme.memory.cue_words import derived_cues, is_cue
from mneme.memory.new_cell import Given, split_given
from mneme.memory.writer import Writer
from mneme.text.visible import quote

MAX_CHARACTERS = 8000
"""Of a text. The engine counts bytes and calls them characters; here a character of any script counts one."""


@dataclass(frozen=True, slots=True)
class Memo:
    """A text and what is said about it. ``importance`` is 1 to 5, None for what conf and state give.

    ``compare`` false leaves out the comparison with what is there, so that an exact repeat is written, too. ``source``
    empty: agent or user, whoever writes.
    """

    text: str
    category: str = "general"
    importance: int | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    entity_mode: str = "merge"
    source: str = ""
    topic: str = ""
    cues: tuple[str, ...] = ()
    personal: bool = False
    compare: bool = True


def check(memo: Memo) -> None:
    """Refuse what the engine refuses (facts 1.4).

    Raises:
        UsageError: says what, how much there is and how much may be.
    """
    if statement(memo.text).gist == NOTHING_SAID != memo.text.strip(f"{BLANKS}\r\n"):
        raise UsageError("there is nothing to remember", "give a text: what is true, and why")
    if len(memo.text) > MAX_CHARACTERS:
        raise UsageError(
            f"the text has {len(memo.text):,} characters, and a memory at most {MAX_CHARACTERS:,}",
            "remember one thought at a time, or keep the text in a file and remember what it says and where it is",
        )
    _choice("category", memo.category, CATEGORIES)
    _choice("entity mode", memo.entity_mode, MODES)
    if memo.importance is not None and not 1 <= memo.importance <= 5:
        raise UsageError(f"the importance is {memo.importance}", "it is a whole number from 1 to 5")
    for name, values, most, longest in (
        ("tag", memo.tags, mapping.MAX_TAGS, mapping.MAX_TAG_BYTES),
        ("entity", memo.entities, mapping.MAX_ENTITIES, mapping.MAX_ENTITY_BYTES),
    ):
        if len(values) > most:
            raise UsageError(f"{len(values)} of {name}, and at most {most} are kept", "keep those that say most")
        for value in values:
            if (size := len(value.encode("utf-8", "surrogatepass"))) > longest:
                raise UsageError(f"the {name} {quote(value, 50)} has {size} bytes, and at most {longest} are kept")


def _choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"there is no {name} {value!r}", f"one of: {', '.join(choices)}")


def verbatim(text: str) -> str:
    """Return ``text`` as a cell keeps it: line ends LF, no blanks at their ends, no blank lines around it."""
    said = statement(text)
    return "\n".join(said.body) if said.body else said.gist


def says(cell: Cell) -> tuple[str, ...]:
    """Return the texts that ``cell`` holds: what was remembered, and what it is in the store."""
    if not any(line.strip(BLANKS) for line in cell.body):
        return (cell.gist,)
    return cell.body_text, mapping.content(cell)


def given_of(memo: Memo, text: str, writer: Writer, config: Config) -> tuple[str, Given]:
    """Return the prefix and the values of the cell that ``memo`` becomes; ``text`` is its text verbatim.

    Tags are cues, entities are on the origin line, and so are tags that cannot stand on a cue line, or that the topic
    would crowd out. What follows from the cell anyway is not written.
    """
    said = statement(text)
    prefix, named = mapping.prefix_for(memo.category, config)
    tags = list(dict.fromkeys(memo.tags))
    cues = [tag for tag in tags if is_cue(tag)]
    crowded = len(tags) + bool(memo.topic) > mapping.MAX_TAGS
    more = [cue for cue in split_given(memo.cues) if cue not in cues]
    if not (cues or more):
        more = list(derived_cues(text, said.gist))
    pairs = writer.pairs()
    if memo.source and memo.source != ("agent" if writer.agent else "user"):
        pairs.append(("source", memo.source))
    if named:
        pairs.append(("category", memo.category))
    if memo.entity_mode != "merge":
        pairs.append(("entity-mode", memo.entity_mode))
    pairs += [("tag", tag) for tag in tags if crowded or tag not in cues]
    if memo.entity_mode != "auto":
        known = cues if memo.entity_mode == "merge" else []
        pairs += [("entity", name) for name in dict.fromkeys(memo.entities) if name not in known]
    given = Given(
        gist=said.gist,
        topic=memo.topic,
        cues=tuple(f"{cue} /" for cue in (*cues, *more)),
        body=said.body,
        state=config.agent_state if writer.agent else "live",
        imp="" if memo.importance is None else str(memo.importance),
        origin=tuple(origin_token(key, value) for key, value in pairs),
    )
    return prefix, given
