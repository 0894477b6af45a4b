"""Write the names of the Modelica Standard Library's classes: `python scripts/write_msl_names.py FOLDER`.

Only names are written: of classes, and of constants in packages. `freewheel.instance.standard_names`
reads them to say that the real library has what the embedded one lacks. Each line is one name,
indented by one blank for each class around it; the text is compressed.
"""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from freewheel.instance.library import ClassEntry, Library
from freewheel.instance.standard_names import FILE, TOPS
from freewheel.syntax.nodes import Component, LongBody


def lines(entry: ClassEntry, depth: int) -> Iterator[str]:
    yield " " * depth + entry.name[-1]
    body = entry.tree.body
    if "package" in entry.tree.kind and isinstance(body, LongBody):
        for name in sorted(e.name for e in body.elements if isinstance(e, Component)):
            yield " " * (depth + 1) + name
    for name in sorted(entry.nested_names()):
        below = entry.nested(name)
        if below is not None:
            yield from lines(below, depth + 1)


def main() -> None:
    library = Library([Path(sys.argv[1])], embedded=False, use_modelicapath=False)
    found = [entry for name in TOPS if (entry := library.top(name)) is not None]
    text = "\n".join([line for entry in found for line in lines(entry, 0)]) + "\n"
    # No time stamp: the same library gives the same file.
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{text.count(chr(10))} names, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
