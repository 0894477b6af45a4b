"""Which mode comes next: all complementarity elements decided together.

An element has one unknown s, positive while its bit is set and negative while not, and F is the same
for both at s = 0. With s = p - m, p and m >= 0 and p m = 0, a look-ahead by one small backward Euler
step becomes a linear complementarity problem w = M z + q, solved by Lemke's method (Cottle, Pang,
Stone, The Linear Complementarity Problem, section 4.4); Newton's iteration around it where F bends.

A leak makes every basis regular; it is used here only, never in what is integrated. Without leak and
scaling Lemke's method ends on a ray for one ideal diode loop in six. Rows and columns, those of p and
of m apart, are balanced first: a leak is small in any units. Elements that are held take no part.
"""

from __future__ import annotations

from math import sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.switched_dae.complementarity import core_pairs, largest_from, lemke
from freewheel.runtime.switched_dae.memory import AT_Y, GO_ON, RAY, Core
from freewheel.runtime.switched_dae.radau_descriptor import core_step
from freewheel.runtime.switched_dae.scaling import corner_of, is_held
from freewheel.runtime.switched_dae.thresholds import PIVOTS, SELECTION

core_select = KernelModule("core_select", core_pairs, core_step)


@core_select.kernel
def hold_elements(core: Core, m: Floats) -> Int:
    """Set the bits of held elements; how many are free: their numbers go to `active`. Pinned ones stay."""
    k = core.element_count
    count = 0
    for e in range(k):
        if is_held(core, m, e) == 1:
            m[core.elements[e].bit_slot] = core.elements[e].held_bit
        elif core.elements[e].is_pinned == 0:
            core.active[count] = e
            count += 1
    return count


@core_select.kernel
def one_corner_each(core: Core, m: Floats, k: Int, x: Floats) -> Int:
    """Of the corners of one unknown only the nearest is free, the others stay on the side where x is;
    how many are left. `next_corners` goes on where the solution is beyond one that is not free."""
    active = core.active
    count = 0
    for a in range(k):
        e = active[a]
        s = core.elements[e].unknown
        near = -1
        for b in range(count):
            if core.elements[active[b]].unknown == s:
                near = b
        if near < 0:
            active[count] = e
            count += 1
        else:
            other = active[near]
            if abs(x[s] - corner_of(core, m, e)) < abs(x[s] - corner_of(core, m, other)):
                active[near] = e
                e = other
            above = 1.0 if x[s] > corner_of(core, m, e) else 0.0
            m[core.elements[e].bit_slot] = above
    return count


@core_select.kernel
def is_free_corner(core: Core, m: Floats, e: Int) -> Int:
    """1: neither the model's logic nor a choice of pieces holds the element."""
    return 1 if is_held(core, m, e) == 0 and core.elements[e].is_pinned == 0 else 0


@core_select.kernel
def next_corners(core: Core, m: Floats, k: Int, x: Floats) -> Int:
    """Where x is beyond a corner that is not free, that one takes the place of the free one, which stays on
    the side where x is; how many have changed. A curve of three pieces is passed as a whole where a
    jump is larger than the middle piece. Each unknown is counted from its free corner in x."""
    active = core.active
    count = 0
    for a in range(k):
        here = active[a]
        s = core.elements[here].unknown
        at = corner_of(core, m, here)
        above = 1.0 if x[s] > 0.0 else 0.0
        passed = -1
        for e in range(core.element_count):
            if e == here or core.elements[e].unknown != s or is_free_corner(core, m, e) == 0:
                continue
            place = corner_of(core, m, e)
            bit = m[core.elements[e].bit_slot]
            is_ahead = (bit < 0.5 and place > at) if above > 0.5 else (bit > 0.5 and place < at)
            is_beyond = x[s] > place - at if above > 0.5 else x[s] < place - at
            if not is_ahead or not is_beyond:
                continue
            if passed < 0 or abs(place - at) < abs(corner_of(core, m, passed) - at):
                passed = e
        if passed >= 0:
            m[core.elements[here].bit_slot] = above
            active[a] = passed
            count += 1
    return count


