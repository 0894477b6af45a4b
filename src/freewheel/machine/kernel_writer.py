"""One kernel's syntax tree to the text of one LLVM function.

Statements are here; what they compute with is in `kernel_values.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from freewheel.machine.kernel_values import TAGS, Signature, Value, ValueWriter
from freewheel.machine.records import llvm_type

METADATA = (
    "!0 = !{}",
    '!1 = !{!"kernel memory"}',
    '!2 = !{!"float", !1, i64 0}',
    '!3 = !{!"whole number", !1, i64 0}',
    "!4 = !{!2, !2, i64 0}",
    "!5 = !{!3, !3, i64 0}",
    '!6 = !{!"pointer", !1, i64 0}',
    "!7 = !{!6, !6, i64 0}",
)


def write_function(
    name: str,
    tree: ast.FunctionDef,
    signatures: Mapping[str, Signature],
    constants: Mapping[str, Any],
    declared: dict[str, None],
) -> str:
    return _Writer(name, tree, signatures, constants, declared).write()


class _Writer(ValueWriter):
    def __init__(
        self,
        name: str,
        tree: ast.FunctionDef,
        signatures: Mapping[str, Signature],
        constants: Mapping[str, Any],
        declared: dict[str, None],
    ) -> None:
        super().__init__(name, signatures, constants, declared)
        self.tree = tree
        self.loops: list[tuple[str, str]] = []  # where continue and break go
        self.statements: dict[type, Callable[[Any], None]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Break: lambda _: self._jump(self.loops[-1][1]),
            ast.Continue: lambda _: self._jump(self.loops[-1][0]),
            ast.Return: self._return,
            ast.Expr: self._lone,
            ast.Pass: lambda _: None,
        }

    def write(self) -> str:
        arguments, result = self.signatures[self.name]
        names = [argument.arg for argument in self.tree.args.args]
        for label, kind in zip(names, arguments, strict=True):
            self._slot(label, kind)
            self.lines.append(f"  store {llvm_type(kind)} %a_{label}, ptr %v_{label}")
        self._block(self.tree.body)
        if not self.ended:
            default = {"void": "", "i64": " 0", "double": " 0.0"}[result]
            self._emit(f"ret {llvm_type(result)}{default}")
        listed = ", ".join(f"{llvm_type(k)} %a_{n}" for n, k in zip(names, arguments, strict=True))
        head = f"define {llvm_type(result)} @{self.name}({listed}) #0 {{"
        return "\n".join([head, "entry:", *self.slots, *self.lines, "}", ""])

    # ------------------------------------------------------------ statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            handler = self.statements.get(type(statement))
            if handler is None:
                raise self._wrong(statement, "not in the kernel language")
            handler(statement)

    def _assign(self, statement: ast.Assign) -> None:
        value = self.value(statement.value)
        for target in statement.targets:
            self._store(target, value)

    def _annotated(self, statement: ast.AnnAssign) -> None:
        assert statement.value is not None
        self._store(statement.target, self.value(statement.value))

    def _augmented(self, statement: ast.AugAssign) -> None:
        left = self.value(statement.target)
        self._store(
            statement.target,
            self._operate(statement.op, left, self.value(statement.value), statement),
        )

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            if target.id not in self.variables:
                self._slot(target.id, "i64" if value[1] == "i1" else value[1])
            kind = self.variables[target.id]
            self._emit(f"store {llvm_type(kind)} {self._as(value, kind)}, ptr %v_{target.id}")
        elif isinstance(target, ast.Subscript):
            place, element = self._place(target)
            if element not in TAGS:
                raise self._wrong(target, "a record is not assigned as a whole")
            self._emit(f"store {element} {self._as(value, element)}, ptr {place}{TAGS[element]}")
        elif isinstance(target, ast.Attribute):
            place, field = self._field(target)
            if field.is_constant:
                raise self._wrong(target, "kernels change no references, functions and lengths")
            kind = field.kind
            self._emit(f"store {kind} {self._as(value, kind)}, ptr {place}{TAGS[kind]}")
        else:
            raise self._wrong(target, "cannot be assigned")

    def _if(self, statement: ast.If) -> None:
        then, otherwise, after = self._label("then"), self._label("else"), self._label("after")
        self._branch(self._test(statement.test), then, otherwise)
        self._start(then)
        self._block(statement.body)
        if not self.ended:
            self._jump(after)
        self._start(otherwise)
        self._block(statement.orelse)
        self._start(after)

    def _while(self, statement: ast.While) -> None:
        head, body, after = self._label("head"), self._label("body"), self._label("after")
        self._start(head)
        self._branch(self._test(statement.test), body, after)
        self._start(body)
        self._loop(statement.body, head, after, head)

    def _loop(self, body: list[ast.stmt], onward: str, after: str, head: str) -> None:
        self.loops.append((onward, after))
        self._block(body)
        self.loops.pop()
        if onward == head:
            if not self.ended:
                self._jump(head)
            self._start(after)

    def _for(self, statement: ast.For) -> None:
        call = statement.iter
        if not isinstance(call, ast.Call) or not isinstance(statement.target, ast.Name):
            raise self._wrong(statement, "loops run over range()")
        numbers = [self._as(self.value(argument), "i64") for argument in call.args]
        first, last, step = _range(numbers)
        downward = len(call.args) == 3 and isinstance(call.args[2], ast.UnaryOp)
        counter = f"count_{self.count}"
        self._slot(counter, "i64")
        if statement.target.id not in self.variables:
            self._slot(statement.target.id, "i64")
        self._emit(f"store i64 {first}, ptr %v_{counter}")
        head, body = self._label("head"), self._label("body")
        onward, after = self._label("next"), self._label("after")
        self._start(head)
        present = self._new(f"load i64, ptr %v_{counter}")
        test = self._new(f"icmp {'sgt' if downward else 'slt'} i64 {present}, {last}")
        self._branch(test, body, after)
        self._start(body)
        self._emit(f"store i64 {present}, ptr %v_{statement.target.id}")
        self._loop(statement.body, onward, after, head)
        self._start(onward)
        old = self._new(f"load i64, ptr %v_{counter}")
        new = self._new(f"add nsw i64 {old}, {step}")
        self._emit(f"store i64 {new}, ptr %v_{counter}")
        self._jump(head)
        self._start(after)

    def _return(self, statement: ast.Return) -> None:
        result = self.signatures[self.name][1]
        if statement.value is None or result == "void":
            self._emit("ret void")
        else:
            value = self._as(self.value(statement.value), result)
            self._emit(f"ret {llvm_type(result)} {value}")
        self.ended = True

    def _lone(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):  # a docstring says nothing to a machine
            self.value(statement.value)


def _range(numbers: list[str]) -> tuple[str, str, str]:
    if len(numbers) == 1:
        return "0", numbers[0], "1"
    if len(numbers) == 2:
        return numbers[0], numbers[1], "1"
    return numbers[0], numbers[1], numbers[2]
