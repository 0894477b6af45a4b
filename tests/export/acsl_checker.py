"""An interpreter for the ACSL that we write: sections, PROCEDURAL, SCHEDULE, DISCRETE, INTEG, Linpack.

Statements become a list with jumps; a variable that is read before anything has set it is a mistake.
"""

import math
import re

import numpy as np
from expression_parser import function_of

LOGS = {"log": math.log, "log10": math.log10}


def lines_of(text):
    """Statements without remarks, continued lines joined."""
    found, before = [], ""
    for line in text.splitlines():
        code = re.sub(r"!.*", "", line).rstrip()
        if not code.strip():
            continue
        assert len(line) <= 80 or line.lstrip().startswith("!"), f"too long: {line}"
        if code.endswith(" ..."):
            before += code[:-4].strip() + " "
            continue
        found.append((before + code.strip()).strip())
        before = ""
    return found


class Procedure:
    """A list of instructions: ("set", place, function), ("jump", to), ("unless", condition, to), ..."""

    def __init__(self):
        self.code, self.labels, self.waiting = [], {}, []
        self.branches, self.loops = [], []

    def add(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def statement(self, line):
        if found := re.fullmatch(r"IF \((.*)\) THEN", line):
            self.branches.append(([], self.add("unless", function_of(found[1], LOGS), None)))
        elif found := re.fullmatch(r"ELSE IF \((.*)\) THEN", line):
            self.next_branch()
            ends, _ = self.branches[-1]
            self.branches[-1] = (ends, self.add("unless", function_of(found[1], LOGS), None))
        elif line == "ELSE":
            self.next_branch()
        elif line == "END IF":
            ends, test = self.branches.pop()
            for place in [*ends, *([] if test is None else [test])]:
                self.code[place][-1] = len(self.code)
        elif found := re.fullmatch(r"IF \((.*)\) GO TO (\w+)", line):
            self.waiting.append((self.add("when", function_of(found[1], LOGS), None), found[2]))
        elif found := re.fullmatch(r"DO (\w+) (\w+) = 1, (\d+)", line):
            counter = found[2].lower()
            self.add("set", (counter, None), lambda v: 1)
            self.loops.append((found[1], counter, int(found[3]), len(self.code)))
        elif found := re.fullmatch(r"(\w+): CONTINUE", line):
            self.label(found[1])
        elif found := re.fullmatch(r"CALL HandleEvent\((.*), (\w+), (\w+)\)", line):
            places = [re.fullmatch(r"(\w+)\((\d+)\)", p).groups() for p in found[1].split(", ")]
            given = [(name.lower(), int(k)) for name, k in places]
            self.add("call", [*given, (found[2].lower(), None), (found[3].lower(), None)])
        elif found := re.fullmatch(r"CALL DGEFA\((\w+), .*\)", line):
            return  # factors are found when the system is solved
        elif found := re.fullmatch(r"CALL DGESL\((\w+), (\d+), \d+, \w+, (\w+), 0\)", line):
            self.add("solve", found[1].lower(), int(found[2]), found[3].lower())
        else:
            found = re.fullmatch(r"(\w+)(?:\(([\w,]+)\))? = (.*)", line)
            assert found, f"no statement of ACSL: {line}"
            self.add("set", (found[1].lower(), indices(found[2])), function_of(found[3], LOGS))

    def next_branch(self):
        ends, test = self.branches.pop()
        ends.append(self.add("jump", None))
        self.code[test][-1] = len(self.code)
        self.branches.append((ends, None))

    def label(self, name):
        if self.loops and self.loops[-1][0] == name:
            _, counter, limit, first = self.loops.pop()
            self.add("again", counter, limit, first)
        self.labels[name] = len(self.code)

    def finish(self):
        assert not self.branches
        assert not self.loops
        for place, name in self.waiting:
            self.code[place][-1] = self.labels[name]
        return self

    def run(self, v):
        at = 0
        while at < len(self.code):
            kind, *parts = self.code[at]
            at += 1
            if kind == "set":
                (name, index), function = parts
                if index is None:
                    v[name] = function(v)
                else:
                    v[name][index(v)] = function(v)
            elif kind == "unless":
                at = at if parts[0](v) else parts[1]
            elif kind == "when":
                at = parts[1] if parts[0](v) else at
            elif kind == "jump":
                at = parts[0]
            elif kind == "call":
                call(v, parts[0])
            elif kind == "again":
                counter, limit, first = parts
                v[counter] += 1
                at = first if v[counter] <= limit else at
            else:
                matrix, size, right = parts
                a = np.array(
                    [[v[matrix][r, c] for c in range(1, size + 1)] for r in range(1, size + 1)]
                )
                b = np.linalg.solve(a, [v[right][r] for r in range(1, size + 1)])
                v[right] = {r: float(b[r - 1]) for r in range(1, size + 1)}


def call(v, places):
    """A subroutine: arguments by reference."""
    names, body = v["$HandleEvent"]
    inner = {n: v[p] if k is None else v[p][k] for n, (p, k) in zip(names, places, strict=True)}
    body.run(inner)
    for name, (place, index) in zip(names, places, strict=True):
        if index is None:
            v[place] = inner[name]
        else:
            v[place][index] = inner[name]


def indices(text):
    """What the places in parentheses are, given all variables: numbers or counters."""
    if text is None:
        return None
    words = text.lower().split(",")

    def place(v):
        found = tuple(int(word) if word.isdigit() else v[word] for word in words)
        return found if len(found) > 1 else found[0]

    return place


class Acsl:
    """A program as a system for `hybrid_integrator`."""

    def __init__(self, text, inputs=None):
        self.v = {}
        self.initial, self.derivative, self.discrete = Procedure(), Procedure(), Procedure()
        self.subroutine = Procedure()
        self.integrals, self.crossing, self.constants = [], [], {}
        self.scheduled = {"initial": [], "discrete": []}
        self.stop, self.failure = None, False
        self.inputs = inputs or {}
        self.read(lines_of(text))
        for part in (self.initial, self.derivative, self.discrete, self.subroutine):
            part.finish()

    def read(self, lines):
        """Walk over sections; END closes the innermost."""
        open_sections = []
        for line in lines:
            word = line.split()[0]
            if word in ("PROGRAM", "INITIAL", "DYNAMIC", "DERIVATIVE", "PROCEDURAL", "DISCRETE"):
                open_sections.append(line)
            elif found := re.fullmatch(r"SUBROUTINE HandleEvent\((.*)\)", line):
                assert open_sections == []
                open_sections.append("SUBROUTINE")
                self.v["$HandleEvent"] = (
                    [n.lower() for n in found[1].split(", ")],
                    self.subroutine,
                )
            elif line == "END":
                open_sections.pop()
            elif open_sections[-1] == "SUBROUTINE" and word in ("REAL", "LOGICAL", "RETURN"):
                continue
            elif word in ("VARIABLE", "CONSTANT", "CINTERVAL", "DIMENSION", "LOGICAL", "INTEGER"):
                self.declare(word, line[len(word) :])
            elif word == "TERMT":
                self.failure |= line.startswith("TERMT (Failed")
            elif word == "SCHEDULE":
                self.schedule(line, open_sections)
            elif found := re.fullmatch(r"(\w+) = INTEG\((\w+), (\w+)\)", line):
                assert open_sections[-1] == "DERIVATIVE"
                self.integrals.append(tuple(part.lower() for part in found.groups()))
            else:
                self.section(open_sections).statement(line)
        assert open_sections == []

    def section(self, open_sections):
        if "SUBROUTINE" in open_sections:
            return self.subroutine
        if "INITIAL" in open_sections:
            return self.initial
        return self.derivative if "DERIVATIVE" in open_sections else self.discrete

    def declare(self, word, rest):
        if word == "DIMENSION":
            for name in re.findall(r"(\w+)\([\d,]+\)", rest):
                self.v[name.lower()] = {}
            return
        if word in ("LOGICAL", "INTEGER"):
            return
        for part in rest.split(","):
            name, _, value = part.partition("=")
            if value:
                self.v[name.strip().lower()] = function_of(value, LOGS)(self.v)

    def schedule(self, line, open_sections):
        found = re.fullmatch(r"SCHEDULE Event \.(\w+)\. (.*)", line)
        function = function_of(found[2], LOGS)
        if found[1] == "XZ":
            assert open_sections[-1] == "DERIVATIVE"
            self.crossing.append(function)
        else:
            assert found[1] == "AT"
            self.scheduled["initial" if "INITIAL" in open_sections else "discrete"].append(function)

    # ------------------------------------------------------------ a system

    def start(self):
        self.v["time"] = self.v["starttime"]
        self.feed(0.0)
        self.initial.run(self.v)
        for state, _, begin in self.integrals:
            self.v[state] = self.v[begin]
        if self.scheduled["initial"]:
            self.handle()
        return self.states()

    def states(self):
        return np.array([self.v[state] for state, _, _ in self.integrals], dtype=float)

    def feed(self, t):
        for name, function in self.inputs.items():
            self.v[name] = function(t)

    def evaluate(self, t, y):
        self.v["time"] = t
        self.feed(t)
        for (state, _, _), value in zip(self.integrals, y, strict=True):
            self.v[state] = float(value)
        self.derivative.run(self.v)

    def handle(self):
        self.derivative.run(self.v)
        self.discrete.run(self.v)
        assert not (self.failure and self.v.get("failed"))

    def rates(self, t, y):
        self.evaluate(t, y)
        return np.array([self.v[rate] for _, rate, _ in self.integrals])

    def crossings(self, t, y):
        if not self.crossing:
            return np.zeros(0)
        self.evaluate(t, y)
        return np.array([function(self.v) for function in self.crossing])

    def next_time(self):
        return min((function(self.v) for function in self.scheduled["discrete"]), default=1e300)

    def event(self, t, y):
        self.evaluate(t, y)
        self.handle()
        return self.states()

    def record(self, t, y):
        self.evaluate(t, y)
        return dict(self.v)
