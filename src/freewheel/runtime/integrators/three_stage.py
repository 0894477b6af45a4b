"""Implicit Runge-Kutta methods of three stages whose matrix has one real and two complex eigenvalues.

    RADAU_IIA.order == 5, LOBATTO_IIIC.order == 4

The stage increments Z solve A^-1 Z = h F(y + Z). In the basis of A's eigenvectors the system of 3n equations
falls into one real and one complex system of n. Both methods are stiffly accurate and L-stable. Hairer,
Wanner II, sections IV.5 (tableaux) and IV.8 (transformation, error estimate).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.runtime.model import Vector

ComplexVector: TypeAlias = npt.NDArray[np.complex128]

# Places of `ThreeStage.numbers`; rows of three.
NODES, MU, MU_R, MU_I = 0, 3, 4, 5
T_REAL, T_RE, T_IM = 6, 9, 12  # eigenvectors; of the complex one twice the parts
TI_REAL, TI_RE, TI_IM = 15, 18, 21
POWERS = 24  # three rows
E = 33
EXTRA, EXTRA_NODE, EXTRA_E = 36, 37, 38


@dataclass(frozen=True, slots=True, eq=False)
class ThreeStage:
    """A tableau, and what Newton's iteration, interpolation and error control need of it."""

    name: str
    order: int
    a: Vector
    c: Vector
    inverse: Vector  # of a
    powers: Vector  # row j: weights of Z in the power j + 1 of theta
    mu_real: float  # eigenvalues of the inverse, eigenvectors, rows of the inverse eigenvectors
    t_real: Vector
    ti_real: Vector
    mu_complex: complex
    t_complex: ComplexVector
    ti_complex: ComplexVector
    error: Vector  # weights of Z/h that are added to f(y0)
    extra: float  # weight of one more slope beside f(y0); 0: there is none
    extra_node: float  # where the interpolant is evaluated for it
    extra_error: Vector  # weights of Z/h that this slope is compared with

    @property
    def numbers(self) -> Vector:
        """What kernels read."""
        return np.concatenate(
            [
                *(self.c, [self.mu_real, self.mu_complex.real, self.mu_complex.imag]),
                *(self.t_real, 2.0 * self.t_complex.real, 2.0 * self.t_complex.imag),
                *(self.ti_real, self.ti_complex.real, self.ti_complex.imag),
                *(self.powers.ravel(), self.error, [self.extra, self.extra_node]),
                self.extra_error,
            ]
        )


def method_of(
    name: str, order: int, a: Vector, c: Vector, error: Vector | None = None, extra: float = 0.0,
    extra_node: float = 0.0,
) -> ThreeStage:  # fmt: skip
    """Completes a tableau. The default error is f(y0) minus the slope of the first stage. `extra` is the
    share of h in the error, which the filter 1/(mu/h - J) divides by mu."""
    assert np.allclose(a.sum(axis=1), c), "rows of A sum to c"
    assert np.allclose(a @ c, c**2 / 2), "stages of order two"
    assert c[2] == 1.0, "stiffly accurate: the last stage is the end of the step"
    inverse = np.asarray(np.linalg.inv(a), float)
    parabola = np.linalg.inv(np.vander(c, increasing=True))  # values at c -> coefficients
    # The interpolant integrates the parabola through the slopes of the stages; of a collocation method it
    # is the collocation polynomial.
    powers = np.asarray(parabola / np.array([[1.0], [2.0], [3.0]]) @ inverse, float)
    values, vectors = np.linalg.eig(inverse)
    rows = np.linalg.inv(vectors)
    real, upper = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
    mu_real = float(values[real].real)
    turn = vectors[2, real] / abs(vectors[2, real])  # eigenvectors are found up to a factor
    at_extra = np.array([1.0, extra_node, extra_node**2]) @ parabola
    return ThreeStage(
        name=name,
        order=order,
        a=a,
        c=c,
        inverse=inverse,
        powers=powers,
        mu_real=mu_real,
        t_real=np.asarray((vectors[:, real] / turn).real, float),
        ti_real=np.asarray((rows[real] * turn).real, float),
        mu_complex=complex(values[upper]),
        t_complex=vectors[:, upper],
        ti_complex=rows[upper],
        error=-inverse[0] if error is None else error,
        extra=extra * mu_real,
        extra_node=extra_node,
        extra_error=np.asarray(at_extra @ inverse, float),
    )


_R = float(np.sqrt(6.0))
RADAU_IIA = method_of(
    "radau",
    5,
    np.array(
        [
            [(88 - 7 * _R) / 360, (296 - 169 * _R) / 1800, (-2 + 3 * _R) / 225],
            [(296 + 169 * _R) / 1800, (88 + 7 * _R) / 360, (-2 - 3 * _R) / 225],
            [(16 - _R) / 36, (16 + _R) / 36, 1 / 9],
        ]
    ),
    np.array([(4.0 - _R) / 10.0, (4.0 + _R) / 10.0, 1.0]),
    np.array([-13.0 - 7.0 * _R, -13.0 + 7.0 * _R, -1.0]) / 3.0,  # (8.19)
)

# With the three nodes of Simpson's rule and f(y0) the only other formula of order three differs by the slopes
# f(y0) and f(g1), so it is blind where the slope depends on time alone. One more slope, at a quarter of the
# step, measures the error of the parabola; a third of it is the error of the interpolant in the middle, h^4
# f'''/384.
LOBATTO_IIIC = method_of(
    "lobatto",
    4,
    np.array([[1 / 6, -1 / 3, 1 / 6], [1 / 6, 5 / 12, -1 / 12], [1 / 6, 2 / 3, 1 / 6]]),
    np.array([0.0, 0.5, 1.0]),
    extra=1.0 / 3.0,
    extra_node=0.25,
)
