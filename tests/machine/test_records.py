"""Records: a kernel does the same to them run by CPython and compiled, and a memory can be saved."""

import ctypes
import subprocess
import sys
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import pytest

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints, Section
from freewheel.machine.memory import Closure, Memory, address_of, bind, memory_of
from freewheel.machine.records import Records, array, record, record_type

module = KernelModule("test records")


@dataclass(frozen=True, slots=True)
class Limits:
    growth: float
    rounds: int


LIMITS = Limits(growth=1.5, rounds=3)


class Status(IntEnum):
    FINE = 7
    LATE = 9


@record
class Valve:
    index: Int
    size: Int
    gain: Float
    lu: Floats = array("size * size")


@record
class Tank:
    n: Int
    count: Int
    t: Float
    y: Floats = array("n")
    visits: Ints = array("count + 1")
    modes: Records[Valve] = array("count")
    present: Valve
    rhs: Section
    rows: Floats = array("n", outside=True)


@module.kernel
def advance(tank: Tank, h: Float) -> Int:
    mode = tank.present
    for i in range(tank.n):
        tank.y[i] += h * mode.gain * tank.y[i] + LIMITS.growth
    tank.t += h
    for m in range(tank.count):
        tank.modes[m].index += m
        tank.modes[m].lu[0] = tank.modes[m].gain * tank.t
        tank.visits[m] += 1
    if tank.rhs(tank.y) != 0:
        return Status.LATE
    store(tank)
    return Status.FINE if tank.visits[0] < LIMITS.rounds else Status.LATE


@module.kernel
def store(tank: Tank) -> None:
    for i in range(tank.n):
        tank.rows[i] = tank.y[i]


@module.kernel
def halve(y: Floats) -> Int:
    y[0] *= 0.5
    return 0


@module.kernel
def beyond(tank: Tank) -> Float:
    return tank.y[tank.n]


@record
class Rule:
    apply: Function
    weight: Float
    first: Int


@record
class Rules:
    n: Int
    total: Float
    tanks: Records[Valve] = array("n")
    listed: Records[Rule] = array("n")
    table: Ints = array("2 * n")


@module.kernel
def twice(table: Ints, modes: Records[Valve], t: Float) -> Int:
    modes[table[0]].gain += 2.0 * t
    return 0


@module.kernel
def thrice(table: Ints, modes: Records[Valve], t: Float) -> Int:
    modes[table[1]].gain += 3.0 * t
    return 5


@module.kernel
def apply_rules(rules: Rules, t: Float) -> Int:
    failed = 0
    for i in range(rules.n):
        rule = rules.listed[i]
        failed += rule.apply(rules.table[rule.first :], rules.tanks, t)
        rules.total += rule.weight * rules.tanks[i].gain
    return failed


def ruled(checked=False):
    memory = Memory(checked)
    rules = memory.new(Rules, n=3, table=[0, 1, 1, 2, 2, 0])
    rules.listed.column("weight")[:] = [1.0, 10.0, 100.0]
    rules.listed.column("first")[:] = [0, 2, 4]
    for number, name in enumerate(("twice", "thrice", "twice")):
        rules.listed[number].apply = (module.address(name), module.kernels[name])
    return memory, rules


def built(checked=False, n=4):
    memory = Memory(checked)
    tank = memory.new(Tank, n=n, count=2, t=0.25, y=np.arange(1.0, n + 1.0))
    for size, mode in enumerate(tank.modes, 2):
        memory.lay_out(mode, size=size, gain=0.1 * size)
    tank.present = tank.modes[1]
    tank.rhs = (module.address("halve"), halve)
    tank.rows = np.zeros(n)
    return memory, tank


def test_compiled_and_in_cpython_records_end_with_the_same_bits():
    (plain, by_python), (fast, compiled) = built(checked=True), built()
    run = module.callable("advance")

    codes = [(advance(by_python, 0.125), run(address_of(compiled), 0.125)) for _ in range(4)]

    assert codes == [(Status.FINE, 7), (Status.FINE, 7), (Status.LATE, 9), (Status.LATE, 9)]
    assert plain.save() == fast.save()
    assert by_python.rows.tolist() == compiled.rows.tolist() == compiled.y.tolist()
    assert compiled.modes[1].index == 4
    assert compiled.modes[0].lu[0] == compiled.modes[0].gain * compiled.t


