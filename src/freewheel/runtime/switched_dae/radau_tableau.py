"""Radau IIA of order 5 as numbers the kernels can take: nodes, inverse matrix, its eigenvectors,
collocation polynomial, error weights. Hairer, Wanner II, section IV.8.

    from freewheel.runtime.switched_dae import radau_tableau as radau
    radau.MU / h
    increment(theta, z1, z2, z3)
"""

from __future__ import annotations

import numpy as np

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float
from freewheel.runtime.integrators.three_stage import RADAU_IIA

_INVERSE = [[float(x) for x in row] for row in np.linalg.inv(RADAU_IIA.a)]
C1, C2 = float(RADAU_IIA.c[0]), float(RADAU_IIA.c[1])
MU = RADAU_IIA.mu_real
MU_R, MU_I = RADAU_IIA.mu_complex.real, RADAU_IIA.mu_complex.imag
X1, X2, X3 = (float(x) for x in RADAU_IIA.t_real)
ZR1, ZR2, ZR3 = (2.0 * float(x.real) for x in RADAU_IIA.t_complex)
ZI1, ZI2, ZI3 = (2.0 * float(x.imag) for x in RADAU_IIA.t_complex)
T1, T2, T3 = (float(x) for x in RADAU_IIA.ti_real)
TR1, TR2, TR3 = (float(x.real) for x in RADAU_IIA.ti_complex)
TI1, TI2, TI3 = (float(x.imag) for x in RADAU_IIA.ti_complex)
B11, B12, B13 = _INVERSE[0]
B21, B22, B23 = _INVERSE[1]
B31, B32, B33 = _INVERSE[2]
P11, P12, P13 = (float(x) for x in RADAU_IIA.powers[0])
P21, P22, P23 = (float(x) for x in RADAU_IIA.powers[1])
P31, P32, P33 = (float(x) for x in RADAU_IIA.powers[2])
E1, E2, E3 = (float(x) for x in RADAU_IIA.error)

collocation = KernelModule("collocation")


@collocation.kernel
def increment(theta: Float, z1: Float, z2: Float, z3: Float) -> Float:
    """From the beginning of a step to t + theta h, by the polynomial through those of its stages."""
    q1 = P11 * z1 + P12 * z2 + P13 * z3
    q2 = P21 * z1 + P22 * z2 + P23 * z3
    q3 = P31 * z1 + P32 * z2 + P33 * z3
    return theta * (q1 + theta * (q2 + theta * q3))
