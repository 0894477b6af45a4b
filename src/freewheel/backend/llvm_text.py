"""A program as LLVM text.

text, calls = to_text(program)
"""

from __future__ import annotations

from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_python import PythonCalls
from freewheel.backend.llvm_steps import write_section, write_simplified_start
from freewheel.program.nodes import SECTIONS, SIMPLIFIED, Program


def to_text(program: Program) -> tuple[str, PythonCalls]:
    """LLVM text of all sections, and the pieces of Python it calls."""
    calls = PythonCalls(program)
    functions = {function.name: function for function in program.functions}
    module = Module(calls, functions.get)
    has_simplified = program.started >= 0
    if has_simplified:
        write_section(module, SIMPLIFIED, program.sections[SIMPLIFIED])
    for name in SECTIONS:
        before = ""
        if name == "initial" and has_simplified:
            before = write_simplified_start(module, program.started, len(program.start))
        write_section(module, name, program.sections[name], before)
    return module.around.text(), calls
