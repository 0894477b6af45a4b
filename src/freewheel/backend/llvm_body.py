"""The text of one LLVM function while it is being written: registers, blocks, places on the stack.

body = Body("section_0", "ptr %m, ptr %s")
total = body.new("fadd double %a, %b")     # "%r1"
body.finish("ret i64 0")
"""

from __future__ import annotations

import struct
from functools import cache

LARGE = 4096  # numbers; larger working arrays are not put on the stack


@cache
def literal(value: float) -> str:
    """A double by its bits: exact, and good for infinities too."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Globals:
    """What stands around the functions of a module: declarations, constants, working arrays."""

    def __init__(self) -> None:
        self.declared: dict[str, None] = {}
        self.definitions: list[str] = []
        self.functions: list[str] = []
        self.known: dict[str, str] = {}
        self.kept: list[
            tuple[str, int]
        ] = []  # working arrays with something of the calls before, sizes
        self.count = 0

    def declare(self, text: str) -> None:
        self.declared[f"declare {text}"] = None

    def _name(self, word: str) -> str:
        self.count += 1
        return f"@{word}_{self.count}"

    def floats(self, values: tuple[float, ...]) -> str:
        return self._constant("double", tuple(literal(value) for value in values))

    def integers(self, values: tuple[int, ...]) -> str:
        return self._constant("i64", tuple(str(value) for value in values))

    def _constant(self, kind: str, values: tuple[str, ...]) -> str:
        listed = ", ".join(f"{kind} {value}" for value in values)
        text = f"[{len(values)} x {kind}] [{listed}]"
        if text not in self.known:
            name = self._name("constant")
            self.definitions.append(f"{name} = internal constant {text}")
            self.known[text] = name
        return self.known[text]

    def working_array(self, size: int) -> str:
        """Static, for what is too large for the stack: each run has code of its own."""
        name = self._name("work")
        self.definitions.append(f"{name} = internal global [{size} x double] zeroinitializer")
        return name

    def kept_array(self, size: int) -> str:
        """Static, as what is in it serves the next call, if its first word is not zero."""
        name = self.working_array(size)
        self.kept.append((name, size))
        return name

    def _forget(self) -> str:
        """`int64 forget()`: nothing that calls have left serves the next one. Out: how many arrays."""
        stores = [f"  store i64 0, ptr {name}" for name, _ in self.kept]
        lines = ["define i64 @forget() #0 {", *stores, f"  ret i64 {len(self.kept)}", "}", ""]
        return "\n".join(lines)

    def _kept(self) -> str:
        """`int64 kept(out)`: where these arrays are, and their sizes, for whoever saves a run."""
        if not self.kept:
            return ""
        lines = ["define i64 @kept(ptr %out) #0 {"]
        for number, (name, size) in enumerate(self.kept):
            for place, value in ((2 * number, f"ptr {name}"), (2 * number + 1, f"i64 {size}")):
                lines.append(f"  %p{place} = getelementptr i64, ptr %out, i64 {place}")
                lines.append(f"  store {value}, ptr %p{place}")
        return "\n".join([*lines, "  ret i64 0", "}", ""])

    def text(self) -> str:
        attributes = (
            "attributes #0 = { nounwind }",
            "attributes #1 = { nounwind willreturn memory(none) }",
        )
        return "\n".join(
            [
                *self.declared,
                *self.definitions,
                "",
                *self.functions,
                self._forget(),
                *([self._kept()] if self.kept else []),
                *attributes,
                "",
            ]
        )


class Body:
    """One function; instructions are added to the block at the end."""

    def __init__(self, around: Globals, name: str, arguments: str, result: str = "i64") -> None:
        self.around = around
        self.head = f"define {result} @{name}({arguments}) #0 {{"
        self.places: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.block = "entry"
        self.may_fail = False
        self.buffers: dict[str, int] = {}  # reused places: name -> size

    def new(self, text: str) -> str:
        """An instruction with a result; gives the register."""
        self.count += 1
        name = f"%r{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def add(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"

    def begin(self, label: str) -> None:
        """A new block; the one before must have ended."""
        self.lines.append(f"{label}:")
        self.block = label

    def jump(self, label: str) -> None:
        self.add(f"br label %{label}")

    def branch(self, test: str, yes: str, no: str) -> None:
        self.add(f"br i1 {test}, label %{yes}, label %{no}")

    def fail_if(self, test: str) -> None:
        """Leave the function with status 1."""
        onward = self.label("go")
        self.may_fail = True
        self.branch(test, "fail", onward)
        self.begin(onward)

    def at(self, base: str, index: int) -> str:
        if index == 0:
            return base
        return self.new(f"getelementptr inbounds double, ptr {base}, i64 {index}")

    def buffer(self, name: str, size: int) -> str:
        """A working place of this function under a name, at least this large."""
        self.buffers[name] = max(self.buffers.get(name, 0), size)
        return f"%{name}"

    def array(self, size: int) -> str:
        """A working array of its own: on the stack, or static where it is large."""
        if size > LARGE:
            return self.around.working_array(size)
        self.count += 1
        name = f"%array{self.count}"
        self.places.append(f"  {name} = alloca [{max(size, 1)} x double], align 16")
        return name

    def finish(self, last: str) -> None:
        """Puts the function into the module."""
        self.add(last)
        if self.may_fail:
            self.lines.append("fail:")
            self.add("ret i64 1")
        buffers = [
            f"  %{name} = alloca [{max(size, 1)} x double], align 16"
            for name, size in self.buffers.items()
        ]
        self.around.functions.append(
            "\n".join([self.head, "entry:", *buffers, *self.places, *self.lines, "}", ""])
        )