def test_each_record_of_an_array_has_its_own_function():
    (plain, by_python), (fast, compiled) = ruled(checked=True), ruled()

    failed = apply_rules(by_python, 0.1), module.callable("apply_rules")(address_of(compiled), 0.1)

    assert failed == (5, 5)
    assert plain.save() == fast.save()
    assert [tank.gain for tank in compiled.tanks] == [0.2, 0.0, pytest.approx(0.5)]
    assert compiled.total == pytest.approx(50.2)
    twin = fast.copy().first(Rules)
    assert apply_rules(twin, 0.1) == 5
    assert twin.total == pytest.approx(150.6)


def test_a_column_is_one_field_of_all_records():
    _, rules = ruled()

    rules.listed.column("apply")[:] = module.address("thrice")
    assert module.callable("apply_rules")(address_of(rules), 0.5) == 15
    assert rules.tanks.column("gain").tolist() == [1.5, 1.5, 1.5]
    with pytest.raises(AssertionError, match="neither a number nor a function"):
        rules.tanks.column("lu")


def test_an_array_of_records_has_an_end():
    _, rules = ruled()

    for index in (-1, 3):
        with pytest.raises(IndexError):
            rules.listed[index]


def test_cpython_calls_machine_code_where_there_is_nothing_else():
    (plain, by_python), (fast, compiled) = ruled(checked=True), ruled()
    for rule, name in zip(by_python.listed, ("twice", "thrice", "twice"), strict=True):
        rule.apply = module.address(name)
    module.callable("apply_rules")(address_of(compiled), 0.25)

    assert apply_rules(by_python, 0.25) == 5
    assert plain.save() == fast.save()
    by_python.listed[0].apply = 0
    with pytest.raises(AssertionError, match="no function"):
        apply_rules(by_python, 0.1)


def test_an_index_out_of_bounds_is_noticed_in_cpython():
    _, tank = built(checked=True)

    with pytest.raises(IndexError):
        beyond(tank)
    for numbers in (tank.y, tank.rows):
        with pytest.raises(IndexError, match="negative"):
            numbers[-1]


def test_arrays_have_the_length_that_fields_say():
    _, tank = built()

    assert (len(tank.y), len(tank.visits), len(tank.modes)) == (4, 3, 2)
    assert [len(mode.lu) for mode in tank.modes] == [4, 9]


def test_two_memories_do_not_share_anything():
    (_, one), (_, other) = built(), built()
    advance(one, 0.5)

    assert other.t == 0.25
    assert other.y.tolist() == [1.0, 2.0, 3.0, 4.0]


def test_a_copy_goes_its_own_way_from_the_same_point():
    memory, tank = built()
    advance(tank, 0.125)
    twin = memory.copy()
    other = twin.first(Tank)
    other.rows = np.zeros(4)
    ends = [module.callable("advance")(address_of(one), 0.5) for one in (tank, other)]

    assert ends == [Status.FINE, Status.FINE]
    assert memory.save() == twin.save()
    advance(other, 0.5)
    assert memory.save() != twin.save()


def test_memories_begin_with_frozen_contents():
    memory, tank = built()
    advance(tank, 0.125)
    frozen, before = memory.frozen(), memory.save()
    advance(tank, 0.5)
    twins = [Memory.of(frozen).first(Tank) for _ in range(2)]
    for twin in twins:
        assert memory_of(twin).save() == before
        twin.rows = np.zeros(4)
    ends = [module.callable("advance")(address_of(twins[0]), 0.5), advance(twins[1], 0.5)]

    assert ends == [Status.FINE, Status.FINE]
    assert [memory_of(twin).save() for twin in twins] == [memory.save()] * 2
    assert Memory.of(frozen).save() == before


def test_frozen_contents_grow_in_the_memory_that_begins_with_them():
    memory, tank = built()
    other = Memory.of(memory.frozen())
    copy = other.first(Tank)
    other.resize(copy.modes[0], size=200)

    assert len(copy.modes[0].lu) == 200 * 200
    assert len(tank.modes[0].lu) == 4
    assert memory.save() != other.save()


def test_growth_keeps_what_is_there_and_moves_nothing_else():
    memory, tank = built()
    y = tank.y
    mode = tank.modes[0]
    mode.lu[:] = [1.0, 2.0, 3.0, 4.0]
    memory.resize(mode, size=200)

    assert mode.lu.tolist() == [1.0, 2.0, 3.0, 4.0] + [0.0] * (200 * 200 - 4)
    y[0] = 11.0
    assert tank.y[0] == 11.0
    image = memory.save()
    assert Memory.restore(image).first(Tank).modes[0].lu[3] == 4.0


