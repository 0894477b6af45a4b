"""An interpreter for the Simnon systems that we write: it sorts equations itself, as Simnon does."""

import re

import numpy as np
from expression_parser import code_of, function_of

EXTRA = {"log": lambda x: np.log10(x)}
SECTION = re.compile(r"(continuous|discrete|connecting) system (\w+)")
LISTS = ("state", "der", "new", "input", "output", "time", "tsamp")


class System:
    """One system: lists of names, numbers, equations in an order in which they can be evaluated."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.lists = {word: [] for word in LISTS}
        self.numbers, self.equations = {}, {}

    def read(self, line):
        word = line.split()[0]
        if word in LISTS:
            self.lists[word] += [name.lower() for name in line.split()[1:]]
        elif found := re.fullmatch(r"(\w+):(\S+)", line):
            self.numbers[found[1].lower()] = float(found[2])
        else:
            target, _, value = line.partition("=")
            assert target.strip().lower() not in self.equations, f"assigned twice: {line}"
            self.equations[target.strip().lower()] = value
        return self

    def finish(self):
        """Equations sorted by what they need; a loop or an unknown variable is a mistake."""
        known = {*self.lists["state"], *self.lists["input"], *self.lists["time"], *self.numbers}
        waiting, self.order = dict(self.equations), []
        while waiting:
            ready = [name for name, value in waiting.items() if used(value) <= known]
            assert ready, f"{self.name}: nothing gives what {sorted(waiting)} need"
            for name in ready:
                self.order.append((name, function_of(waiting.pop(name), EXTRA)))
                known.add(name)
        assert set(self.lists["der"]) <= known
        self.values = dict(self.numbers)
        return self

    def evaluate(self):
        for name, function in self.order:
            self.values[name] = function(self.values)


def used(value):
    names = set()

    def note(name):
        names.add(name.lower())
        return "0"

    code_of(value, EXTRA, note)
    return names


class Simnon:
    """All systems of a file, as one for `hybrid_integrator`."""

    def __init__(self, text):
        self.systems, self.wires = {}, []
        current = None
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith('"'):
                continue
            if found := SECTION.fullmatch(line):
                current = System(found[1], found[2])
            elif line == "end":
                if current.kind != "connecting":
                    self.systems[current.kind] = current.finish()
                current = None
            elif current.kind == "connecting":
                found = re.fullmatch(r"(\w+)\[(\w+)\] = (\w+)\[(\w+)\]", line)
                self.wires.append((found[1].lower(), found[2], found[3].lower(), found[4]))
            else:
                current.read(line)
        self.plant, self.sampled = self.systems["continuous"], self.systems.get("discrete")
        self.next = 1e300 if self.sampled is None else 0.0

    def connect(self, source, target):
        for name, into, origin, out_of in self.wires:
            if into == target.name and out_of == source.name:
                target.values[name] = source.values[origin]

    def start(self):
        y = np.array([self.plant.values[name] for name in self.plant.lists["state"]])
        return y if self.sampled is None else self.event(0.0, y)

    def evaluate(self, t, y):
        self.plant.values["t"] = t
        self.plant.values.update(zip(self.plant.lists["state"], map(float, y), strict=True))
        self.plant.evaluate()

    def rates(self, t, y):
        self.evaluate(t, y)
        return np.array([self.plant.values[name] for name in self.plant.lists["der"]])

    def crossings(self, t, y):
        return np.zeros(0)

    def next_time(self):
        return self.next

    def event(self, t, y):
        """Sample: outputs and new states from the states before; the outputs hold."""
        plant, sampled = self.plant, self.sampled
        for name in plant.lists["input"]:
            plant.values.setdefault(name, 0.0)
        self.evaluate(t, y)
        self.connect(plant, sampled)
        sampled.values["t"] = t
        sampled.evaluate()
        for state, new in zip(sampled.lists["state"], sampled.lists["new"], strict=True):
            sampled.values[state] = sampled.values[new]
        self.next = sampled.values[sampled.lists["tsamp"][0]]
        self.connect(sampled, plant)
        return np.asarray(y)

    def record(self, t, y):
        self.evaluate(t, y)
        held = {} if self.sampled is None else self.sampled.values
        return {**held, **self.plant.values}
