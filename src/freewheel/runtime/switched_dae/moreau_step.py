"""A step of backward Euler in which ideal elements change sides as they must, and the mode it leads to.

An element has one unknown s, positive while its bit is set and negative while not, and F is the same
for both at s = 0. With s = p - m, p and m >= 0 and p m = 0, a step of backward Euler is a complementarity
problem (Moreau 1988, "Unilateral contact and dry friction in finite freedom dynamics"): of each pair one is
in the basis, which makes the matrix of a mode, and the others follow from it,

    B x = q - C z      w = v + M z      w: the pairs' own of x = B^-1 q,  M = -B^-1 C in their rows

It is solved from the present mode (`complementarity.py`); Newton's iteration around it where F bends. What is
singular, a loop of closed elements or a part that only open ones connect, is no basis: elements that the
rank leaves out change sides first. Each basis that was found by pivots is made anew and judged again. Nothing
leaks, and a value is zero where the rounding of the terms it is made of is larger.

`moreau_step` makes one step; `select_by_steps` finds the mode that follows on an instant: two steps of h and
two of h/16 must end in the same one. It is decided from above, from a share of the step downwards. A guard
that departs like h^2 is below rounding for short steps, and the old mode would seem to go on.
"""

from __future__ import annotations

from math import inf, sqrt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.complementarity import (
    NO_SOLUTION,
    SOLVED,
    criss_cross,
    invert,
    lemke,
)
from freewheel.runtime.switched_dae.memory import AT_Y, GO_ON, RAY, Core
from freewheel.runtime.switched_dae.mode_selection import (
    all_bits,
    bit_of,
    core_select,
    hold_elements,
    look_ahead_matrices,
    one_corner_each,
    unknown_of,
)
from freewheel.runtime.switched_dae.scaling import corner_of
from freewheel.runtime.switched_dae.thresholds import PIVOTS, SELECTION
from freewheel.runtime.thresholds import FOREVER, TINIEST

core_moreau = KernelModule("core_moreau", core_select)


@core_moreau.kernel
def power_of_two(x: Float) -> Float:
    """Near x: scaling by it makes no rounding, so that what cancels exactly still does."""
    power = 1.0
    while power < x and power < FOREVER:
        power *= 2.0
    while power > x and power > TINIEST:
        power *= 0.5
    return power


@core_moreau.kernel
def balance_step(
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
    for _ in range(SELECTION.balance):
        for i in range(n):
            largest = 0.0
            for j in range(n):
                largest = max(largest, abs(zeros[i * n + j]) * columns[j])
            for a in range(k):
                largest = max(largest, abs(ones[i * n + unknown_of(core, a)]) * plus[a])
            if largest > 0.0:
                rows[i] = sqrt(rows[i] / largest)
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
        columns[i] = power_of_two(columns[i])
    for a in range(k):
        plus[a] = power_of_two(plus[a])
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(zeros[i * n + j]) * columns[j])
        for a in range(k):
            largest = max(largest, abs(ones[i * n + unknown_of(core, a)]) * plus[a])
        rows[i] = power_of_two(1.0 / largest) if largest > 0.0 else 1.0
    for i in range(n):
        for j in range(n):
            zeros[i * n + j] *= rows[i] * columns[j]
        for a in range(k):
            ones[i * n + unknown_of(core, a)] *= rows[i] * plus[a]


@core_moreau.kernel
def put_basis(core: Core, n: Int, k: Int, out: Floats) -> None:
    """The matrix in which of each pair the one that `signs` says is unknown."""
    zeros = core.zeros
    ones = core.ones
    for i in range(n * n):
        out[i] = zeros[i]
    for e in range(k):
        s = unknown_of(core, e)
        for i in range(n):
            if core.signs[e] > 0.0:
                out[i * n + s] = ones[i * n + s]
            else:
                out[i * n + s] = -zeros[i * n + s]


@core_moreau.kernel
def repair_basis(core: Core, n: Int, k: Int, rank: Int, a: Floats) -> Int:
    """Elements that the rank leaves out change sides; where another unknown is left out, the element does
    that depends on it most. How many did."""
    columns = core.columns_of
    count = 0
    for j in range(rank, n):
        turned = -1
        for e in range(k):
            if unknown_of(core, e) == columns[j]:
                turned = e
        most = sqrt(SELECTION.rank)
        if turned < 0:
            for i in range(rank):
                for e in range(k):
                    is_free = unknown_of(core, e) == columns[i] and core.is_swapped[e] == 0
                    if is_free and abs(a[i * n + j]) > most:
                        most = abs(a[i * n + j])
                        turned = e
        if turned >= 0:
            core.signs[turned] = -core.signs[turned]
            core.is_swapped[turned] = 1
            count += 1
    return count


