"""The smallest move that respects bounds; where there is none, the one that violates them least.

    within_bounds(q, p, rows, margins, level, z, room)

Row j says how a move z of q numbers changes the distance to bound j: margins[j] + rows[j] z, with rows
of length one. All distances should be `level` at least. The smallest such z is a least distance
problem, solved as nonnegative least squares (Lawson, Hanson, Solving Least Squares Problems, chapter
23), whose residual is zero exactly where no z exists. Its solution is then a proof u >= 0 with
rows' u = 0: whatever z is, the bounds in the proof have a weighted mean distance of u margins / sum u.
With this as the new level the question is asked again until nothing more is in the way (Dinkelbach's
iteration). The bounds of the last proof then all have exactly that distance, so they are reached and
passed at the same instant; the others are asked for the full level again with what freedom is left.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.linear.thresholds import LEAST_DISTANCE

least_distance = KernelModule("least_distance")

OUTSIDE, INSIDE, OF_NO_USE = 0.0, 1.0, 2.0


def room(q: int, p: int) -> int:
    """Floats that `within_bounds` needs."""
    n = q + 1
    return 3 * n + 2 * n * n + p + p * n + 2 * p + q * n


@least_distance.kernel
def dot(n: Int, a: Floats, b: Floats) -> Float:
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@least_distance.kernel
def take_in(n: Int, count: Int, column: Floats, base: Floats, upper: Floats) -> Int:
    """Column number `count` of a QR factorisation; 0: it depends on those before."""
    own = base[count * n :]
    for i in range(n):
        own[i] = column[i]
    for k in range(count):
        upper[k * n + count] = 0.0
    for _ in range(2):  # once more, or rounding is left
        for k in range(count):
            share = dot(n, base[k * n :], own)
            upper[k * n + count] += share
            for i in range(n):
                own[i] -= share * base[k * n + i]
    size = sqrt(dot(n, own, own))
    if size <= LEAST_DISTANCE.flat * sqrt(dot(n, column, column)):
        return 0
    upper[count * n + count] = size
    for i in range(n):
        own[i] /= size
    return 1


@least_distance.kernel
def solve_upper(n: Int, count: Int, base: Floats, upper: Floats, solution: Floats) -> None:
    """Weights of the columns taken in that bring their sum nearest to the last unit vector."""
    for k in range(count - 1, -1, -1):
        total = base[k * n + n - 1]
        for i in range(k + 1, count):
            total -= upper[k * n + i] * solution[i]
        solution[k] = total / upper[k * n + k]


@least_distance.kernel
def most_useful(n: Int, p: Int, columns: Floats, rest: Floats, marks: Floats) -> Int:
    """The column outside with the smallest angle to the rest; -1: none helps."""
    best = -1
    most = LEAST_DISTANCE.nothing
    for j in range(p):
        if marks[j] == OUTSIDE:
            size = sqrt(dot(n, columns[j * n :], columns[j * n :]))
            gain = dot(n, columns[j * n :], rest)
            if gain > most * size:
                most = gain / size
                best = j
    return best


@least_distance.kernel
def go_toward(count: Int, solution: Floats, inside: Floats, u: Floats) -> Int:
    """From u toward the solution until a weight is zero: the place of that one, or -1."""
    first = -1
    share = 1.0
    for k in range(count):
        now = u[int(inside[k])]
        if solution[k] <= 0.0 and (first < 0 or now < share * (now - solution[k])):
            share = now / (now - solution[k]) if now > solution[k] else 0.0
            first = k
    for k in range(count):
        j = int(inside[k])
        u[j] = max(0.0, u[j] + share * (solution[k] - u[j]))
    if first >= 0:
        u[int(inside[first])] = 0.0
    return first


@least_distance.kernel
def nonnegative(
    n: Int, p: Int, columns: Floats, u: Floats, inside: Floats, marks: Floats, work: Floats
) -> Float:
    """Least squares: the sum of u[j] columns[j] beside the last unit vector; how much is left of it.
    The rest itself is at the beginning of `work`."""
    rest = work
    solution = work[n:]
    base = work[2 * n :]
    upper = base[n * n :]
    count = 0
    for j in range(p):
        u[j] = 0.0
        marks[j] = OUTSIDE
    for _ in range(4 * (p + n)):
        for i in range(n):
            rest[i] = 1.0 if i == n - 1 else 0.0
        for k in range(count):
            j = int(inside[k])
            for i in range(n):
                rest[i] -= u[j] * columns[j * n + i]
        best = most_useful(n, p, columns, rest, marks)
        if best < 0:
            break
        marks[best] = OF_NO_USE
        if count == n or take_in(n, count, columns[best * n :], base, upper) == 0:
            continue
        inside[count] = float(best)
        count += 1
        solve_upper(n, count, base, upper, solution)
        if solution[count - 1] <= 0.0:  # rounding chose it
            count -= 1
            continue
        for j in range(p):
            if marks[j] == OF_NO_USE:
                marks[j] = OUTSIDE
        marks[best] = INSIDE
        while go_toward(count, solution, inside, u) >= 0:
            kept = 0
            for k in range(count):
                j = int(inside[k])
                marks[j] = INSIDE if u[j] > 0.0 else OUTSIDE
                if u[j] > 0.0:
                    take_in(n, kept, columns[j * n :], base, upper)
                    inside[kept] = float(j)
                    kept += 1
            count = kept
            solve_upper(n, count, base, upper, solution)
    return sqrt(dot(n, rest, rest))


@least_distance.kernel
def ask(
    q: Int, p: Int, rows: Floats, margins: Floats, level: Float, u: Floats, work: Floats
) -> Int:
    """1, and the smallest move to this level is at the beginning of `work`; 0, and u is a proof that
    there is none. Distances are in units of what is missing."""
    n = q + 1
    inside = work[2 * n + 2 * n * n :]
    marks = inside[n:]
    columns = marks[p:]
    missing = 0.0
    for j in range(p):
        missing = max(missing, level - margins[j])
    if missing == 0.0:
        for i in range(q):
            work[i] = 0.0
        return 1
    for j in range(p):
        for i in range(q):
            columns[j * n + i] = rows[j * q + i]
        columns[j * n + q] = (level - margins[j]) / missing
    if nonnegative(n, p, columns, u, inside, marks, work) < LEAST_DISTANCE.no_way:
        return 0
    for i in range(q):
        work[i] *= -missing / work[q]
    return 1


@least_distance.kernel
def highest_level(
    q: Int, p: Int, rows: Floats, margins: Floats, level: Float, proof: Floats, u: Floats,
    work: Floats,
) -> Float:  # fmt: skip
    """Up to `level` the largest distance that all bounds can have; where it is less, the weights of the
    bounds that prove it."""
    at = level
    for _ in range(p + 2):
        if ask(q, p, rows, margins, at, u, work) == 1:
            return at
        total = 0.0
        mean = 0.0
        least = margins[0]
        for j in range(p):
            total += u[j]
            mean += u[j] * margins[j]
            least = min(least, margins[j])
        mean /= total
        if mean >= at - LEAST_DISTANCE.same * (level - least):
            return at
        at = mean
        for j in range(p):
            proof[j] = u[j]
    return at


@least_distance.kernel
def beside(q: Int, count: Int, held: Floats, row: Floats) -> Float:
    """What of a row lies beside the held directions, written after them; its length."""
    own = held[count * q :]
    for i in range(q):
        own[i] = row[i]
    for _ in range(2):
        for k in range(count):
            share = dot(q, held[k * q :], own)
            for i in range(q):
                own[i] -= share * held[k * q + i]
    return sqrt(dot(q, own, own))


@least_distance.kernel
def hold_proved(
    q: Int, p: Int, count: Int, rows: Floats, margins: Floats, level: Float, proof: Floats,
    z: Floats, held: Floats,
) -> Int:  # fmt: skip
    """z moves until the bounds of the proof have this distance; the directions that would change it are
    held from now on. How many are."""
    largest = 0.0
    for j in range(p):
        largest = max(largest, proof[j])
    for j in range(p):
        if proof[j] > LEAST_DISTANCE.in_proof * largest and count < q:
            size = beside(q, count, held, rows[j * q :])
            if size > LEAST_DISTANCE.flat:
                own = held[count * q :]
                for i in range(q):
                    own[i] /= size
                by = (level - margins[j]) / size
                for i in range(q):
                    z[i] += by * own[i]
                for k in range(p):
                    margins[k] += by * dot(q, rows[k * q :], own)
                count += 1
    return count


@least_distance.kernel
def still_free(
    q: Int, p: Int, count: Int, rows: Floats, margins: Floats, proof: Floats, held: Floats
) -> Int:
    """Rows become what of them lies beside the held directions; those of which nothing is left are
    dropped, and those of the proof. How many there are."""
    largest = 0.0
    for j in range(p):
        largest = max(largest, proof[j])
    kept = 0
    for j in range(p):
        if proof[j] > LEAST_DISTANCE.in_proof * largest or count == q:
            continue
        if beside(q, count, held, rows[j * q :]) > LEAST_DISTANCE.flat:
            for i in range(q):
                rows[kept * q + i] = held[count * q + i]
            margins[kept] = margins[j]
            kept += 1
    return kept


@least_distance.kernel
def within_bounds(
    q: Int, p: Int, rows: Floats, margins: Floats, level: Float, z: Floats, work: Floats
) -> None:
    """The move, in z; `rows` and `margins` are used up."""
    n = q + 1
    proof = work[3 * n + 2 * n * n + p + p * n :]
    u = proof[p:]
    held = u[p:]
    count = 0
    for i in range(q):
        z[i] = 0.0
    while p > 0 and count < q:
        at = highest_level(q, p, rows, margins, level, proof, u, work)
        if at == level:
            for i in range(q):
                z[i] += work[i]
            return
        count = hold_proved(q, p, count, rows, margins, at, proof, z, held)
        p = still_free(q, p, count, rows, margins, proof, held)
