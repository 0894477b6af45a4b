"""One look over the steps of a section before code is written for them.

What it finds: in which chunk each temporary is made and where else it is used, which outputs of
calls are wanted, and which nodes only Python can evaluate (texts, external objects, functions
handed over).

    scan(chunks, functions).wanted[4]      [Output(2, Var(("tuple", 4))), ...]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from freewheel.backend.llvm_formula import SCALAR_CALLS, is_gathered
from freewheel.base.names import ClassName
from freewheel.formula.nodes import (
    RELATIONS,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.shape import rank
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import STRING, Basic, EnumType, RecordType
from freewheel.program.nodes import Assign, Step
from freewheel.program.share import roots_of

CHAIN = (Index, Field, Output)
PLAIN = frozenset((Real, Integer, Boolean, Literal))
OPAQUE = (
    *(String, FunctionRef, PartialFunction, Colon, Range, Comprehension, Reduction, Iterator),
)
Lookup = Callable[[ClassName], Function | None]


@dataclass(slots=True)
class Scan:
    home: dict[Var, int] = field(default_factory=dict)  # temporary -> the chunk that makes it
    travellers: dict[Var, None] = field(default_factory=dict)  # used in other chunks too
    wanted: dict[Var, list[Expr]] = field(default_factory=dict)  # call result -> paths into it
    calls: dict[Var, Call] = field(default_factory=dict)  # call result -> the call
    aliases: dict[Var, Expr] = field(default_factory=dict)  # temporary -> path it stands for
    whole: set[Var] = field(default_factory=set)  # call results that Python must see as they are
    opaque: set[Expr] = field(default_factory=set)  # not a number
    python: set[Expr] = field(default_factory=set)  # a number, by way of Python


def root_of(node: Expr, aliases: dict[Var, Expr]) -> tuple[Expr, Expr]:
    """(what a path leads into, the path with aliases replaced)."""
    inner = node
    links: list[Expr] = []
    while isinstance(inner, CHAIN) or inner in aliases:
        if isinstance(inner, Var):
            inner = aliases[inner]
            continue
        links.append(inner)
        inner = inner.args[0]
    path = inner
    for link in reversed(links):
        path = link.with_args((path, *link.args[1:]))
    return inner, path


def is_scalar(path: Expr, function: Function | None) -> bool:
    """Does a path into the results of a call end at a number?"""
    links: list[Expr] = []
    while isinstance(path, CHAIN):
        links.append(path)
        path = path.args[0]
    if function is None:
        return True
    number = 1
    if links and isinstance(links[-1], Output):
        number = links.pop().data
    outputs = function.outputs()
    if number > len(outputs):
        return False
    variable = outputs[number - 1]
    scalar, left = variable.type.scalar, rank(variable)
    for link in reversed(links):
        if isinstance(link, Index):
            if not all(isinstance(part, Integer) for part in link.args[1:]):
                return False
            left -= len(link.args) - 1
            continue
        inner = scalar.field(link.data) if isinstance(scalar, RecordType) else None
        if inner is None:
            return False
        scalar, left = inner.scalar, left + len(inner.dims)
    is_number = isinstance(scalar, EnumType) or (isinstance(scalar, Basic) and scalar != STRING)
    return left == 0 and is_number


class _Scanner:
    def __init__(self, functions: Lookup) -> None:
        self.functions = functions
        self.result = Scan()
        self.seen: set[Expr] = set()
        self.chunk = 0

    def step(self, step: Step) -> None:
        for root, _ in roots_of(step):
            self.expr(root)
        if isinstance(step, Assign):
            self.assign(step)

    def assign(self, step: Assign) -> None:
        found, target = self.result, step.target
        kind = target.name[0]
        if kind == "tuple":
            assert isinstance(step.value, Call)
            found.calls[target] = step.value
            found.wanted.setdefault(target, [])
        elif kind == "t":
            found.home[target] = self.chunk
            if step.value in found.opaque:
                found.opaque.add(target)
                if self.leads_into_call(step.value):
                    found.aliases[target] = step.value

    def leads_into_call(self, value: Expr) -> bool:
        root, _ = root_of(value, self.result.aliases)
        return isinstance(root, Var) and root.name[0] == "tuple"

    def expr(self, root: Expr) -> None:
        """Every node that this chunk has not seen yet, children first."""
        seen = self.seen
        stack = [root]
        while stack:
            node = stack[-1]
            if node not in seen:
                pending = [child for child in node.args if child not in seen]
                if pending:
                    stack.extend(pending)
                    continue
                seen.add(node)
                self.node(node)
            stack.pop()
        if not (root in self.result.opaque and self.leads_into_call(root)):
            self.want(root)  # else it becomes an alias

    def node(self, node: Expr) -> None:
        found = self.result
        kind = type(node)
        if kind in PLAIN:
            return
        if isinstance(node, Var):
            head = node.data[0]
            if head == "object":
                found.opaque.add(node)
            elif head == "t" and found.home.get(node, self.chunk) != self.chunk:
                found.travellers[node] = None
            return
        if found.calls and kind not in CHAIN:
            for child in node.args:
                self.want(child)
        if found.opaque or kind not in (Binary, If, Unary):
            self.classify(node)

    def classify(self, node: Expr) -> None:
        found = self.result
        if isinstance(node, OPAQUE):
            found.opaque.add(node)
        elif isinstance(node, Call):
            self.call(node)
        elif isinstance(node, CHAIN):
            if not self.is_number(node):
                found.opaque.add(node)
        elif isinstance(node, Array | Record):
            found.opaque.add(node)
        elif isinstance(node, Binary | If) and any(arg in found.opaque for arg in node.args):
            is_test = isinstance(node, Binary) and node.op in RELATIONS
            (found.python if is_test else found.opaque).add(node)

    def call(self, node: Call) -> None:
        found = self.result
        if not isinstance(node.data, str):
            if not self.is_number(node):
                found.opaque.add(node)
        elif node.data == "String":
            found.opaque.add(node)
        elif is_gathered(node):
            parts = node.args if len(node.args) > 1 else node.args[0].args
            if any(arg in found.opaque for arg in parts):
                found.python.add(node)
        elif node.data not in SCALAR_CALLS or any(arg in found.opaque for arg in node.args):
            found.python.add(node)

    def is_number(self, path: Expr) -> bool:
        root, path = root_of(path, self.result.aliases)
        if isinstance(root, Var):
            call: Expr = self.result.calls.get(root, root)
        else:
            call = root
        if not isinstance(call, Call) or isinstance(call.data, str):
            return False
        return is_scalar(path, self.functions(call.data))

    def want(self, node: Expr) -> None:
        """Remember paths into the results of shared calls, from where they end."""
        if not isinstance(node, CHAIN) and not isinstance(node, Var):
            return
        root, path = root_of(node, self.result.aliases)
        if not isinstance(root, Var) or root.name[0] != "tuple":
            return
        wanted = self.result.wanted.setdefault(root, [])
        if not is_scalar(path, self.functions_of(root)):
            self.result.whole.add(root)
        elif path not in wanted:
            wanted.append(path)

    def functions_of(self, root: Var) -> Function | None:
        name = self.result.calls[root].data
        assert not isinstance(name, str)
        return self.functions(name)


def scan(chunks: Sequence[Iterable[Step]], functions: Lookup, ends: Iterable[Expr] = ()) -> Scan:
    """`ends` are evaluated after the last step (residuals of a loop)."""
    scanner = _Scanner(functions)
    for number, steps in enumerate(chunks):
        scanner.chunk = number
        scanner.seen = set()
        for step in steps:
            scanner.step(step)
    for expr in ends:
        scanner.expr(expr)
    return scanner.result
