"""A DSblock in a shared library, C or Fortran, as a system for `hybrid_integrator`."""

import ctypes
import re
import subprocess

import numpy as np

DOUBLES = ctypes.POINTER(ctypes.c_double)


def pointer(array):
    return array.ctypes.data_as(DOUBLES)


def built(compiler, source, *options):
    """The path of the library; warnings of the compiler are mistakes."""
    library = source.with_suffix(".so")
    command = [compiler, "-O1", "-shared", "-fPIC", *options, str(source), "-o", str(library)]
    done = subprocess.run([*command, "-lm"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return library


def slots_in_c(text):
    """Name in the model -> slot, from the enumeration with its remarks."""
    body = text[text.index("enum {") : text.index("};")]
    return {name: k for k, name in enumerate(re.findall(r"/\* (.*) \*/", body))}


class Block:
    def __init__(self, library, stem, slots, infos):
        self.library = ctypes.CDLL(str(library))
        self.call = getattr(self.library, f"{stem}_")
        self.slots = slots
        self.infos = {info.name: info for info in infos}
        sizes = (ctypes.c_int * 6)()
        getattr(self.library, f"{stem}_sizes_")(sizes)
        self.states, self.algebraic, inputs, outputs, relations, work = sizes
        self.x = np.zeros(self.states + self.algebraic + 1)
        self.xd = np.zeros(self.states + 1)
        self.u, self.y = np.zeros(inputs + 1), np.zeros(outputs + 1)
        self.f = np.zeros(self.states + self.algebraic + 1)
        self.qzp, self.qzn = np.zeros(relations), np.zeros(relations)
        self.work = np.zeros(work)
        self.next = ctypes.c_double(1e300)
        self.demand(0, 0.0)

    def demand(self, number, t):
        error = ctypes.c_int()
        arrays = (self.x, self.xd, self.u, self.f, self.y, self.qzp, self.qzn)
        self.call(
            ctypes.byref(ctypes.c_int(number)), ctypes.byref(ctypes.c_double(t)),
            *map(pointer, arrays), ctypes.byref(self.next), pointer(self.work), ctypes.byref(error),
        )  # fmt: skip
        assert error.value == 0, f"demand {number} failed at {t}"

    def set_states(self, y):
        self.x[: self.states] = y

    def start(self):
        self.demand(1, 0.0)
        return self.x[: self.states].copy()

    def rates(self, t, y):
        self.set_states(y)
        self.demand(2, t)
        return self.xd[: self.states].copy()

    def crossings(self, t, y):
        self.set_states(y)
        self.demand(4, t)
        return np.concatenate([self.qzp, self.qzn])

    def next_time(self):
        return self.next.value

    def event(self, t, y):
        self.set_states(y)
        self.demand(5, t)
        return self.x[: self.states].copy()

    def record(self, t, y):
        self.set_states(y)
        self.demand(3, t)
        return self.work.copy()

    def curve(self, rows, name):
        info = self.infos[name]
        return info.sign * np.array([row[info.slot] for row in rows]) + info.offset