@record
class Queue:
    room: Int
    modes: Records[Valve] = array("room")


@record
class Farm:
    count: Int
    tanks: Records[Tank] = array("count")


def test_an_array_of_records_grows_with_what_they_refer_to():
    memory = Memory(checked=True)
    queue = memory.new(Queue, room=2)
    memory.lay_out(queue.modes[1], size=1, gain=2.5)
    queue.modes[1].lu[0] = 7.0
    memory.resize(queue, room=5)

    assert [mode.gain for mode in queue.modes] == [0.0, 2.5, 0.0, 0.0, 0.0]
    assert queue.modes[1].lu.tolist() == [7.0]
    assert memory.rows(queue.modes).shape == (5, len(record_type(Valve).fields))
    assert Memory.restore(memory.save()).first(Queue).modes[1].lu[0] == 7.0


def test_records_that_call_functions_stay_where_they_are():
    memory = Memory()
    farm = memory.new(Farm, count=1)

    with pytest.raises(AssertionError, match="cannot be moved"):
        memory.resize(farm, count=2)


def test_an_image_is_restored_in_another_process():
    memory, tank = built()
    advance(tank, 0.125)
    script = f"""
import sys
sys.path.insert(0, {str(__file__.rpartition("/")[0])!r})
import test_records as own
memory = own.Memory.restore(sys.stdin.buffer.read())
tank = memory.first(own.Tank)
tank.rhs = (own.module.address("halve"), own.halve)
tank.rows = own.np.zeros(4)
own.module.callable("advance")(own.address_of(tank), 0.5)
sys.stdout.buffer.write(memory.save())
"""
    run = [sys.executable, "-c", script]
    done = subprocess.run(run, input=memory.save(), capture_output=True, check=True)
    module.callable("advance")(address_of(tank), 0.5)

    assert done.stdout == memory.save()


def test_the_struct_is_declared_as_written():
    text = module.text()

    assert "%Valve = type { i64, i64, double, ptr }" in text
    assert record_type(Tank).fields["rhs"].is_constant
    assert not record_type(Tank).fields["t"].is_constant


def refused(function):
    other = KernelModule("refused")
    other.kernel(function)
    with pytest.raises(TypeError) as told:
        other.text()
    return str(told.value)


def test_what_a_kernel_may_not_do_is_said():
    def unknown(tank: Tank) -> None:
        tank.missing = 1.0

    def longer(tank: Tank) -> None:
        tank.n = 5

    def other(tank: Tank) -> None:
        tank.modes[0] = tank.modes[1]

    def number(tank: Tank) -> None:
        tank.t.x = 1.0

    assert "Tank has no field missing" in refused(unknown)
    assert "no references, functions and lengths" in refused(longer)
    assert "not assigned as a whole" in refused(other)
    assert "not a record" in refused(number)


def test_two_records_of_one_name_are_refused():
    with pytest.raises(AssertionError, match="two records"):

        @record
        class Valve:
            n: Int


def test_machine_code_is_found_again_only_for_the_same_constants(monkeypatch):
    before = module.key()
    monkeypatch.setitem(advance.__globals__, "LIMITS", Limits(growth=2.0, rounds=3))

    assert module.key() != before


@record
class Spring:
    stiffness: Float
    calls: Int


@module.kernel
def pull(m: Floats, spring: Spring) -> Int:
    """A section with a record of its own."""
    spring.calls += 1
    m[1] = -spring.stiffness * m[0]
    return 0


@module.kernel
def pull_twice(tank: Tank, m: Floats) -> Int:
    return tank.rhs(m) + tank.rhs(m)


@pytest.mark.parametrize("way", ["cpython", "compiled"])
def test_a_section_gets_the_record_it_works_on(way):
    memory = Memory(checked=True)
    tank = memory.new(Tank, n=1, count=0)
    spring = memory.new(Spring, stiffness=3.0)
    bind(tank, rhs=Closure(spring, module.address("pull"), pull))
    m = np.array([2.0, 0.0])

    for each in (memory, memory.copy()):  # a copy has a spring of its own
        own = each.first(Tank)
        if way == "cpython":
            assert pull_twice(own, m) == 0
        else:
            assert module.callable("pull_twice")(address_of(own), m.ctypes.data) == 0

        assert m.tolist() == [2.0, -6.0]
        assert each.first(Spring).calls == 2


