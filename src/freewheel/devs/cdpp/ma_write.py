"""`MaFile` to text; reading the text gives the same `MaFile`.

[top]
components : a@Clock
out : o
link : tick@a o
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.devs.cdpp.ma_nodes import WORD, MaComponent, MaCoupled, MaFile


def write_ma(file: MaFile) -> str:
    """Coupled models first, then the parameters of atomic ones."""
    sections = [list(_coupled_lines(each)) for each in file.coupled.values()]
    for name, values in file.parameters.items():
        sections.append([f"[{name}]", *(f"{key} : {v.text}" for key, v in values.items())])
    text = "\n\n".join("\n".join(lines) for lines in sections) + "\n"
    return WORD.sub(lambda word: file.spelling.get(word[0], word[0]), text)


def _coupled_lines(coupled: MaCoupled) -> Iterator[str]:
    yield f"[{coupled.name}]"
    yield "components : " + " ".join(map(_shown, coupled.components))
    if coupled.inputs:
        yield "in : " + " ".join(coupled.inputs)
    if coupled.outputs:
        yield "out : " + " ".join(coupled.outputs)
    for link in coupled.links:
        yield f"link : {link.source} {link.target}"


def _shown(component: MaComponent) -> str:
    return f"{component.name}@{component.class_name}" if component.class_name else component.name
