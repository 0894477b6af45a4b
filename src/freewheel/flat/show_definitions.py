"""What stands before a flat model in its text: records, enumerations, external objects, functions."""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.base.names import ClassName
from freewheel.flat.class_texts import ClassTexts
from freewheel.flat.reached import Reached
from freewheel.flat.show_code import STEP, Code
from freewheel.formula.nodes import Integer, Var
from freewheel.formula.show import quote_string
from freewheel.formula.statement_nodes import (
    DerivativeInfo,
    External,
    Function,
    FunctionVariable,
)
from freewheel.formula.types import EnumType, RecordType, Type
from freewheel.formula.walk import variables_in


class Definitions:
    def __init__(self, texts: ClassTexts) -> None:
        self._texts = texts
        self._code = Code(texts)

    def lines(self, needed: Reached) -> Iterator[str]:
        for kind in needed.enumerations.values():
            yield from self._enumeration(kind)
        for record in needed.records.values():
            yield from self._record(record)
        inside: set[ClassName] = set()
        for name in needed.external_objects:
            members = [(*name, "constructor"), (*name, "destructor")]
            inside.update(members)
            known = [needed.functions[m] for m in members if m in needed.functions]
            yield from self._external_object(name, known)
        for function in needed.functions.values():
            if function.name not in inside:
                yield from self._function(function, self._texts.of_class(function.name), "")
                yield ""

    # ------------------------------------------------------------ types

    def _enumeration(self, kind: EnumType) -> Iterator[str]:
        yield f"type {self._texts.of_class(kind.name)} = enumeration({', '.join(kind.literals)});"
        yield ""

    def _record(self, record: RecordType) -> Iterator[str]:
        name = self._texts.of_class(record.name)
        yield f"record {name}"
        for label, kind in record.fields:
            yield f"{STEP}{self._type(kind)} {label}{_sizes(kind)};"
        yield f"end {name};"
        yield ""

    def _type(self, kind: Type) -> str:
        return self._texts.of_type(kind.scalar)

    def _external_object(self, name: ClassName, members: list[Function]) -> Iterator[str]:
        text = self._texts.of_class(name)
        yield f"class {text}"
        yield f"{STEP}extends ExternalObject;"
        for member in members:
            yield from self._function(member, member.name[-1], STEP)
        yield f"end {text};"
        yield ""

    # ------------------------------------------------------------ functions

    def _function(self, function: Function, name: str, indent: str) -> Iterator[str]:
        kind = "partial " if _only_tells_the_form(function) else ""
        head = f"{indent}{kind}{'impure ' if function.is_impure else ''}function {name}"
        if function.partial_derivative_of is not None:
            original, variables = function.partial_derivative_of
            of = ", ".join((self._texts.of_class(original), *variables))
            yield f"{head} = der({of});"
            return
        yield head
        yield from self._variables(function, indent)
        if function.external is not None:
            yield f"{indent}{self._external(function.external)}"
        elif function.body:
            yield f"{indent}algorithm"
            yield from self._code.lines(function.body, indent + STEP)
        notes = list(self._annotations(function))
        if notes:
            yield f"{indent}{STEP}annotation({', '.join(notes)});"
        yield f"{indent}end {name};"

    def _variables(self, function: Function, indent: str) -> Iterator[str]:
        is_protected = False
        local = {Var((variable.name,)) for variable in function.variables}
        for variable in function.variables:
            if (variable.role == "local") is not is_protected:
                is_protected = not is_protected
                yield f"{indent}{'protected' if is_protected else 'public'}"
            yield f"{indent}{STEP}{self._variable(variable, local)};"

    def _variable(self, variable: FunctionVariable, local: set[Var]) -> str:
        role = f"{variable.role} " if variable.role != "local" else ""
        fixed = "constant " if variable.is_constant else ""
        sizes = [":" if d is None else self._texts.expr(d) for d in variable.dims]
        brackets = f"[{', '.join(sizes)}]" if sizes else ""
        default = variable.default
        # A function declared in a component may take defaults from it; calls have them all.
        if default is not None and variable.role == "input" and set(variables_in(default)) - local:
            default = None
        value = f" = {self._texts.expr(default)}" if default is not None else ""
        return f"{fixed}{role}{self._type(variable.type)} {variable.name}{brackets}{value}"

    def _external(self, external: External) -> str:
        result = f"{self._texts.expr(external.result)} = " if external.result is not None else ""
        args = ", ".join(self._texts.expr(arg) for arg in external.args)
        return f"external {quote_string(external.language)} {result}{external.name}({args});"

    def _annotations(self, function: Function) -> Iterator[str]:
        if function.inline:
            yield "Inline = true"
        for derivative in function.derivatives:
            yield self._derivative(derivative)
        for unknown, call in function.inverses:
            yield f"inverse({unknown} = {self._texts.expr(call)})"

    def _derivative(self, derivative: DerivativeInfo) -> str:
        options = [f"order = {derivative.order}"] if derivative.order != 1 else []
        options.extend(f"zeroDerivative = {name}" for name in derivative.zero_derivative)
        options.extend(f"noDerivative = {name}" for name in derivative.no_derivative)
        brackets = f"({', '.join(options)})" if options else ""
        return f"derivative{brackets} = {self._texts.of_class(derivative.function)}"


def _sizes(kind: Type) -> str:
    sizes = [":" if d is None else str(d) for d in kind.dims]
    return f"[{', '.join(sizes)}]" if sizes else ""


def _only_tells_the_form(function: Function) -> bool:
    """Of arguments that are functions: nothing gives its outputs a value."""
    if function.body or function.external or function.partial_derivative_of:
        return False
    return any(v.default is None and Integer(0) not in v.dims for v in function.outputs())
