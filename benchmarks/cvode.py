"""A C program around CVODE that never enters Python: declarations written out, because the wheel
brings the libraries without their headers.

    solve = cvode_driver(RIGHT_HAND_SIDE_IN_C)
    seconds, steps, y = solve(n, stop, tolerance, y0)

The C text defines `rhs(double t, const double *y, double *dy, long n)` and, for the sparse solver,
`pattern` and `jacobian` by columns.
"""

import ctypes
import os
from collections.abc import Callable

import numpy as np
from measure import best, c_library, sundials

DRIVER = """
#include <stdlib.h>
typedef void *P;
int SUNContext_Create(int, P *);
P N_VMake_Serial(int, double *, P);
double *N_VGetArrayPointer(P);
P SUNSparseMatrix(int, int, int, int, P);
int *SUNSparseMatrix_IndexPointers(P);
int *SUNSparseMatrix_IndexValues(P);
double *SUNSparseMatrix_Data(P);
P SUNLinSol_SuperLUMT(P, P, int, P);
P SUNNonlinSol_FixedPoint(P, int, P);
P CVodeCreate(int, P);
int CVodeInit(P, int (*)(double, P, P, P), double, P);
int CVodeSVtolerances(P, double, P);
int CVodeSetUserData(P, P);
int CVodeSetLinearSolver(P, P, P);
int CVodeSetNonlinearSolver(P, P);
int CVodeSetJacFn(P, int (*)(double, P, P, P, P, P, P, P));
int CVodeSetMaxNumSteps(P, long);
int CVodeSetStopTime(P, double);
int CVode(P, double, P, double *, int);
int CVodeGetNumSteps(P, long *);
void CVodeFree(P *);

static int call_rhs(double t, P y, P dy, P n) {
  rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), *(long *)n);
  return 0;
}
static int call_jacobian(double t, P y, P fy, P J, P n, P a, P b, P c) {
  long size = *(long *)n;
  pattern(size, SUNSparseMatrix_IndexPointers(J), SUNSparseMatrix_IndexValues(J));
  jacobian(t, N_VGetArrayPointer(y), SUNSparseMatrix_Data(J), size);
  return 0;
}
/* Integrate; rows of output at equal distances, as a simulation stores them. */
long solve(long n, double stop, double tolerance, double *y, double *absolute, int stiff,
           long entries, long points, double *rows) {
  P context, memory, A = NULL, solver;
  SUNContext_Create(0, &context);
  P vector = N_VMake_Serial((int)n, y, context);
  P scale = N_VMake_Serial((int)n, absolute, context);
  memory = CVodeCreate(stiff ? 2 : 1, context);
  CVodeInit(memory, call_rhs, 0.0, vector);
  CVodeSVtolerances(memory, tolerance, scale);
  CVodeSetUserData(memory, &n);
  CVodeSetMaxNumSteps(memory, 100000000L);
  if (stiff) {
    A = SUNSparseMatrix((int)n, (int)n, (int)entries, 0, context);
    solver = SUNLinSol_SuperLUMT(vector, A, 1, context);
    CVodeSetLinearSolver(memory, solver, A);
    CVodeSetJacFn(memory, call_jacobian);
  } else {
    solver = SUNNonlinSol_FixedPoint(vector, 0, context);
    CVodeSetNonlinearSolver(memory, solver);
  }
  double t = 0.0;
  for (long i = 1; i <= points; i++) {
    int flag = CVode(memory, stop*i/points, vector, &t, 1);
    if (flag < 0) return flag;
    double *now = N_VGetArrayPointer(vector);
    for (long j = 0; j < n; j++) rows[(i - 1)*n + j] = now[j];
  }
  long steps;
  CVodeGetNumSteps(memory, &steps);
  CVodeFree(&memory);
  return steps;
}
"""

NO_JACOBIAN = """
static void pattern(long n, int *starts, int *rows) {}
static void jacobian(double t, const double *y, double *values, long n) {}
"""

Solve = Callable[..., tuple[float, int, np.ndarray]]


def cvode_driver(code: str, is_stiff: bool) -> Solve | None:
    """The compiled program; None without a compiler or without SUNDIALS."""
    links = sundials()
    if links is None:
        return None
    os.environ["OMP_NUM_THREADS"] = "1"  # the sparse solver; idle threads would spin and count
    library = c_library(code + ("" if is_stiff else NO_JACOBIAN) + DRIVER, *links)
    pointer = np.ctypeslib.ndpointer(np.float64)
    whole, real = ctypes.c_long, ctypes.c_double
    library.solve.argtypes = [
        *(whole, real, real, pointer, pointer, ctypes.c_int, whole, whole, pointer),
    ]
    library.solve.restype = whole

    def solve(stop, tolerance, start, absolute, entries=0, points=500, repeats=3):
        n = len(start)
        rows = np.zeros((points, n))
        steps = 0

        def once() -> None:
            nonlocal steps
            y = np.array(start, dtype=float)
            scale = np.array(absolute, dtype=float)
            steps = library.solve(
                n, stop, tolerance, y, scale, is_stiff, entries, points, rows.reshape(-1)
            )
            assert steps > 0, f"CVODE failed with {steps}"

        return best(once, repeats), steps, rows[-1]

    return solve
