"""Ladders of resistors as classic models: sections in series, each with a resistor to ground."""

from __future__ import annotations


def ladder(sections: int) -> str:
    count = range(1, sections + 1)
    parts = [f"R{k}(R = {10 + k}.0), S{k}(R = {100 + k}.0)" for k in count]
    places = ["Common at g", "U0 from n0 to g"]
    for k in count:
        places += [f"R{k} from n{k - 1} to n{k}", f"S{k} from n{k} to g"]
    lines = [
        "model ladder",
        "  submodel (vsource) U0",
        *(f"  submodel (resistor) {part}" for part in parts),
        "  submodel Common",
        "  node " + ", ".join(["n0", *(f"n{k}" for k in count), "g"]),
        "  input u",
        "  output y",
        "  connect " + ",\n    ".join(places),
        "  U0.V = u",
        f"  y = S{sections}.u",
        "end",
    ]
    return "\n".join(lines) + "\n"