@core_select.kernel
def unknown_of(core: Core, a: Int) -> Int:
    """Of the free element number a."""
    return core.elements[core.active[a]].unknown


@core_select.kernel
def bit_of(core: Core, a: Int) -> Int:
    """Its slot in memory."""
    return core.elements[core.active[a]].bit_slot


@core_select.kernel
def all_bits(core: Core, m: Floats, count: Int, value: Float) -> None:
    for a in range(count):
        m[bit_of(core, a)] = value


@core_select.kernel
def even_out(
    core: Core,
    n: Int,
    k: Int,
    zeros: Floats,
    ones: Floats,
    rows: Floats,
    columns: Floats,
    plus: Floats,
) -> None:
    """Scales of rows, of columns and of the columns above the corners; the matrices are scaled."""
    for i in range(n):
        rows[i] = 1.0
        columns[i] = 1.0
    for a in range(k):
        plus[a] = 1.0
    for sweep in range(SELECTION.balance):
        for i in range(n):
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(zeros[i * n + j]) * columns[j])
            for a in range(k):
                largest = max(largest, abs(ones[i * n + unknown_of(core, a)]) * plus[a])
            if largest > 0.0:
                rows[i] = (
                    1.0 / largest if sweep == SELECTION.balance - 1 else sqrt(rows[i] / largest)
                )
        if sweep == SELECTION.balance - 1:
            break
        for j in range(n):
            largest = 0.0
            for i in range(n):
                largest = max(largest, abs(zeros[i * n + j]) * rows[i])
            if largest > 0.0:
                columns[j] = sqrt(columns[j] / largest)
        for a in range(k):
            largest = 0.0
            for i in range(n):
                largest = max(largest, abs(ones[i * n + unknown_of(core, a)]) * rows[i])
            if largest > 0.0:
                plus[a] = sqrt(plus[a] / largest)
    for i in range(n):
        for j in range(n):
            zeros[i * n + j] *= rows[i] * columns[j]
        for a in range(k):
            ones[i * n + unknown_of(core, a)] *= rows[i] * plus[a]


@core_select.kernel
def solve_fully(n: Int, columns: Int, a: Floats, right: Floats, order: Ints, spare: Floats) -> None:
    """Gauss elimination with full pivoting; unknowns that nothing determines become zero (nodes that
    hang on open switches). `right` holds the right-hand sides one after the other."""
    for j in range(n):
        order[j] = j
    rank = n
    for k in range(n):
        pivot = largest_from(n, a, k)
        row = pivot // n
        column = pivot % n
        if not abs(a[pivot]) >= SELECTION.rank:
            rank = k
            break
        for j in range(n):
            held = a[k * n + j]
            a[k * n + j] = a[row * n + j]
            a[row * n + j] = held
        for e in range(columns):
            held = right[e * n + k]
            right[e * n + k] = right[e * n + row]
            right[e * n + row] = held
        for i in range(n):
            held = a[i * n + k]
            a[i * n + k] = a[i * n + column]
            a[i * n + column] = held
        swapped = order[k]
        order[k] = order[column]
        order[column] = swapped
        for i in range(k + 1, n):
            factor = a[i * n + k] / a[k * n + k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i * n + j] -= factor * a[k * n + j]
                for e in range(columns):
                    right[e * n + i] -= factor * right[e * n + k]
    for e in range(columns):
        b = right[e * n :]
        for k in range(rank - 1, -1, -1):
            total = b[k]
            for j in range(k + 1, rank):
                total -= a[k * n + j] * b[j]
            b[k] = total / a[k * n + k]
        for k in range(rank, n):
            b[k] = 0.0
        for j in range(n):
            spare[order[j]] = b[j]
        for j in range(n):
            b[j] = spare[j]


