"""Implicit Runge-Kutta methods of three stages whose matrix has one real and two complex eigenvalues.

    RADAU_IIA.order == 5, LOBATTO_IIIC.order == 4

The stage increments Z solve A^-1 Z = h F(y + Z). In the basis of A's eigenvectors the system of 3n equations
falls into one real and one complex system of n. Both methods are stiffly accurate and L-stable. Hairer,
Wanner II, sections IV.5 (tableaux) and IV.8 (transformation, error estimate).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector

# Places of `ThreeStage.numbers`.
NODES, MU, MU_R, MU_I = 0, 3, 4, 5
T_REAL, T_RE, T_IM = 6, 9, 12  # rows of three
TI_REAL, TI_RE, TI_IM = 15, 18, 21
POWERS = 24  # three rows
E = 33
EXTRA, EXTRA_NODE, EXTRA_E = 36, 37, 38  # the last three numbers


@dataclass(frozen=True, eq=False)
class ThreeStage:
    """A tableau, and what Newton's iteration, interpolation and error control need of it."""

    name: str
    order: int
    a: Vector
    c: Vector
    error: Vector  # weights of Z/h that are added to f(y0)
    extra: float = 0.0  # weight of one more slope in the error; 0: there is none
    extra_node: float = 0.0  # where the interpolant is evaluated for it

    def __post_init__(self) -> None:
        assert np.allclose(self.a.sum(axis=1), self.c), "rows of A sum to c"
        assert np.allclose(self.a @ self.c, self.c**2 / 2), "stages of order two"
        assert self.c[2] == 1.0, "stiffly accurate: the last stage is the end of the step"

    @cached_property
    def inverse(self) -> Vector:
        return np.asarray(np.linalg.inv(self.a), float)

    @cached_property
    def powers(self) -> Vector:
        """Row j: weights of Z in the power j + 1 of theta. The interpolant integrates the parabola through
        the slopes of the stages; of a collocation method it is the collocation polynomial."""
        parabola = np.linalg.inv(np.vander(self.c, increasing=True))  # values at c -> coefficients
        return np.asarray(parabola / np.array([[1.0], [2.0], [3.0]]) @ self.inverse, float)

    @cached_property
    def eigen(self) -> tuple[complex, Vector, Vector, complex, npt.NDArray[np.complex128], ...]:
        """(mu, vector, row) of the real eigenvalue of A^-1, then of one complex one; rows are those of the
        inverse of the eigenvectors. The third eigenvalue is the conjugate of the second."""
        values, vectors = np.linalg.eig(self.inverse)
        rows = np.linalg.inv(vectors)
        real, upper = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
        turn = vectors[2, real] / abs(vectors[2, real])  # found up to a factor: make it real
        own = (values[real].real, (vectors[:, real] / turn).real, (rows[real] * turn).real)
        return (*own, complex(values[upper]), vectors[:, upper], rows[upper])
