"""An interpreter for the Fortran 77 of our DSblocks: fixed form, subroutines, arguments by reference.

Linpack's DGEFA and DGESL stand here as NumPy's solver: factors are kept as the matrix itself. So the
programs run without a Fortran compiler.
"""

import math
import re

import numpy as np
from expression_parser import function_of

FUNCTIONS = {
    "fwnum": lambda condition: 1.0 if condition else 0.0,
    "fwflr": math.floor,
    "fwsign": lambda x: float((x > 0) - (x < 0)),
    "dint": math.trunc,
    "log": math.log,
    "log10": math.log10,
}


class Array(dict):
    """Places that nothing has set are no numbers; `size` of a matrix is that of a column."""

    def __init__(self, size=0):
        super().__init__()
        self.size = size


def statements_of(text):
    """(label, statement) of each line that is no remark, continued lines joined."""
    found = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("C"):
            continue
        assert len(line) <= 72, line
        if line[5:6] not in ("", " "):
            assert line[5] == "&", line
            found[-1][1] += line[6:]
            continue
        found.append([line[:5].strip(), line[6:].strip()])
    return [(label, statement) for label, statement in found]


class Fortran:
    """All subroutines of a text."""

    def __init__(self, text):
        self.routines = {}
        body = None
        for label, statement in statements_of(text):
            head = re.fullmatch(r"SUBROUTINE (\w+)\((.*)\)", statement)
            if head or re.match(r"DOUBLE PRECISION FUNCTION", statement):
                body = []
                if head:
                    names = [name.strip().lower() for name in head[2].split(",")]
                    self.routines[head[1].lower()] = (names, body)
            elif statement == "END":
                body = None
            else:
                assert body is not None, statement
                body.append((label, statement))
        self.compiled = {
            name: Routine(self, *parts)
            for name, parts in self.routines.items()
            if not name.startswith("fw")
        }

    def call(self, name, values):
        """`values` by reference: a list whose scalars are changed."""
        if name == "fwzero":
            array = values[1]
            size = round(math.sqrt(values[0])) if array.size else values[0]
            rows = range(1, size + 1)
            array.update(
                {(r, c): 0.0 for r in rows for c in rows}
                if array.size
                else dict.fromkeys(rows, 0.0)
            )
        elif name in ("fwlin", "dgesl"):
            n, a, b = values[:3] if name == "fwlin" else (values[2], values[0], values[4])
            matrix = [[a[r, c] for c in range(1, n + 1)] for r in range(1, n + 1)]
            for row, value in enumerate(np.linalg.solve(matrix, [b[r] for r in range(1, n + 1)])):
                b[row + 1] = float(value)
        elif name == "dgefa":
            assert values[1] == values[2], "leading dimension"
            values[4] = 0
        else:
            self.compiled[name].run(values)