@core_moreau.kernel
def find_basis(core: Core, n: Int, k: Int) -> Int:
    """`inverse` of a regular basis near to that of `signs`, which is left in `matrix`; its rank. Those that
    no element has to do with may be left out: they are zero."""
    inverse = core.inverse
    rank = 0
    for e in range(k):
        core.is_swapped[e] = 0
    for _ in range(k + 2):
        put_basis(core, n, k, inverse)
        core.factor_count += 1
        rank = invert(n, inverse, core.rows_of, core.columns_of, SELECTION.rank)
        if rank == n or repair_basis(core, n, k, rank, inverse) == 0:
            break
    put_basis(core, n, k, core.matrix)
    return rank


@core_moreau.kernel
def add_solved(core: Core, n: Int, rank: Int, right: Floats, x: Floats) -> None:
    """Adds what the right-hand side does to the unknowns of the basis."""
    inverse = core.inverse
    for i in range(rank):
        total = 0.0
        for j in range(rank):
            total += inverse[i * n + j] * right[core.rows_of[j]]
        x[core.columns_of[i]] += total


@core_moreau.kernel
def evaluate_basis(
    core: Core, n: Int, k: Int, rank: Int, q: Floats, memory: Floats, x: Floats
) -> None:
    """x = B^-1 q, refined once; then `pair` and `noise` of the elements and the matrix M in `table`."""
    inverse = core.inverse
    basis = core.matrix
    right = core.misfit
    for i in range(n):
        x[i] = 0.0
    add_solved(core, n, rank, q, x)
    for i in range(n):
        total = q[i]
        size = memory[i] + abs(q[i])
        for j in range(n):
            term = basis[i * n + j] * x[j]
            total -= term
            size += abs(term)
        right[i] = total
        core.terms[i] = size
    add_solved(core, n, rank, right, x)
    for e in range(k):
        s = unknown_of(core, e)
        element = core.elements[core.active[e]]
        ever = element.ever_above / core.above_scale[e]
        if core.signs[e] < 0.0:
            ever = element.ever_below / core.column_scale[s]
        core.pair[e] = x[s]
        place = -1
        for i in range(rank):
            if core.columns_of[i] == s:
                place = i
        size = 0.0
        for j in range(rank):
            size += abs(inverse[place * n + j]) * core.terms[core.rows_of[j]] if place >= 0 else 0.0
        core.noise[e] = SELECTION.round_off * max(size, ever)
        for f in range(k):
            c = unknown_of(core, f)
            total = 0.0
            most = 0.0
            for j in range(rank):
                row = core.rows_of[j]
                column = core.ones[row * n + c] if core.signs[f] < 0.0 else -core.zeros[row * n + c]
                if place >= 0 and column != 0.0:
                    term = inverse[place * n + j] * column
                    total -= term
                    most += abs(term)
            core.pairs[e * k + f] = 0.0 if abs(total) < PIVOTS.cancelled * most else total


@core_moreau.kernel
def by_lemke(core: Core, k: Int) -> Int:
    """From the same basis, where the network is not passive or pivots go round."""
    wide = 2 * k + 2
    table = core.lemke_table
    z = core.lemke_solution
    largest = 0.0
    for e in range(k):
        largest = max(largest, abs(core.pair[e]))
        core.is_swapped[e] = 0
    for e in range(k):
        for j in range(k):
            table[e * wide + j] = 1.0 if e == j else 0.0
            table[e * wide + k + j] = -core.pairs[e * k + j]
        table[e * wide + 2 * k] = -1.0
        is_small = abs(core.pair[e]) <= core.noise[e]
        table[e * wide + 2 * k + 1] = 0.0 if is_small else core.pair[e] / largest
    made = lemke(k, table, core.lemke_basis, z)
    if made < 0:
        return -1
    for e in range(k):
        core.is_swapped[e] = 1 if z[e] > 0.0 else 0
    return 0


@core_moreau.kernel
def solve_pairs(core: Core, n: Int, k: Int, q: Floats, memory: Floats, x: Floats) -> Int:
    """`signs` and x of the solution, from the basis of `signs`; RAY: there is none."""
    for turn in range(SELECTION.most_bases):
        rank = find_basis(core, n, k)
        evaluate_basis(core, n, k, rank, q, memory, x)
        is_right = 1
        for e in range(k):
            if core.pair[e] < -core.noise[e]:
                is_right = 0
        if is_right == 1:
            return 0
        if turn < SELECTION.most_bases // 2:
            answer = criss_cross(k, core.pairs, core.pair, core.noise, core.is_swapped)
            core.pivots_made += 1
        else:
            answer = NO_SOLUTION
        if answer != SOLVED:
            evaluate_basis(core, n, k, rank, q, memory, x)
            if by_lemke(core, k) != 0:
                return RAY
        count = 0
        for e in range(k):
            if core.is_swapped[e] == 1:
                core.signs[e] = -core.signs[e]
                count += 1
        if count == 0:
            return 0
    return RAY


