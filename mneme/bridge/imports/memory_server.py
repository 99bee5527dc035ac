"""The JSON lines of Anthropic's memory server for MCP: entities with observations, and relations."""

from __future__ import annotations

from collections.abc import Sequence

from mneme.bridge.imports.json_lines import text_of, values
from mneme.bridge.imports.note import LONGEST_NAME, Note, Part, Reading, is_known
from mneme.bridge.imports.words import prefix_by_words, prefix_of_category


def read(parts: Sequence[Part], reading: Reading) -> None:
    """Add a note for every observation. A relation is a link where the format has a word for it, else a note."""
    relations: list[tuple[str, int, str, str, str]] = []
    spoken_of: set[str] = set()
    for part in parts:
        for line, value in values(part, reading):
            kind = value.get("type")
            if kind == "entity":
                _entity(value, part.name, line, reading, spoken_of)
            elif kind == "relation":
                source, relation, target = (text_of(value.get(key)) for key in ("from", "relationType", "to"))
                if source and relation and target:
                    relations.append((part.name, line, source, relation, target))
                else:
                    reading.broken(part.name, line, "a relation without from, to or relationType")
            else:
                reading.left_out["other lines"] += 1
    for path, line, source, relation, target in relations:
        if is_known(relation) and {source, target} <= spoken_of:
            reading.relate(source, relation, target)
        else:
            words = " ".join(relation.replace("_", " ").replace("-", " ").split())
            reading.notes.append(
                Note(
                    f"{source} {words} {target}", path, line, prefix="FACT", topic=("relations",), cues=(source, target)
                )
            )


def _entity(value: dict[str, object], path: str, line: int, reading: Reading, spoken_of: set[str]) -> None:
    name, kind = text_of(value.get("name")), text_of(value.get("entityType"))
    observations = value.get("observations")
    if not name or not isinstance(observations, list):
        reading.broken(path, line, "an entity without name or observations")
        return
    if not any(map(text_of, observations)):
        reading.left_out["entities without observations"] += 1
    short = name[:LONGEST_NAME]
    for observation in map(text_of, observations):
        if not observation:
            continue
        text = (
            observation
            if len(name) > LONGEST_NAME or name.casefold() in observation.casefold()
            else f"{name}: {observation}"
        )
        names = () if name in spoken_of else (name,)
        spoken_of.add(name)
        reading.notes.append(
            Note(
                text, path, line, prefix=prefix_of_category(kind) or prefix_by_words(observation),
                topic=tuple(filter(None, (kind[:LONGEST_NAME], short))), cues=(short,), item=short, names=names,
            )
        )  # fmt: skip