@core_select.kernel
def eliminate(
    core: Core,
    n: Int,
    k: Int,
    zeros: Floats,
    ones: Floats,
    signs: Floats,
    q: Floats,
    leak: Float,
    matrix: Floats,
    right: Floats,
    pivots: Ints,
    spare: Floats,
) -> None:
    """Everything but one unknown per element solved for: `right` has rows of (constant, columns).

    Of an element with sign -1 the branch s = -m is in the basis and p is to be found, else m.
    """
    for i in range(n):
        for j in range(n):
            matrix[i * n + j] = zeros[i * n + j]
        right[i] = q[i]
    for e in range(k):
        s = unknown_of(core, e)
        for i in range(n):
            plus = ones[i * n + s]
            minus = -zeros[i * n + s]
            leaky_plus = plus - leak * minus
            leaky_minus = minus - leak * plus
            if signs[e] < 0.0:
                matrix[i * n + s] = leaky_minus
                right[(e + 1) * n + i] = -leaky_plus
            else:
                matrix[i * n + s] = leaky_plus
                right[(e + 1) * n + i] = -leaky_minus
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(matrix[i * n + j]))
        if largest == 0.0:
            continue
        for j in range(n):
            matrix[i * n + j] /= largest
        for e in range(k + 1):
            right[e * n + i] /= largest
    solve_fully(n, k + 1, matrix, right, pivots, spare)


@core_select.kernel
def complement(
    core: Core, n: Int, k: Int, right: Floats, scale: Floats, table: Floats, basis: Ints, z: Floats
) -> Int:
    """Lemke's table from what `eliminate` left, scaled; z comes back unscaled."""
    wide = 2 * k + 2
    largest = 0.0
    for e in range(k):
        s = unknown_of(core, e)
        scale[e] = 1.0 / sqrt(max(abs(right[(e + 1) * n + s]), PIVOTS.negative))
        largest = max(largest, abs(scale[e] * right[s]))
    if largest == 0.0:
        largest = 1.0
    for e in range(k):
        s = unknown_of(core, e)
        for j in range(k):
            table[e * wide + j] = 1.0 if e == j else 0.0
            table[e * wide + k + j] = -scale[e] * right[(j + 1) * n + s] * scale[j]
        table[e * wide + 2 * k] = -1.0
        table[e * wide + 2 * k + 1] = scale[e] * right[s] / largest
    made = lemke(k, table, basis, z)
    size = 0.0
    for e in range(k):
        z[e] *= scale[e] * largest
        size = max(size, z[e])
    for e in range(k):
        if z[e] < SELECTION.nothing * size:
            z[e] = 0.0
    return made


@core_select.kernel
def is_solved(core: Core, n: Int, k: Int, right: Floats, z: Floats) -> Int:
    """1: w = M z + q is not negative, and zero where z is not. Of two parallel diodes that both conduct
    the table knows how they share a current to many digits, and how much it is to none."""
    for e in range(k):
        s = unknown_of(core, e)
        total = right[s]
        size = abs(right[s])
        for j in range(k):
            term = right[(j + 1) * n + s] * z[j]
            total += term
            size += abs(term)
        if total < -SELECTION.solved * size or (z[e] > 0.0 and total > SELECTION.solved * size):
            return 0
    return 1


@core_select.kernel
def look_ahead_matrices(
    core: Core,
    m: Floats,
    k: Int,
    t: Float,
    h: Float,
    ys: Floats,
    zeros: Floats,
    ones: Floats,
    spare: Floats,
) -> Int:
    """dF/dy of a backward Euler step with all free elements below, and above, their corners."""
    n = core.n
    square = n * n
    all_bits(core, m, k, 1.0)
    if core.jacobians(m, t, ys, ys[n:], spare) != 0:
        return RAY
    for i in range(square):
        ones[i] = spare[i] + spare[square + i] / h
    all_bits(core, m, k, 0.0)
    if core.jacobians(m, t, ys, ys[n:], spare) != 0:
        return RAY
    for i in range(square):
        zeros[i] = spare[i] + spare[square + i] / h
    return 0


@core_select.kernel
def select_core(core: Core, m: Floats, t: Float, x: Floats) -> Int:
    """Set the bits of all complementarity elements for the time after t, coming from x."""
    free = hold_elements(core, m)
    k = one_corner_each(core, m, free, x)
    if k == 0:
        return 0
    for _ in range(free - k + 1):
        status = select_at_corners(core, m, t, x, k)
        if status != 0 or next_corners(core, m, k, core.point) == 0:
            return status
    return 0