@core_moreau.kernel
def moreau_step(core: Core, m: Floats, k: Int, t: Float, h: Float, x: Floats, out: Floats) -> Int:
    """A step of backward Euler from x at t, in which elements may change sides; `signs`, and the bits, are
    those it begins with, then those of its end."""
    n = core.n
    ys = core.ys
    zeros = core.zeros
    ones = core.ones
    q = core.constant
    point = core.point
    rows = core.row_scale
    columns = core.column_scale
    plus = core.above_scale
    signs = core.signs
    memory = core.r
    for i in range(n):
        point[i] = (
            x[i] if core.is_linear == 0 else 0.0
        )  # residuals of large values have their rounding
    for e in range(k):
        point[unknown_of(core, e)] = 0.0  # from the corner
    for turn in range(SELECTION.most_rounds):
        if n >= SELECTION.large and core.refresh(GO_ON, AT_Y, t) != 0:
            return RAY
        for i in range(n):
            ys[i] = point[i]
            ys[n + i] = (point[i] - x[i]) / h
        for e in range(k):
            s = unknown_of(core, e)
            ys[s] = point[s] + corner_of(core, m, core.active[e])
            ys[n + s] = 0.0
        all_bits(core, m, k, 0.0)
        for e in range(k):
            m[bit_of(core, e)] = 1.0 if point[unknown_of(core, e)] > 0.0 else 0.0
        if core.rates(m, t + h, 0, ys, q) != 0:
            return RAY
        if look_ahead_matrices(core, m, k, t + h, h, ys, zeros, ones, core.both) != 0:
            return RAY
        # q = J point - F, the unknowns being x(t + h), p and m themselves
        for i in range(n):
            total = -q[i]
            size = 0.0
            for j in range(n):
                total += zeros[i * n + j] * point[j]
                size += abs(zeros[i * n + j] * point[j])
                size += abs(core.both[n * n + i * n + j]) / h * max(abs(x[j]), core.ever[j])
            for e in range(k):
                s = unknown_of(core, e)
                if point[s] > 0.0:
                    total += (ones[i * n + s] - zeros[i * n + s]) * point[s]
            q[i] = total
            memory[i] = size
        balance_step(core, n, k, zeros, ones, rows, columns, plus)
        for i in range(n):
            q[i] *= rows[i]
            memory[i] *= rows[i]
        if solve_pairs(core, n, k, q, memory, point[n:]) != 0:
            return RAY
        for e in range(k):
            s = unknown_of(core, e)
            value = max(point[n + s], 0.0)
            # columns of elements below are those of m, with the scale of s
            point[n + s] = value * plus[e] / columns[s] if signs[e] > 0.0 else -value
        change = 0.0
        size = 0.0
        for i in range(n):
            change = max(change, abs(point[n + i] - point[i] / columns[i]))
            size = max(size, abs(point[n + i]))
            point[i] = point[n + i] * columns[i]
        if not size < inf:
            return RAY
        for e in range(k):
            m[bit_of(core, e)] = 1.0 if signs[e] > 0.0 else 0.0
        if core.is_linear == 1 or (turn > 0 and change <= SELECTION.agreed * size):
            break
    for i in range(n):
        out[i] = point[i]
    for e in range(k):
        out[unknown_of(core, e)] += corner_of(core, m, core.active[e])
    return 0


@core_moreau.kernel
def read_signs(core: Core, m: Floats, k: Int) -> None:
    for e in range(k):
        core.signs[e] = 1.0 if m[bit_of(core, e)] > 0.5 else -1.0


@core_moreau.kernel
def put_signs(core: Core, m: Floats, k: Int, signs: Floats) -> None:
    for e in range(k):
        m[bit_of(core, e)] = 1.0 if signs[e] > 0.0 else 0.0


@core_moreau.kernel
def select_by_steps(core: Core, m: Floats, t: Float, x: Floats, h: Float, first_look: Int) -> Int:
    """Bits of all complementarity elements for the time after t, coming from x: those after the second of two
    steps of h, and of h/16, which must be the same. Gives the number of look-aheads from `first_look` on;
    `look_aheads_by_steps`: no two of them agree; -1: there is no solution."""
    n = core.n
    k = one_corner_each(core, m, hold_elements(core, m), x)
    if k == 0:
        return -1
    core.selections += 1
    found = core.found_signs
    first = core.first_signs
    ahead = core.ahead
    is_found = 0
    answer = SELECTION.look_aheads_by_steps
    for _ in range(first_look):
        h /= SELECTION.nearer
    read_signs(core, m, k)
    for e in range(k):
        first[e] = core.signs[e]
    for look in range(first_look, SELECTION.look_aheads_by_steps):
        for e in range(k):
            core.signs[e] = first[e]
        failed = moreau_step(core, m, k, t, h, x, ahead)
        if failed == 0:
            for e in range(k):
                core.warm_signs[e] = core.signs[e]
                if is_found == 1:
                    core.signs[e] = found[e]
            failed = moreau_step(core, m, k, t + h, h, ahead, ahead[n:])
        h /= SELECTION.nearer
        if failed != 0 and is_found == 1:
            break
        if failed != 0:
            continue
        same = is_found
        for e in range(k):
            first[e] = core.warm_signs[e]
            if core.signs[e] != found[e]:
                same = 0
        if same == 1:
            answer = look
            break
        is_found = 1
        for e in range(k):
            found[e] = core.signs[e]
    if is_found == 0 and first_look == 0:
        return -1
    put_signs(core, m, k, found)
    return answer
