"""Steps of a section to functions of about 200 assignments, and the section that calls them.

    derivatives(m)   ->   derivatives_0(m, s), derivatives_1(m, s), ...; are all results finite?

`m` is the memory, `s` a place for temporaries that several of the functions use. Where something
has no value, the section hands the memory to the reference (`llvm_python`), which finds out what is
wrong, or finds the solution by other means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_fields

from freewheel.backend.failures import AGREEMENT
from freewheel.backend.llvm_body import Body, Globals, literal
from freewheel.backend.llvm_formula import Value, Writer
from freewheel.backend.llvm_function import Functions
from freewheel.backend.llvm_kernels import work_size
from freewheel.backend.llvm_place import (
    Kind,
    Native,
    NotCompilable,
    input_kind,
    literal_dims,
    literal_scalars,
    offset_of,
)
from freewheel.backend.llvm_python import ALL_SECTIONS, PythonCalls
from freewheel.backend.llvm_scan import CHAIN, Lookup, Scan, root_of, scan
from freewheel.backend.llvm_values import constant_numbers
from freewheel.backend.table_kernels import TABLE_CALLS, TableCall
from freewheel.base.names import Name
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import (
    Array,
    Call,
    Expr,
    Integer,
    Iterator,
    Output,
    Real,
    Record,
    Var,
)
from freewheel.formula.walk import replace, substitute
from freewheel.program.loop_jacobian import loop_jacobian
from freewheel.program.nodes import (
    Act,
    Assign,
    Check,
    Jump,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
    call_result,
    old_var,
    slot_var,
)
from freewheel.program.written import written_slots

CHUNK = 200
MANY = 16  # constant arguments; more are copied from a table


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
            "i64 @fw_solve(ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, ptr)",
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


def pieces(steps: Sequence[Step]) -> list[list[Step]]:
    """Neighbours together, about `CHUNK` assignments each; a new one before the first action."""
    result: list[list[Step]] = [[]]
    size = 0
    has_acted = False
    for step in steps:
        is_first_action = isinstance(step, Act) and not has_acted
        has_acted = has_acted or is_first_action
        if size >= CHUNK or (is_first_action and result[-1]):
            result.append([])
            size = 0
        result[-1].append(step)
        size += len(step.matrix) if isinstance(step, SolveLinear) else 1
    return result


def with_own_calls(steps: Sequence[Step]) -> list[Step]:
    """A temporary for a part of a call's results gets a step for the call before it."""
    result: list[Step] = []
    for step in steps:
        if (
            isinstance(step, Assign)
            and step.target.name[0] == "t"
            and isinstance(step.value, CHAIN)
        ):
            root, _ = root_of(step.value, {})
            if isinstance(root, Call):
                whole = call_result(-int(step.target.name[1]))
                result.append(Assign(whole, root, step.about, step.guard))
                step = replace_fields(step, value=substitute(step.value, {root: whole}))
        result.append(step)
    return result


class Chain:
    """Steps in order, written as a chain of functions over the same memory."""

    def __init__(self, module: Module, name: str, steps: Sequence[Step], ends: Sequence[Expr] = ()):
        self.module = module
        self.name = name
        self.ends = ends
        self.numbers = {id(step): n for n, step in enumerate(steps) if isinstance(step, Act)}
        self.chunks = pieces(with_own_calls(steps))
        self.scan: Scan = scan(self.chunks, module.functions, ends)
        self.scratch: dict[Expr, int] = {}
        self.scratch_size = 0
        for traveller in self.scan.travellers:
            self.scratch[traveller] = self.reserve(1)
        for paths in self.scan.wanted.values():
            for path in paths:
                self.scratch[path] = self.reserve(1)

    def reserve(self, count: int) -> int:
        place = self.scratch_size
        self.scratch_size += count
        return place

    def write(self) -> list[str]:
        """The names of the functions."""
        names: list[str] = []
        for number, steps in enumerate(self.chunks):
            is_last = number + 1 == len(self.chunks)
            name = f"{self.name}_{number}"
            chunk = _Chunk(self, name)
            for step in steps:
                chunk.step(step)
            if is_last:
                chunk.ends(self.ends)
            chunk.body.finish("ret i64 0")
            names.append(name)
        return names

    def call_all(
        self, body: Body, names: Sequence[str], out: str = "null", memory: str = "%m"
    ) -> None:
        scratch = body.array(self.scratch_size)
        for name in names:
            status = body.new(f"call i64 @{name}(ptr {memory}, ptr {scratch}, ptr {out})")
            body.fail_if(body.new(f"icmp ne i64 {status}, 0"))

    def call_checked(self, body: Body, names: Sequence[str]) -> None:
        """Results must be finite before the first action sees them, and at the end."""
        scratch = body.array(self.scratch_size)
        unchecked: list[Step] = []
        for name, steps in zip(names, self.chunks, strict=True):
            if any(isinstance(step, Act) for step in steps):
                check_finite(body, unchecked)
                unchecked = []
            status = body.new(f"call i64 @{name}(ptr %m, ptr {scratch}, ptr null)")
            body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
            unchecked += steps
        check_finite(body, unchecked)