@record
class Shelf:
    room: Int
    books: Floats = array("room", moves=True)
    n: Int
    marks: Floats = array("n")
    grow: Function


@module.kernel
def put_two(shelf: Shelf) -> Float:
    """Between two books Python makes the shelf longer."""
    shelf.books[shelf.room - 1] = 1.0
    if shelf.grow(2 * shelf.room) != 0:
        return -1.0
    shelf.books[shelf.room - 1] = 2.0
    return shelf.books[0] + 10.0 * shelf.books[shelf.room - 1]


@pytest.mark.parametrize("way", ["cpython", "compiled"])
def test_an_array_moves_while_a_kernel_waits(way):
    memory = Memory(checked=True)
    shelf = memory.new(Shelf, room=1)

    def grow(room):
        memory.resize(shelf, room=room)
        return 0

    callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(grow)
    bind(shelf, grow=(ctypes.cast(callback, ctypes.c_void_p).value, grow))
    if way == "cpython":
        assert put_two(shelf) == 21.0
    else:
        assert module.callable("put_two")(address_of(shelf)) == 21.0

    assert list(shelf.books) == [1.0, 2.0]


def test_only_arrays_that_move_are_asked_for_again():
    fields = record_type(Shelf).fields
    lasting = {name for name, field in fields.items() if field.is_invariant}

    assert lasting == {"n", "marks", "grow"}
    assert all(fields[name].is_constant for name in ("room", "books", "n", "marks", "grow"))


@module.kernel
def stretch(m: Floats, i: Int, by: Float, spring: Spring) -> Int:
    """A section with arguments of its own."""
    spring.calls += 1
    m[i] += by / spring.stiffness
    return spring.calls


@module.kernel
def stretch_by_tank(tank: Tank, m: Floats) -> Int:
    return tank.rhs(m, 1, 6.0)


@pytest.mark.parametrize("is_elsewhere", [False, True])
@pytest.mark.parametrize("has_python", [False, True])
@pytest.mark.parametrize("way", ["cpython", "compiled"])
def test_a_section_with_arguments(way, has_python, is_elsewhere):
    """CPython calls machine code where there is nothing else; the record may lie in another memory."""
    memory = Memory(checked=True)
    tank = memory.new(Tank, n=1, count=0)
    spring = (Memory() if is_elsewhere else memory).new(Spring, stiffness=3.0)
    bind(tank, rhs=Closure(spring, module.address("stretch"), stretch if has_python else None))
    m = np.array([2.0, 0.5])
    for call in (1, 2):
        if way == "cpython":
            assert stretch_by_tank(tank, m) == call
        else:
            assert module.callable("stretch_by_tank")(address_of(tank), m.ctypes.data) == call

    assert m.tolist() == [2.0, 4.5]
    assert spring.calls == 2


def test_arrays_are_filled_as_a_whole():
    memory = Memory()
    tank = memory.new(Tank, n=2, count=1)
    memory.fill(tank, {"y": np.array([1.0, 2.0]), "visits": [3, 4]})
    memory.new(Tank, n=5000, count=0)  # in a piece of its own
    memory.fill(tank, {"y": np.array([True, False])})

    assert (tank.y.tolist(), tank.visits.tolist()) == ([1.0, 0.0], [3, 4])
    for name, values in (
        ("y", [1.0]),
        ("y", [1.0, 2.0, 3.0]),
        ("modes", [1.0]),
        ("rows", [1.0, 2.0]),
    ):
        with pytest.raises(AssertionError, match=name):
            memory.fill(tank, {name: values})


def test_arrays_side_by_side_are_one_span():
    memory = Memory()
    tank = memory.new(Tank, n=2, count=1, y=[1.0, 2.0], visits=[3, 4])
    apart = memory.new(Shelf, room=0, n=2)

    assert [len(span) for span in memory.spans(tank, ["y"])] == [2]
    assert sum(len(span) for span in memory.spans(tank, ["visits", "y"])) == 4
    assert memory.spans(tank, ["y"])[0].view(float).tolist() == [1.0, 2.0]
    assert [len(span) for span in memory.spans(apart, ["books", "marks"])] == [2]
