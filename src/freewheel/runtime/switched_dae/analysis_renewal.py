"""The analysis of a mode repeated where its matrices have moved on: same structure, other directions.

    renew_core(core, mode) == 0      # the restart and the projector of errors are those of A and E

A ball on a string has other directions at each point of its path. What the analysis of the mode
(`switched_dae/mode_analysis.py`) decides is kept: units, index, number of states; it is done anew, by Python,
where any of that is no longer true. Only for modes of one part in which nothing is open, and that are small.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.thresholds import ANALYSIS
from freewheel.runtime.thresholds import FOREVER

core_renew = KernelModule("core_renew")


@core_renew.kernel
def reflect(height: Int, width: Int, first: Int, v: Floats, matrix: Floats) -> None:
    """Rows from `first` on of the columns: (I - v v') times them; v has norm sqrt(2)."""
    for j in range(width):
        total = 0.0
        for i in range(first, height):
            total += v[i] * matrix[i * width + j]
        for i in range(first, height):
            matrix[i * width + j] -= v[i] * total


@core_renew.kernel
def householder(height: Int, width: Int, k: Int, column: Int, matrix: Floats, v: Floats) -> Float:
    """v reflects rows k.. of a column onto the first of them; what it becomes there."""
    total = 0.0
    for i in range(k, height):
        v[i] = matrix[i * width + column]
        total += v[i] * v[i]
    size = sqrt(total)
    if size == 0.0:
        return 0.0
    image = -size if v[k] > 0.0 else size
    v[k] -= image
    total = 0.0
    for i in range(k, height):
        total += v[i] * v[i]
    scale = sqrt(2.0 / total)
    for i in range(k, height):
        v[i] *= scale
    return image


@core_renew.kernel
def spread(height: Int, width: Int, matrix: Floats, basis: Floats, v: Floats) -> Int:
    """Rank of a matrix, which is lost. Of `basis`, height times height, the first columns span its
    columns, the others what is perpendicular to them."""
    for i in range(height * height):
        basis[i] = 0.0
    for i in range(height):
        basis[i * height + i] = 1.0
    for k in range(min(height, width)):
        best = k
        largest = 0.0
        for j in range(width):
            total = 0.0
            for i in range(k, height):
                total += matrix[i * width + j] * matrix[i * width + j]
            if total > largest:
                largest = total
                best = j
        if sqrt(largest) <= ANALYSIS.rank:
            return k
        householder(height, width, k, best, matrix, v)
        reflect(height, width, k, v, matrix)
        for i in range(height):  # basis times the reflection
            total = 0.0
            for j in range(k, height):
                total += basis[i * height + j] * v[j]
            for j in range(k, height):
                basis[i * height + j] -= total * v[j]
    return min(height, width)


@core_renew.kernel
def reached_by(
    n: Int, outer: Floats, inner: Floats, count: Int, directions: Floats, work: Floats
) -> Int:
    """`directions`, n times n, become all x with `outer` x among the first `count` columns of
    `inner` directions, in its first columns; how many."""
    image = work
    basis = work[n * n :]
    rest = work[2 * n * n :]
    v = work[3 * n * n :]
    for i in range(n):
        for j in range(count):
            total = 0.0
            for k in range(n):
                total += inner[i * n + k] * directions[k * n + j]
            image[i * count + j] = total
    rank = spread(n, count, image, basis, v) if count > 0 else 0
    for j in range(n):  # rest: what of the columns of `outer` is elsewhere, as rows
        for i in range(n):
            rest[j * n + i] = outer[i * n + j]
        for k in range(rank):
            total = 0.0
            for i in range(n):
                total += basis[i * n + k] * outer[i * n + j]
            for i in range(n):
                rest[j * n + i] -= total * basis[i * n + k]
    rank = spread(n, n, rest, basis, v)
    for i in range(n):
        for j in range(n - rank):
            directions[i * n + j] = basis[i * n + rank + j]
    return n - rank


@core_renew.kernel
def jump_directions(n: Int, e: Floats, a: Floats, index: Int, found: Floats, work: Floats) -> Int:
    """How many; -1: the mode has another index now."""
    count = reached_by(n, e, e, 0, found, work)  # what `e` sends to zero
    rounds = 0
    while count > 0:
        rounds += 1
        larger = reached_by(n, e, a, count, found, work)
        if larger == count:
            break
        count = larger
        if rounds > index:
            return -1
    return count if rounds == index else -1


@core_renew.kernel
def consistent_values(n: Int, e: Floats, a: Floats, found: Floats, work: Floats) -> Int:
    for i in range(n * n):
        found[i] = 0.0
    for i in range(n):
        found[i * n + i] = 1.0
    count = n
    for _ in range(n + 1):
        smaller = reached_by(n, a, e, count, found, work)
        if smaller == count:
            return count
        count = smaller
    return -1


@core_renew.kernel
def solve_levels(
    n: Int, m: Int, levels: Int, e: Floats, a: Floats, jumps: Floats, out: Floats, work: Floats
) -> Int:
    """`out`, (m + (levels + 1) n) rows: from the residuals of all levels to the jumps and derivatives;
    1: there is no such operator. The derivative array's transpose is made triangular."""
    wide = (levels + 1) * n
    height = m + wide
    array = work
    v = work[height * wide :]
    for i in range(height * wide):
        array[i] = 0.0
        out[i] = 0.0
    for i in range(n):
        for j in range(m):
            total = 0.0
            for k in range(n):
                total += a[i * n + k] * jumps[k * n + j]
            array[j * wide + i] = total
        for j in range(n):
            for level in range(levels + 1):
                array[(m + level * n + j) * wide + level * n + i] = e[i * n + j]
                if level > 0:
                    array[(m + (level - 1) * n + j) * wide + level * n + i] = a[i * n + j]
    for j in range(wide):
        out[j * wide + j] = 1.0
    kept = v[height:]  # the reflections, to be undone in reverse
    least = FOREVER
    largest = 1.0
    for k in range(wide):
        image = householder(height, wide, k, k, array, v)
        least = min(least, abs(image))
        largest = max(largest, abs(image))
        reflect(height, wide, k, v, array)
        for i in range(height):
            kept[k * height + i] = v[i] if i >= k else 0.0
    if not least > ANALYSIS.singular * largest:
        return 1
    for column in range(wide):  # the transposed triangle: from the first row on
        for i in range(wide):
            total = out[i * wide + column]
            for k in range(i):
                total -= array[k * wide + i] * out[k * wide + column]
            out[i * wide + column] = total / array[i * wide + i]
    for back in range(wide):
        k = wide - 1 - back
        reflect(height, wide, k, kept[k * height :], out)
    return 0


@core_renew.kernel
def project_errors(
    n: Int, d: Int, values: Floats, jumps: Floats, column: Floats, out: Floats, work: Floats
) -> Int:
    """The part of any y that is in `values`, along `jumps`; 1: they are not apart. By elimination in
    (values jumps | identity)."""
    wide = 2 * n
    for i in range(n):
        for j in range(n):
            work[i * wide + j] = values[i * n + j] if j < d else jumps[i * n + j - d]
            work[i * wide + n + j] = 1.0 if i == j else 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(work[i * wide + k]) > abs(work[best * wide + k]):
                best = i
        if not abs(work[best * wide + k]) > ANALYSIS.singular:
            return 1
        for j in range(wide):
            held = work[k * wide + j]
            work[k * wide + j] = work[best * wide + j]
            work[best * wide + j] = held
        scale = 1.0 / work[k * wide + k]
        for j in range(wide):
            work[k * wide + j] *= scale
        for i in range(n):
            factor = work[i * wide + k]
            if i != k and factor != 0.0:
                for j in range(wide):
                    work[i * wide + j] -= factor * work[k * wide + j]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(d):
                total += values[i * n + k] * work[k * wide + n + j]
            out[i * n + j] = total * column[i] / column[j]
    return 0


@core_renew.kernel
def can_renew(core: Core, mode: Mode) -> Int:
    n = core.n
    if n > ANALYSIS.most_renewed or mode.is_linear == 1 or mode.tau <= 0.0:
        return 0
    if mode.is_singular == 1 or mode.tied > 0:
        return 0
    for i in range(n):
        is_apart = mode.part[i] != 0 or mode.row_part[i] != 0
        if is_apart or mode.level_scale[i] == 0.0:  # a part of its own; it only listens
            return 0
    return 1


@core_renew.kernel
def scale_matrices(core: Core, mode: Mode, a: Floats, e: Floats) -> Int:
    """In the units of the mode; 1: these do no longer fit."""
    n = core.n
    square = n * n
    rows = mode.level_scale
    column = mode.column
    for i in range(n):
        largest = 0.0
        for j in range(n):
            k = i * n + j
            scale = rows[i] * column[j]
            a[k] = mode.matrices[k] * scale
            e[k] = mode.matrices[square + k] * scale / mode.tau
            largest = max(largest, abs(a[k]), abs(e[k]))
        if not (largest >= ANALYSIS.least_entry and largest <= ANALYSIS.most_entry):
            return 1
    return 0


@core_renew.kernel
def renew_core(core: Core, mode: Mode) -> Int:
    """1: the mode must be analysed."""
    if can_renew(core, mode) == 0:
        return 1
    n = core.n
    a = core.scaled_a
    e = core.scaled_e
    jumps = core.jump_rows
    values = core.value_rows
    found = core.levels_found
    work = core.renew_work
    d = mode.states
    m = n - d
    levels = mode.levels
    column = mode.column
    rows = mode.level_scale
    if scale_matrices(core, mode, a, e) != 0:
        return 1
    if jump_directions(n, e, a, mode.index, jumps, work) != m:
        return 1
    if consistent_values(n, e, a, values, work) != d:
        return 1
    if solve_levels(n, m, levels, e, a, jumps, found, work) != 0:
        return 1
    projector = mode.projector
    if project_errors(n, d, values, jumps, column, projector, work) != 0:
        return 1
    operator = mode.restart
    wide = (levels + 1) * n
    for i in range(n):
        scale = column[i]
        for derivative in range(levels + 2):
            for j in range(wide):
                if derivative == 0:
                    entry = 0.0
                    for direction in range(m):
                        entry += jumps[i * n + direction] * found[direction * wide + j]
                else:
                    entry = found[(m + (derivative - 1) * n + i) * wide + j]
                if abs(entry) < ANALYSIS.round_off:
                    entry = 0.0
                operator[(derivative * n + i) * 3 * n + j] = entry * scale * rows[j]
            scale /= mode.tau
    seen = mode.analysed
    for i in range(2 * n * n):
        seen[i] = mode.matrices[i]
    return 0
