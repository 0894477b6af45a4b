"""A module of LLVM text while it is written: what all its functions share.

module = Module(PythonCalls(program), functions.get)
module.around.text()
"""

from __future__ import annotations

from freewheel.backend.llvm_body import Body, Globals
from freewheel.backend.llvm_function import Functions
from freewheel.backend.llvm_python import PythonCalls
from freewheel.backend.llvm_scan import Lookup
from freewheel.backend.table_kernels import TABLE_CALLS, TableCall
from freewheel.base.names import Name
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import Call, Expr, Var


class Module:
    """All sections of a program while they are written."""

    def __init__(self, calls: PythonCalls, functions: Lookup) -> None:
        self.around = Globals()
        self.calls = calls
        self.derivatives = FunctionDerivatives(functions)
        self.functions: Lookup = self.derivatives.function  # made ones too
        self.natives = Functions(self.around, self.functions)
        self.loops = 0
        self.around.definitions.append("@python = internal global ptr null")
        self.around.definitions.append("@tables = internal global ptr null")
        for kernel in (
            "i64 @fw_not_finite(i64, ptr)",
            "i64 @fw_linear(i64, ptr, ptr, ptr, ptr)",
            "i64 @fw_drop_rounding(i64, ptr, ptr, ptr, i64, ptr, ptr)",
            "i64 @fw_sparse(i64, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr)",
            "i64 @fw_solve(ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr)",
            "i64 @fw_loop(ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, "
            "i64, ptr, i64)",
        ):
            self.around.declare(kernel)
        self.around.functions.append(
            "define void @bind(ptr %python, ptr %tables) #0 {\n  store ptr %python, ptr @python\n"
            "  store ptr %tables, ptr @tables\n  ret void\n}\n"
        )

    def table_call(self, call: Call) -> tuple[TableCall, list[Expr]] | None:
        """How kernels do an external function, and its arguments as C sees them; None: they do
        not."""
        function = None if isinstance(call.data, str) else self.functions(call.data)
        if function is None or function.external is None:
            return None
        known = TABLE_CALLS.get(function.external.name)
        if known is None or len(function.external.args) != 1 + known.arguments + known.changes:
            return None
        inputs: dict[Name, Expr] = {
            (v.name,): arg for v, arg in zip(function.inputs(), call.args, strict=False)
        }
        args: list[Expr] = []
        for part in function.external.args:
            arg = inputs.get(part.name) if isinstance(part, Var) else None
            if arg is None:
                return None
            args.append(arg)
        if not isinstance(args[0], Var) or args[0].name[0] != "object":
            return None
        return known, args

    def call_python(self, body: Body, number: int, given: str, wanted: str) -> str:
        pointer = body.new("load ptr, ptr @python")
        return body.new(f"call i64 {pointer}(i64 {number}, ptr {given}, ptr {wanted})")