class Routine:
    def __init__(self, program, names, body):
        self.program, self.names = program, names
        self.code, self.labels, self.arrays = [], {}, {}
        branches, loops = [], []
        for label, statement in body:
            if label:
                if loops and loops[-1][0] == label:
                    _, counter, last, first = loops.pop()
                    self.code.append(["again", counter, last, first])
                self.labels[label] = len(self.code)
            self.statement(statement, branches, loops)
        assert not branches, "an IF without its END IF"
        assert not loops, "a DO without its end"

    def statement(self, text, branches, loops):
        code = self.code
        if text == "CONTINUE":
            return
        if found := re.fullmatch(r"(INTEGER|LOGICAL|DOUBLE PRECISION) (.*)", text):
            for name, size in re.findall(r"(\w+)(?:\(([^)]*)\))?", found[2]):
                if size and name.lower() not in self.names:
                    self.arrays[name.lower()] = size.count(",") and int(size.split(",")[0])
        elif found := re.fullmatch(r"(ELSE )?IF \((.*)\) THEN", text):
            if found[1]:
                self.next_branch(branches)
                branches[-1][1] = len(code)
            else:
                branches.append([[], len(code)])
            code.append(["unless", function_of(found[2], FUNCTIONS), None])
        elif text == "ELSE":
            self.next_branch(branches)
        elif text == "END IF":
            ends, test = branches.pop()
            for place in [*ends, *([] if test is None else [test])]:
                code[place][-1] = len(code)
        elif found := re.fullmatch(r"IF \((.*)\) (RETURN|GOTO \d+|\w.* = .*|CALL .*)", text):
            code.append(["unless", function_of(found[1], FUNCTIONS), len(code) + 2])
            self.statement(found[2], branches, loops)
        elif found := re.fullmatch(r"DO (\d+) (\w+) = 1, (\d+)", text):
            code.append(["set", found[2].lower(), None, lambda v: 1])
            loops.append((found[1], found[2].lower(), int(found[3]), len(code)))
        elif text == "RETURN":
            code.append(["return"])
        elif found := re.fullmatch(r"GOTO (\d+)", text):
            code.append(["goto", found[1]])
        elif found := re.fullmatch(r"CALL (\w+)\((.*)\)", text):
            places = [part.strip() for part in found[2].split(",")]
            code.append(["call", found[1].lower(), places])
        else:
            found = re.fullmatch(r"(\w+)(?:\((\d+)(?:, (\d+))?\))? = (.*)", text)
            assert found, f"no statement of Fortran: {text}"
            index = int(found[2]) if found[2] and not found[3] else None
            index = (int(found[2]), int(found[3])) if found[3] else index
            code.append(["set", found[1].lower(), index, function_of(found[4], FUNCTIONS)])

    def next_branch(self, branches):
        ends, test = branches[-1]
        ends.append(len(self.code))
        self.code.append(["jump", None])
        self.code[test][-1] = len(self.code)
        branches[-1][1] = None

    def run(self, values):
        v = dict(zip(self.names, values, strict=True))
        v.update({name: Array(size) for name, size in self.arrays.items()})
        at = 0
        while at < len(self.code):
            kind, *parts = self.code[at]
            at += 1
            if kind == "set":
                name, index, function = parts
                if index is None:
                    v[name] = function(v)
                else:
                    v[name][index] = function(v)
            elif kind == "unless":
                at = at if parts[0](v) else parts[1]
            elif kind == "jump":
                at = parts[0]
            elif kind == "goto":
                at = self.labels[parts[0]]
            elif kind == "again":
                counter, last, first = parts
                v[counter] += 1
                at = first if v[counter] <= last else at
            elif kind == "call":
                name, places = parts
                given = [int(p) if p.isdigit() else v[p.lower()] for p in places]
                self.program.call(name, given)
                for place, value in zip(places, given, strict=True):
                    if not place.isdigit():
                        v[place.lower()] = value
            else:
                break
        values[:] = [v[name] for name in self.names]


class FortranBlock:
    """A DSblock in Fortran as a system for `hybrid_integrator`; forms as in `dsblock_driver`."""

    def __init__(self, text, stem, infos, inputs=()):
        self.program, self.stem = Fortran(text), stem.lower()
        self.infos = {info.name: info for info in infos}
        sizes = Array()
        self.program.call(f"{self.stem}_sizes", [sizes])
        self.states, self.algebraic = int(sizes[1]), int(sizes[2])
        self.relations = int(sizes[5])
        self.arrays = {name: Array() for name in ("x", "xd", "u", "f", "y", "qzp", "qzn", "w")}
        self.arrays["u"].update(enumerate(inputs, start=1))
        self.next = 1e300
        self.demand(0, 0.0)

    def demand(self, number, t):
        a = self.arrays
        values = [number, t, a["x"], a["xd"], a["u"], a["f"], a["y"], a["qzp"], a["qzn"]]
        values += [self.next, a["w"], 0]
        self.program.call(self.stem, values)
        self.next = values[9]
        assert values[-1] == 0, f"demand {number} failed at {t}"

    def given(self, name, count):
        return np.array([self.arrays[name][k] for k in range(1, count + 1)])

    def set_states(self, y):
        self.arrays["x"].update(enumerate(map(float, y), start=1))

    def start(self):
        self.demand(1, 0.0)
        return self.given("x", self.states)

    def rates(self, t, y):
        self.set_states(y)
        self.demand(2, t)
        return self.given("xd", self.states)

    def crossings(self, t, y):
        self.set_states(y)
        self.demand(4, t)
        return np.concatenate(
            [self.given("qzp", self.relations), self.given("qzn", self.relations)]
        )

    def next_time(self):
        return self.next

    def event(self, t, y):
        self.set_states(y)
        self.demand(5, t)
        return self.given("x", self.states)

    def record(self, t, y):
        self.set_states(y)
        self.demand(3, t)
        return dict(self.arrays["w"])

    def curve(self, rows, name):
        info = self.infos[name]
        return info.sign * np.array([row[info.slot + 1] for row in rows]) + info.offset
