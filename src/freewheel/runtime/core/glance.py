"""The course of an impulse at a glance: storages at many times after its beginning, linear in what they
begin with, so that one product of matrices tells whether any element turns.

    z' = M z + g    ->    z at h, 2 h, ..., 8 h, 10 h, ..., 24 h, 28 h, ...: steps double with each octave
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from freewheel.runtime.model import Vector

PER_OCTAVE = 8  # looks
TERMS = 12  # of the exponential series, for a step that is short
SHORT = 1 / 16


@dataclass(frozen=True, slots=True)
class Glance:
    looks: Vector  # by time: z from z and g at the beginning, side by side
    gone: Vector  # times at the ends of octaves

    def course(self, z: Vector, g: Vector) -> Vector:
        """By time: the storages."""
        return np.asarray(self.looks @ np.concatenate([z, g]))

    @property
    def ends(self) -> slice:
        return slice(PER_OCTAVE - 1, None, PER_OCTAVE)


def glance(M: Vector, longest_step: float, until: float) -> Glance:
    """Up to the end of the octave in which `until` lies."""
    d = len(M)
    motion = np.zeros((2 * d, 2 * d))
    motion[:d, :d] = M
    motion[:d, d:] = np.eye(d) * max(float(np.abs(M).max(initial=0.0)), 1.0 / until)
    scale = np.concatenate([np.ones(d), np.full(d, motion[0, d])])  # g in units that suit M
    step = first_step(motion, longest_step)
    change = exponential(motion * step)
    here = np.eye(2 * d)
    looks, gone, ends = [], 0.0, []
    while gone < until:
        for _ in range(PER_OCTAVE):
            here = here + change @ here
            looks.append(here[:d] / scale)
            gone += step
        ends.append(gone)
        change = 2.0 * change + change @ change
        step *= 2.0
    return Glance(np.array(looks), np.array(ends))


def first_step(motion: Vector, longest: float) -> float:
    norm = float(np.abs(motion).sum(axis=1).max(initial=0.0))
    if longest * norm <= SHORT:
        return longest
    return float(2.0 ** np.floor(np.log2(SHORT / norm)))


def exponential(matrix: Vector) -> Vector:
    """exp(matrix) - 1, of a small matrix."""
    term = matrix
    total = matrix.copy()
    for k in range(2, TERMS):
        term = term @ matrix / k
        total += term
    return total
