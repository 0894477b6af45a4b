"""An interpreter for the DESIRE programs that we write: a protocol, then the DYNAMIC segment in order."""

import re

import numpy as np
from expression_parser import function_of


class Desire:
    """A program as a system for `hybrid_integrator`."""

    def __init__(self, text):
        protocol, _, dynamic = text.partition("\nDYNAMIC\n")
        self.v, self.code, self.integrals, self.sampled, self.out = {}, [], [], [], []
        self.every = 0
        lines = [line for line in protocol.splitlines() if not line.startswith("--")]
        assert lines[-1] == "drun"
        for line in lines[:-1]:
            for part in line.split("|"):
                name, function = assignment(part)
                self.v[name] = function(self.v)
        part = self.code
        for line in dynamic.splitlines():
            if found := re.fullmatch(r"d/dt (\w+)=(.*)", line):
                assert part is self.code
                self.integrals.append((found[1].lower(), function_of(found[2])))
            elif found := re.fullmatch(r"SAMPLE (\d+)", line):
                self.every, part = int(found[1]), self.sampled
            elif line == "OUT":
                part = self.out
            elif not line.startswith("dispt"):
                part.append(assignment(line))
        self.interval = self.v["tmax"] / (self.v["nn"] - 1)
        self.ticks = 0

    def next_time(self):
        return self.ticks * self.every * self.interval if self.every else 1e300

    def start(self):
        y = np.array([self.v[name] for name, _ in self.integrals])
        return self.event(0.0, y) if self.every else y

    def evaluate(self, t, y):
        self.v["t"] = t
        for (name, _), value in zip(self.integrals, y, strict=True):
            self.v[name] = float(value)
        for name, function in self.code:
            self.v[name] = function(self.v)

    def rates(self, t, y):
        self.evaluate(t, y)
        return np.array([function(self.v) for _, function in self.integrals])

    def crossings(self, t, y):
        return np.zeros(0)

    def event(self, t, y):
        self.evaluate(t, y)
        for name, function in self.sampled:
            self.v[name] = function(self.v)
        self.ticks += 1
        return np.asarray(y)

    def record(self, t, y):
        self.evaluate(t, y)
        for name, function in self.out:
            self.v[name] = function(self.v)
        return dict(self.v)


def assignment(text):
    name, _, value = text.partition("=")
    return name.strip().lower(), function_of(value)
