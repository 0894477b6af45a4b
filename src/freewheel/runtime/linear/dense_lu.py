"""Dense LU with partial pivoting, real and complex. Golub, Van Loan, Matrix Computations, 3.4.

    status = lu_factor(n, a, pivots)      # a becomes its factors; status k + 1: column k is singular
    lu_solve(n, a, pivots, b)             # b becomes the solution

Matrices are stored by rows. A complex matrix is two: real and imaginary parts.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int, Ints

dense_lu = KernelModule("dense_lu")


@dense_lu.kernel
def lu_factor(n: Int, a: Floats, pivots: Ints) -> Int:
    for k in range(n):
        best = k
        largest = abs(a[k * n + k])
        for i in range(k + 1, n):
            if abs(a[i * n + k]) > largest:
                largest = abs(a[i * n + k])
                best = i
        pivots[k] = best
        if not largest > 0.0:
            return k + 1
        if best != k:
            for j in range(n):
                held = a[k * n + j]
                a[k * n + j] = a[best * n + j]
                a[best * n + j] = held
        inverse = 1.0 / a[k * n + k]
        for i in range(k + 1, n):
            factor = a[i * n + k] * inverse
            a[i * n + k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i * n + j] -= factor * a[k * n + j]
    return 0


@dense_lu.kernel
def lu_solve(n: Int, a: Floats, pivots: Ints, b: Floats) -> None:
    for k in range(n):
        swap = pivots[k]
        if swap != k:
            held = b[k]
            b[k] = b[swap]
            b[swap] = held
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            total -= a[i * n + j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= a[i * n + j] * b[j]
        b[i] = total / a[i * n + i]


@dense_lu.kernel
def lu_factor_complex(n: Int, ar: Floats, ai: Floats, pivots: Ints) -> Int:
    for k in range(n):
        best = k
        largest = abs(ar[k * n + k]) + abs(ai[k * n + k])
        for i in range(k + 1, n):
            size = abs(ar[i * n + k]) + abs(ai[i * n + k])
            if size > largest:
                largest = size
                best = i
        pivots[k] = best
        if not largest > 0.0:
            return k + 1
        if best != k:
            for j in range(n):
                held = ar[k * n + j]
                ar[k * n + j] = ar[best * n + j]
                ar[best * n + j] = held
                held = ai[k * n + j]
                ai[k * n + j] = ai[best * n + j]
                ai[best * n + j] = held
        pr = ar[k * n + k]
        pi = ai[k * n + k]
        square = pr * pr + pi * pi
        inverse_r = pr / square
        inverse_i = -pi / square
        for i in range(k + 1, n):
            xr = ar[i * n + k]
            xi = ai[i * n + k]
            if xr != 0.0 or xi != 0.0:
                factor_r = xr * inverse_r - xi * inverse_i
                factor_i = xr * inverse_i + xi * inverse_r
                ar[i * n + k] = factor_r
                ai[i * n + k] = factor_i
                for j in range(k + 1, n):
                    ur = ar[k * n + j]
                    ui = ai[k * n + j]
                    ar[i * n + j] -= factor_r * ur - factor_i * ui
                    ai[i * n + j] -= factor_r * ui + factor_i * ur
    return 0


@dense_lu.kernel
def lu_solve_complex(n: Int, ar: Floats, ai: Floats, pivots: Ints, br: Floats, bi: Floats) -> None:
    for k in range(n):
        swap = pivots[k]
        if swap != k:
            held = br[k]
            br[k] = br[swap]
            br[swap] = held
            held = bi[k]
            bi[k] = bi[swap]
            bi[swap] = held
    for i in range(1, n):
        xr = br[i]
        xi = bi[i]
        for j in range(i):
            xr -= ar[i * n + j] * br[j] - ai[i * n + j] * bi[j]
            xi -= ar[i * n + j] * bi[j] + ai[i * n + j] * br[j]
        br[i] = xr
        bi[i] = xi
    for i in range(n - 1, -1, -1):
        xr = br[i]
        xi = bi[i]
        for j in range(i + 1, n):
            xr -= ar[i * n + j] * br[j] - ai[i * n + j] * bi[j]
            xi -= ar[i * n + j] * bi[j] + ai[i * n + j] * br[j]
        pr = ar[i * n + i]
        pi = ai[i * n + i]
        square = pr * pr + pi * pi
        br[i] = (xr * pr + xi * pi) / square
        bi[i] = (xi * pr - xr * pi) / square