@core_select.kernel
def select_at_corners(core: Core, m: Floats, t: Float, x: Floats, k: Int) -> Int:
    """The free corners decided together; `point` is the end of the look-ahead, counted from these corners."""
    n = core.n
    h = core.look
    ys = core.ys
    zeros = core.zeros
    ones = core.ones
    spare = core.both
    matrix = core.matrix
    right = core.right
    q = core.constant
    point = core.point
    rows = core.row_scale
    columns = core.column_scale
    plus = core.above_scale
    signs = core.signs
    scale = core.pair_scale
    z = core.pair
    first = core.first_signs
    table = core.table
    basis = core.basis
    core.selections += 1
    least = SELECTION.leak
    for _ in range(
        (core.settled - 1) % SELECTION.look_aheads
    ):  # elements may have leaks of that size themselves
        least = max(0.1 * least, SELECTION.least_leak)
    for e in range(k):
        signs[e] = 1.0 if m[bit_of(core, e)] > 0.5 else -1.0
    for i in range(n):
        point[i] = x[i]
    for e in range(k):
        point[unknown_of(core, e)] = 0.0  # from the corner
    for turn in range(SELECTION.most_rounds):
        for i in range(n):
            ys[i] = point[i]
            ys[n + i] = (point[i] - x[i]) / h
        for e in range(k):
            s = unknown_of(core, e)
            ys[s] = point[s] + corner_of(core, m, core.active[e])
            ys[n + s] = 0.0
        if core.rates(m, t + h, 0, ys, q) != 0:
            return RAY
        if look_ahead_matrices(core, m, k, t + h, h, ys, zeros, ones, spare) != 0:
            return RAY
        # q = J point - F, the unknowns being x(t + h), p and m themselves
        for i in range(n):
            total = -q[i]
            for j in range(n):
                total += zeros[i * n + j] * point[j]
            for e in range(k):
                s = unknown_of(core, e)
                if point[s] > 0.0:
                    total += (ones[i * n + s] - zeros[i * n + s]) * point[s]
            q[i] = total
        even_out(core, n, k, zeros, ones, rows, columns, plus)
        for i in range(n):
            q[i] *= rows[i]
        made = -1
        for e in range(k):
            first[e] = signs[e]
        for attempt in range(2 * SELECTION.bases):
            if n >= SELECTION.large and core.refresh(GO_ON, AT_Y, t) != 0:
                return RAY
            basis_of = attempt % SELECTION.bases
            leak = (
                least
                if basis_of < 3
                else (SELECTION.second_leak if basis_of < 6 else SELECTION.third_leak)
            )
            for e in range(k):
                signs[e] = first[e] if basis_of % 3 == 0 else (-1.0 if basis_of % 3 == 1 else 1.0)
            eliminate(core, n, k, zeros, ones, signs, q, leak, matrix, right, basis, spare)
            made = complement(core, n, k, right, scale, table, basis, z)
            if made >= 0 and (attempt >= SELECTION.bases or is_solved(core, n, k, right, z) == 1):
                break
        if made < 0:
            return RAY
        core.pivots_made += made
        for i in range(n):
            total = right[i]
            for e in range(k):
                total += right[(e + 1) * n + i] * z[e]
            point[n + i] = total * columns[i]
        for e in range(k):
            s = unknown_of(core, e)
            value = max(point[n + s] / columns[s], 0.0)
            if z[e] > 0.0:
                signs[e] = -signs[e]
                value = z[e]
            point[n + s] = value * plus[e] if signs[e] > 0.0 else -value * columns[s]
        change = 0.0
        size = 0.0
        for i in range(n):
            change = max(change, abs(point[n + i] - point[i]) / columns[i])
            size = max(size, abs(point[n + i]) / columns[i])
            point[i] = point[n + i]
        for e in range(k):
            m[bit_of(core, e)] = 1.0 if signs[e] > 0.0 else 0.0
        if core.is_linear == 1 or (turn > 0 and change <= SELECTION.agreed * size):
            return 0
    return 0
