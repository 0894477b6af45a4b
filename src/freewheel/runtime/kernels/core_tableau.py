"""Radau IIA of order 5 as numbers the kernels can take: nodes, inverse matrix, its eigenvectors,
collocation polynomial, error weights. Hairer, Wanner II, section IV.8."""

from __future__ import annotations

import numpy as np

from freewheel.runtime.integrate import radau as reference

_INVERSE = [[float(x) for x in row] for row in np.linalg.inv(reference.A)]
C1, C2 = float(reference.C[0]), float(reference.C[1])
MU = reference.MU_REAL
MU_R, MU_I = reference.MU_COMPLEX.real, reference.MU_COMPLEX.imag
X1, X2, X3 = (float(x) for x in reference.T_REAL)
ZR1, ZR2, ZR3 = (2.0 * float(x.real) for x in reference.T_COMPLEX)
ZI1, ZI2, ZI3 = (2.0 * float(x.imag) for x in reference.T_COMPLEX)
T1, T2, T3 = (float(x) for x in reference.TI_REAL)
TR1, TR2, TR3 = (float(x.real) for x in reference.TI_COMPLEX)
TI1, TI2, TI3 = (float(x.imag) for x in reference.TI_COMPLEX)
B11, B12, B13 = _INVERSE[0]
B21, B22, B23 = _INVERSE[1]
B31, B32, B33 = _INVERSE[2]
P11, P12, P13 = (float(x) for x in reference.POWERS[0])
P21, P22, P23 = (float(x) for x in reference.POWERS[1])
P31, P32, P33 = (float(x) for x in reference.POWERS[2])
E1, E2, E3 = (float(x) for x in reference.E)
