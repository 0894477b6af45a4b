"""Steps of a section to functions of about 200 assignments, and the section that calls them.

    derivatives(m)   ->   derivatives_0(m, s), derivatives_1(m, s), ...; are all results finite?

`m` is the memory, `s` a place for temporaries that several of the functions use. Where something
has no value, the section hands the memory to the reference (`llvm_python`), which finds out what is
wrong, or finds the solution by other means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_fields

from freewheel.backend.llvm_body import Body, literal
from freewheel.backend.llvm_chunk import Chunk
from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_python import ALL_SECTIONS
from freewheel.backend.llvm_scan import CHAIN, Scan, root_of, scan
from freewheel.backend.llvm_watch import unwatched
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.walk import substitute
from freewheel.program.nodes import Act, Assign, SolveLinear, Step
from freewheel.program.written import written_slots

CHUNK = 200


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
                whole = Var(("tuple", f"'{step.target.name[1]}'"))  # a name that none else has
                result.append(Assign(whole, root, step.about, step.guard))
                step = replace_fields(step, value=substitute(step.value, {root: whole}))
        result.append(step)
    return result


class Chain:
    """Steps in order, written as a chain of functions over the same memory."""

    def __init__(
        self,
        module: Module,
        name: str,
        steps: Sequence[Step],
        ends: Sequence[Expr] = (),
        is_checked: bool = False,
    ):
        """`is_checked`: fail where a result is not finite."""
        self.module = module
        self.is_checked = is_checked
        self.unwatched = unwatched(steps) if is_checked else frozenset()
        self.left: list[set[int]] = []  # per function: slots to look at afterwards
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
            chunk = Chunk(self, name)
            for step in steps:
                chunk.step(step)
            if is_last:
                chunk.ends(self.ends)
            chunk.finish()
            self.left.append(written_slots(steps) - chunk.looked_at - self.unwatched)
            names.append(name)
        return names

    def nested(self, name: str, steps: Sequence[Step], ends: Sequence[Expr]) -> None:
        """Steps of a loop as a function of their own: `int64 name(double* m, double* results)`."""
        chain = Chain(self.module, name, steps, ends)
        body = Body(self.module.around, name, "ptr %m, ptr %f")
        chain.call_all(body, chain.write(), "%f")
        body.finish("ret i64 0")

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
        unchecked: set[int] = set()
        for name, steps, left in zip(names, self.chunks, self.left, strict=True):
            if any(isinstance(step, Act) for step in steps):
                check_finite(body, unchecked)
                unchecked = set()
            status = body.new(f"call i64 @{name}(ptr %m, ptr {scratch}, ptr null)")
            body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
            unchecked |= left
        check_finite(body, unchecked)


def check_finite(body: Body, slots: set[int]) -> None:
    for first, stop in _groups(slots):
        place = body.at("%m", first)
        status = body.new(f"call i64 @fw_not_finite(i64 {stop - first}, ptr {place})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))


def write_section(
    module: Module, name: str, steps: Sequence[Step], before: str = "", is_helped: bool = True
) -> None:
    """A section as `int64 name(double* m)`; `before` names a function to call first. Unless
    `is_helped`, a failure is no matter for the reference."""
    body = Body(module.around, name, "ptr %m")
    if before:
        body.add(f"call void @{before}(ptr %m)")
    if steps:
        sequence = Chain(module, name, steps, is_checked=True)
        sequence.call_checked(body, sequence.write())
    if not body.may_fail or not is_helped:
        body.finish("ret i64 0")
        return
    body.add("ret i64 0")
    body.may_fail = False  # instead of leaving with status 1, the reference is asked
    body.begin("fail")
    follow = module.calls.program.follow
    if follow >= 0:
        _leave_if_lost(body, follow)
    status = module.call_python(body, ALL_SECTIONS.index(name), "%m", "null")
    body.finish(f"ret i64 {status}")


def _leave_if_lost(body: Body, follow: int) -> None:
    """A loop that lost its branch makes the step shorter; the reference could not do more."""
    mode, lost = (body.new(f"load double, ptr {body.at('%m', follow + k)}") for k in (0, 1))
    is_followed = body.new(f"fcmp une double {mode}, 0.0")
    is_lost = body.new(f"fcmp une double {lost}, 0.0")
    leave, ask = body.label("lost"), body.label("ask")
    body.branch(body.new(f"and i1 {is_followed}, {is_lost}"), leave, ask)
    body.begin(leave)
    body.add("ret i64 1")
    body.begin(ask)


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


def _groups(slots: set[int]) -> list[tuple[int, int]]:
    """First and one past the last of neighbours."""
    result: list[tuple[int, int]] = []
    for slot in sorted(slots):
        if result and slot == result[-1][1]:
            result[-1] = (result[-1][0], slot + 1)
        else:
            result.append((slot, slot + 1))
    return result