class _Chunk:
    """Writes steps into one function; is the surroundings of its formulas."""

    def __init__(self, sequence: Chain, name: str) -> None:
        self.sequence = sequence
        self.module = sequence.module
        self.scan = sequence.scan
        self.body = Body(self.module.around, name, "ptr %m, ptr %s, ptr %f")
        self.writer = Writer(self.body, self)
        self.python = self.scan.python

    # ------------------------------------------------------------ names

    def load(self, writer: Writer, node: Var | Iterator) -> Value:
        assert isinstance(node, Var)
        head = node.name[0]
        if isinstance(head, int) or head == "old":
            slot = head if isinstance(head, int) else node.name[1]
            assert isinstance(slot, int)
            return self.body.new(f"load double, ptr {self.body.at('%m', slot)}"), "double"
        if head == "tuple":
            value = self.outside(writer, node)
            assert value is not None
            return value
        place = self.body.at("%s", self.sequence.scratch[node])
        return self.body.new(f"load double, ptr {place}"), "double"

    def outside(self, writer: Writer, node: Expr) -> Value | None:
        if node in self.python:
            return self.by_python(node), "double"
        if isinstance(node, Call) and isinstance(node.data, str):
            return None
        root, path = root_of(node, self.scan.aliases)
        if path in self.sequence.scratch:
            place = self.body.at("%s", self.sequence.scratch[path])
            return self.body.new(f"load double, ptr {place}"), "double"
        if not isinstance(root, Call):
            return self.by_python(node), "double"
        table = self.module.table_call(root)
        if table is not None and node is root:
            return self.by_table(root, *table), "double"
        try:
            return self.by_machine(root, path), "double"
        except NotCompilable:
            return self.by_python(node), "double"

    # ------------------------------------------------------------ functions of the model

    def by_machine(self, call: Call, path: Expr) -> str:
        """A number out of the results of a call; the call is made once where it stays valid."""
        native, given = self.arguments(call)
        offset = offset_of(path, native)
        known = self.writer.known.get(Output(0, call))
        if known is None:
            known = self.body.array(native.output_size), "ptr"
            self.call_native(native, given, known[0])
            self.writer.know(Output(0, call), known)
        return self.body.new(f"load double, ptr {self.body.at(known[0], offset)}")

    def by_table(self, call: Call, known: TableCall, args: list[Expr]) -> str:
        """A lookup in a table; where the object is no table for kernels, by way of Python."""
        body = self.body
        number = args[0].data[1]
        given = [self.writer.number(arg) for arg in args[1:]]
        place = body.new("load ptr, ptr @tables")
        row = body.new(f"load ptr, ptr {body.at(place, number)}")
        slow, quick, after = body.label("slow"), body.label("quick"), body.label("after")
        body.branch(body.new(f"icmp eq ptr {row}, null"), slow, quick)
        body.begin(slow)
        mark = len(self.writer.journal)
        sides = [(self.by_python(call), body.block)]
        self.writer.undo(mark)
        body.jump(after)
        body.begin(quick)
        sides.append((self.looked_up(row, known, given), body.block))
        body.jump(after)
        body.begin(after)
        listed = ", ".join(f"[ {operand}, %{block} ]" for operand, block in sides)
        return body.new(f"phi double {listed}")

    def looked_up(self, row: str, known: TableCall, given: list[str]) -> str:
        body, writer = self.body, self.writer
        out = body.buffer("found", 3)
        types = ", ".join("double" for _ in range(known.arguments))
        body.around.declare(f"i64 @{known.kernel}(ptr, {types}, ptr)")
        listed = ", ".join(f"double {operand}" for operand in given[: known.arguments])
        status = body.new(f"call i64 @{known.kernel}(ptr {row}, {listed}, ptr {out})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
        value, slope, bend = (
            body.new(f"load double, ptr {body.at(out, position)}") for position in range(3)
        )
        changes = given[known.arguments :]
        if not changes:
            return value
        moved = writer.operation("fmul", slope, changes[-1])
        if len(changes) == 1:
            return moved
        square = writer.operation("fmul", changes[0], changes[0])
        return writer.operation("fadd", writer.operation("fmul", bend, square), moved)

    def arguments(self, call: Call) -> tuple[Native, list[Expr]]:
        """The compiled function for a call, and the scalars to hand over."""
        assert not isinstance(call.data, str)
        function = self.module.functions(call.data)
        if function is None or len(function.inputs()) != len(call.args):
            raise NotCompilable(str(call.data))
        kinds: list[Kind] = []
        scalars: list[Expr] = []
        for variable, arg in zip(function.inputs(), call.args, strict=True):
            kinds.append(input_kind(variable, literal_dims(arg)))
            scalars += literal_scalars(arg, kinds[-1])
        if any(scalar in self.scan.opaque for scalar in scalars):
            raise NotCompilable(str(call.data))
        numbers = constant_numbers(function, call)
        return self.module.natives.native(call.data, tuple(kinds), numbers), scalars

    def call_native(self, native: Native, given: list[Expr], out: str) -> None:
        body = self.body
        if len(given) > MANY and all(isinstance(part, Real | Integer) for part in given):
            buffer = body.around.floats(tuple(float(part.data) for part in given))
        else:
            operands = [self.writer.number(part) for part in given]
            buffer = body.buffer("in", len(given))
            for position, operand in enumerate(operands):
                body.add(f"store double {operand}, ptr {body.at(buffer, position)}")
        status = body.new(f"call i64 @{native.name}(ptr {buffer}, ptr {out})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))

    # ------------------------------------------------------------ by way of Python

    def by_python(self, node: Expr) -> str:
        """The number that a formula gives, computed by Python from the numbers in it."""
        text, given = self.piece_text(node)
        number = self.module.calls.add_values([f"float({text})"], len(given))
        out = self.body.buffer("out", 1)
        self.call_piece(number, given, out)
        return self.body.new(f"load double, ptr {out}")

    def piece_text(self, node: Expr) -> tuple[str, list[str]]:
        """Python text over `a[0], a[1], ...`, and the operands to put there."""
        parts: dict[Expr, int] = {}

        def visit(part: Expr) -> Expr | None:
            if part is node or not self.is_plain_number(part):
                return None
            return Var(("arg", parts.setdefault(part, len(parts))))

        text = self.module.calls.of(replace(_without_aliases(node, self.scan), visit))
        return text, [self.writer.number(part) for part in parts]

    def is_plain_number(self, node: Expr) -> bool:
        """Can the machine compute it, and is it worth handing over?"""
        if node in self.scan.opaque or node in self.python or isinstance(node, Array | Record):
            return False
        if isinstance(node, Var):
            return node.name[0] not in ("object", "arg") and not self.is_held(node)
        if isinstance(node, CHAIN):
            _, path = root_of(node, self.scan.aliases)
            return path in self.sequence.scratch
        return bool(node.args) and not (isinstance(node, Call) and not isinstance(node.data, str))

    def is_held(self, node: Var) -> bool:
        return node.name[0] == "tuple" and node not in self.sequence.scratch

    def call_piece(self, number: int, given: list[str], out: str) -> None:
        buffer = self.body.buffer("in", len(given))
        for position, operand in enumerate(given):
            self.body.add(f"store double {operand}, ptr {self.body.at(buffer, position)}")
        status = self.module.call_python(self.body, number, buffer, out)
        self.body.fail_if(self.body.new(f"icmp ne i64 {status}, 0"))

    # ------------------------------------------------------------ steps

    def store(self, slot: int, operand: str) -> None:
        self.body.add(f"store double {operand}, ptr {self.body.at('%m', slot)}")
        for name in (slot_var(slot), old_var(slot)):
            self.writer.know(name, (operand, "double"))

    def step(self, step: Step) -> None:
        match step:
            case Assign():
                self.assign(step)
            case SetStatus():
                self.status(step)
            case SolveLinear():
                self.linear(step)
            case SolveNonlinear():
                self.nonlinear(step)
            case Check():
                self.check(step)
            case Jump():
                self.jump(step)
            case Act():
                self.act(step)

    def ends(self, exprs: Sequence[Expr]) -> None:
        """Residuals of a loop."""
        for position, expr in enumerate(exprs):
            operand = self.writer.number(expr)
            self.body.add(f"store double {operand}, ptr {self.body.at('%f', position)}")

    def assign(self, step: Assign) -> None:
        target = step.target
        kind = target.name[0]
        if target in self.scan.aliases:
            return
        if kind in ("tuple", "object") or target in self.scan.opaque:
            self.when(step.guard, lambda: self.hold(step))
            return
        value = self.guarded(step)
        if isinstance(kind, int):
            self.store(kind, self.writer.as_number(value))
            return
        self.writer.know(target, value)
        if target in self.sequence.scratch:
            place = self.body.at("%s", self.sequence.scratch[target])
            self.body.add(f"store double {self.writer.as_number(value)}, ptr {place}")

    def guarded(self, step: Assign) -> Value:
        writer = self.writer
        if step.guard is None:
            return writer.value(step.value)
        nothing = literal(0.0)
        if writer.is_heavy(step.value):
            return writer.choose(
                step.guard, lambda: writer.value(step.value), lambda: (nothing, "double")
            )
        test, value = writer.truth(step.guard), writer.number(step.value)
        return self.body.new(f"select i1 {test}, double {value}, double {nothing}"), "double"

    def when(self, guard: Expr | None, action: object) -> None:
        """Do something where the guard holds."""
        assert callable(action)
        if guard is None:
            action()
            return
        yes, after = self.body.label("yes"), self.body.label("after")
        self.body.branch(self.writer.truth(guard), yes, after)
        self.body.begin(yes)
        mark = len(self.writer.journal)
        action()
        self.writer.undo(mark)
        self.body.jump(after)
        self.body.begin(after)

    def hold(self, step: Assign) -> None:
        """All outputs of a call."""
        table = self.module.table_call(step.value) if isinstance(step.value, Call) else None
        if table is not None and step.target in self.sequence.scratch:
            assert isinstance(step.value, Call)
            operand = self.by_table(step.value, *table)
            place = self.body.at("%s", self.sequence.scratch[step.target])
            self.body.add(f"store double {operand}, ptr {place}")
            return
        if step.target.name[0] == "tuple" and step.target not in self.scan.whole:
            try:
                self.hold_natively(step)
                return
            except NotCompilable:
                pass  # then by way of Python
        self.hold_in_python(step)

    def hold_natively(self, step: Assign) -> None:
        assert isinstance(step.value, Call)
        native, given = self.arguments(step.value)
        paths = self.scan.wanted.get(step.target, [])
        offsets = [offset_of(path, native) for path in paths]
        base = self.sequence.reserve(native.output_size)
        for path, offset in zip(paths, offsets, strict=True):
            self.sequence.scratch[path] = base + offset
        self.call_native(native, given, self.body.at("%s", base))

    def hold_in_python(self, step: Assign) -> None:
        """A value that stays in Python; the numbers in it that are wanted come over."""
        text, given = self.piece_text(step.value)
        kind, number = step.target.name[0], step.target.name[1]
        if kind == "tuple":
            assert text.endswith("[0]"), text
            before = f"held[{number}] = {text[:-3]}"
        else:
            before = f"{'objects' if kind == 'object' else 'held'}[{number}] = {text}"
            if kind == "object":
                before += f"; publish({number})"
        paths = self.scan.wanted.get(step.target, [])
        results = [f"float({self.module.calls.of(path)})" for path in paths]
        piece = self.module.calls.add_values(results, len(given), before)
        out = self.body.at("%s", self.sequence.scratch[paths[0]]) if paths else "null"
        self.call_piece(piece, given, out)

    def status(self, step: SetStatus) -> None:
        body = self.body
        residual = self.writer.number(step.residual)
        old = body.new(f"load double, ptr {body.at('%m', step.slot)}")
        above = body.new(f"fcmp ogt double {residual}, 0.0")
        below = body.new(f"fcmp olt double {residual}, 0.0")
        lower = body.new(f"select i1 {below}, double {literal(-1.0)}, double {old}")
        new = body.new(f"select i1 {above}, double {literal(1.0)}, double {lower}")
        self.store(step.slot, new)

    def linear(self, step: SolveLinear) -> None:
        size = len(step.slots)
        if size == 1:
            self.divide(step)
            return
        body = self.body
        matrix, right = body.array(size * size), body.array(size)
        found, work = body.array(size), body.array(3 * size * size + 2 * size)
        entries = [(r * size + c, self.writer.number(e)) for r, c, e in step.matrix]
        rights = [self.writer.number(e) for e in step.right]
        body.around.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        body.add(
            f"call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * size * size}, i1 false)"
        )
        for position, operand in entries:
            body.add(f"store double {operand}, ptr {body.at(matrix, position)}")
        for position, operand in enumerate(rights):
            body.add(f"store double {operand}, ptr {body.at(right, position)}")
        for position, slot in enumerate(step.slots):
            old = body.new(f"load double, ptr {body.at('%m', slot)}")
            body.add(f"store double {old}, ptr {body.at(found, position)}")
        status = body.new(
            f"call i64 @fw_linear(i64 {size}, ptr {matrix}, ptr {right}, ptr {found}, ptr {work})"
        )
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
        for position, slot in enumerate(step.slots):
            self.store(slot, body.new(f"load double, ptr {body.at(found, position)}"))

    def divide(self, step: SolveLinear) -> None:
        """One equation; `0*x = 0` leaves x as it was, `0*x = 1` has no value."""
        body, slot = self.body, step.slots[0]
        factor = self.writer.number(step.matrix[0][2]) if step.matrix else literal(0.0)
        right = self.writer.number(step.right[0])
        old = body.new(f"load double, ptr {body.at('%m', slot)}")
        is_zero = body.new(f"fcmp oeq double {factor}, 0.0")
        misfits = body.new(f"fcmp une double {right}, 0.0")
        body.fail_if(body.new(f"and i1 {is_zero}, {misfits}"))
        quotient = body.new(f"fdiv double {right}, {factor}")
        self.store(slot, body.new(f"select i1 {is_zero}, double {old}, double {quotient}"))

    def nonlinear(self, step: SolveNonlinear) -> None:
        module, body, size = self.module, self.body, len(step.slots)
        module.loops += 1
        name = f"residual_{module.loops}"
        inner = Chain(module, name, step.inner, step.residuals)
        driver = Body(module.around, name, "ptr %m, ptr %f")
        inner.call_all(driver, inner.write(), "%f")
        driver.finish("ret i64 0")
        around = module.around
        slots, starts = around.integers(step.slots), around.floats(step.starts)
        nominals = around.floats(step.nominals)
        work = body.array(work_size(size))
        jacobian = self.loop_jacobian(step, f"slopes_{module.loops}")
        given = "ptr null, i64 0" if jacobian is None else f"ptr @{jacobian}, i64 1"
        status = body.new(
            f"call i64 @fw_solve(ptr @{name}, {given}, i64 {size}, ptr %m, ptr {slots}, "
            f"ptr {starts}, ptr {nominals}, ptr {work})"
        )
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
        changed = written_slots([step])
        self.writer.forget([make(slot) for make in (slot_var, old_var) for slot in changed])

    def loop_jacobian(self, step: SolveNonlinear, name: str) -> str | None:
        """The function with the derivatives of a loop's residuals; None: take differences."""
        module = self.module
        made = loop_jacobian(step, module.derivatives)
        if made is None:
            return None
        before = len(module.calls.sources)
        chain = Chain(module, name, made.steps, made.entries)
        driver = Body(module.around, name, "ptr %m, ptr %f")
        chain.call_all(driver, chain.write(), "%f")
        driver.finish("ret i64 0")
        if len(module.calls.sources) > before:  # Python does not know the made functions
            del module.calls.sources[before:], module.calls.counts[before:]
            return None
        return name

    def check(self, step: Check) -> None:
        body, writer = self.body, self.writer
        left, right = writer.number(step.left), writer.number(step.right)
        difference = writer.library("llvm.fabs.f64", writer.operation("fsub", left, right))[0]
        sizes = [writer.library("llvm.fabs.f64", part)[0] for part in (left, right)]
        size = writer.operation("fadd", literal(1.0), writer.extreme("max", *sizes))
        limit = writer.operation("fmul", literal(AGREEMENT), size)
        body.fail_if(body.new(f"fcmp ugt double {difference}, {limit}"))

    def jump(self, step: Jump) -> None:
        def set_values() -> None:
            for slot, operand in (
                (step.flag, literal(1.0)),
                (step.new, self.writer.number(step.value)),
            ):
                self.body.add(f"store double {operand}, ptr {self.body.at('%m', slot)}")

        self.when(step.guard, set_values)

    def act(self, step: Act) -> None:
        if step.kind == "call":
            self.when(step.guard, lambda: self.call(step))
            return
        self.when(step.guard, lambda: self.speak(step))

    def call(self, step: Act) -> None:
        assert step.value is not None
        text, given = self.piece_text(step.value)
        piece = self.module.calls.add_values([], len(given), text)
        self.call_piece(piece, given, "null")

    def speak(self, step: Act) -> None:
        section, number = self.sequence.name, self.sequence.numbers[id(step)]
        piece = self.module.calls.add_action(section, number, step.kind, step.message)
        body = self.body

        def say() -> None:
            status = self.module.call_python(body, piece, "%m", "null")
            body.fail_if(body.new(f"icmp ne i64 {status}, 0"))

        if step.kind == "terminate":
            say()
            return
        assert step.value is not None
        yes, after = body.label("broken"), body.label("after")
        body.branch(self.writer.truth(step.value), after, yes)
        body.begin(yes)
        say()
        body.jump(after)
        body.begin(after)


def _without_aliases(node: Expr, found: Scan) -> Expr:
    def visit(part: Expr) -> Expr | None:
        if part in found.aliases:
            assert isinstance(part, Var)
            return _without_aliases(found.aliases[part], found)
        return None

    return replace(node, visit) if found.aliases else node


def check_finite(body: Body, steps: Sequence[Step]) -> None:
    for first, stop in _groups(steps):
        place = body.at("%m", first)
        status = body.new(f"call i64 @fw_not_finite(i64 {stop - first}, ptr {place})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))


def write_section(module: Module, name: str, steps: Sequence[Step], before: str = "") -> None:
    """A section as `int64 name(double* m)`; `before` names a function to call first."""
    body = Body(module.around, name, "ptr %m")
    if before:
        body.add(f"call void @{before}(ptr %m)")
    if steps:
        sequence = Chain(module, name, steps)
        sequence.call_checked(body, sequence.write())
    if not body.may_fail:
        body.finish("ret i64 0")
        return
    body.add("ret i64 0")
    body.may_fail = False  # instead of leaving with status 1, the reference is asked
    body.begin("fail")
    status = module.call_python(body, ALL_SECTIONS.index(name), "%m", "null")
    body.finish(f"ret i64 {status}")


def write_simplified_start(module: Module, started: int, size: int) -> str:
    """The guess that `simplified` makes, once; should it fail, the memory stays as it was."""
    around = module.around
    around.declare("void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    saved = around.working_array(size)
    body = Body(around, "start_simplified", "ptr %m", "void")
    flag = body.at("%m", started)
    body.branch(
        body.new(f"fcmp une double {body.new(f'load double, ptr {flag}')}, 0.0"), "end", "go"
    )
    body.begin("go")
    body.add(f"store double {literal(1.0)}, ptr {flag}")
    copy = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)"
    body.add(copy.format(saved, "%m", 8 * size))
    status = body.new("call i64 @simplified(ptr %m)")
    body.branch(body.new(f"icmp ne i64 {status}, 0"), "back", "end")
    body.begin("back")
    body.add(copy.format("%m", saved, 8 * size))
    body.jump("end")
    body.begin("end")
    body.finish("ret void")
    return "start_simplified"


def _groups(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Slots a section writes, exactly, neighbours together."""
    result: list[tuple[int, int]] = []
    for slot in sorted(written_slots(steps)):
        if result and slot == result[-1][1]:
            result[-1] = (result[-1][0], slot + 1)
        else:
            result.append((slot, slot + 1))
    return result
