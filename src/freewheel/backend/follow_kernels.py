"""Nonlinear loops while time moves on: the solution that is followed must not change its branch.

    i = s^3 - 3*s        from s = 1.2 on, i falling: up to the fold at s = 1, and not to s = -2 unseen

In a continuous phase the old solution z0 of a loop g(z) = 0 belongs to a point close by. Newton's method is
trusted where its steps shrink to a quarter and less (`nearby_solution_kernels.py`). Otherwise the curve
g(z) = share*g(z0) is walked along from share 1 to 0 (Newton's path). Where the share turns, there is a fold
between the two points, and the step that led here is too long. A jump over a fold walks on along the same
curve until the share is 0 again: there the Jacobian has the sign it had before. For one unknown that is the
next solution in the direction in which it moves; for several it does not depend on how equations are scaled
or combined.

`m[follow]` says what is wanted. `m[follow + 1]` tells which loop met a fold: one more than its first slot,
negative where it came to its end without one.
"""

from __future__ import annotations

from freewheel.backend.linear_kernels import fw_eliminate, fw_not_finite
from freewheel.backend.llvm_kernels import (
    fw_norm,
    fw_put,
    fw_residual,
    fw_solve,
)
from freewheel.backend.nearby_solution_kernels import (
    MISLED,
    NEARBY,
    fw_near,
    fw_orientation,
    fw_plain_step,
    fw_slopes,
)
from freewheel.backend.thresholds import CURVE, NEWTON
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints
from freewheel.runtime.events.branch_following import (
    FREE,
    JUMPING,
    JUMPING_UP,
    LENIENT,
    STRICT,
    WATCHED,
)
from freewheel.runtime.thresholds import LARGEST

FOLLOWING = KernelModule("branch_following", NEARBY, exports=("fw_follow",))


SOLVED, TURNED, ENDED, SINGULAR = 0, 1, 2, 3


@FOLLOWING.kernel
def fw_bordered(
    n: Int, a: Floats, b: Floats, scale: Floats, along: Floats, right: Floats, matrix: Floats
) -> Int:
    """a*scale*u - b*share = right, along*u = right[n]: u and the share into `right`."""
    size = n + 1
    for r in range(n):
        for c in range(n):
            matrix[r * size + c] = a[r * n + c] * scale[c]
        matrix[r * size + n] = -b[r]
        matrix[n * size + r] = along[r]
    matrix[n * size + n] = 0.0
    return fw_eliminate(size, matrix, right)


@FOLLOWING.kernel
def fw_correct(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, share: Floats, length: Float, work: Floats,
) -> Int:  # fmt: skip
    """From a predicted point onto the curve, across its tangent."""
    scale = work[n:]
    b = work[2 * n :]
    along = work[3 * n :]
    f = work[4 * n :]
    there = work[5 * n :]
    right = work[6 * n :]
    a = work[7 * n + 1 :]
    matrix = work[7 * n + 1 + n * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 1
    if n == 1:
        share[0] = f[0] / b[0]
        return fw_not_finite(1, share)
    before = 0.5 * length  # beyond it the point would be another one
    for _ in range(CURVE.corrections):
        fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
        for i in range(n):
            right[i] = share[0] * b[i] - f[i]
            there[i] = right[i]
        right[n] = 0.0
        if fw_bordered(n, a, b, scale, along, right, matrix) != 0:
            return 1
        size = 0.0
        for i in range(n):
            size = max(size, abs(right[i]))
        if size > 0.5 * before and size > CURVE.rounded:
            return 1
        for i in range(n):
            x[i] += scale[i] * right[i]
        share[0] += right[n]
        if fw_residual(residual, n, m, slots, x, f) != 0:
            return 1
        if size <= 1e-6 * length:
            return 0
        if size <= CURVE.rounded:
            if has_jacobian == 0:  # differences tell little of a kink
                return 0
            return 0 if fw_has_come(n, x, scale, a, b, share[0], f, there) == 1 else 1
        before = size
    return 1


@FOLLOWING.kernel
def fw_has_come(
    n: Int, x: Floats, scale: Floats, a: Floats, b: Floats, share: Float, f: Floats, before: Floats
) -> Int:  # fmt: skip
    """Whether a correction has led onto the curve, rounding apart: over a kink it leads beside it. `before`:
    what it was to make zero."""
    left = 0.0
    whole = 0.0
    for r in range(n):
        size = abs(share * b[r])
        reach = 0.0
        for c in range(n):
            size += abs(a[r * n + c] * x[c])
            reach += abs(a[r * n + c] * scale[c])
        if reach > 0.0:
            left = max(left, (abs(share * b[r] - f[r]) - NEWTON.rounding * size) / reach)
            whole = max(whole, abs(before[r]) / reach)
    return 1 if not left > CURVE.contraction * whole else 0


@FOLLOWING.kernel
def fw_downhill(
    residual: Function, m: Floats, slots: Ints, x: Floats, scale: Float, trial: Floats, f: Floats
) -> Float:
    """One unknown, slope zero: the only direction in which the residual falls, or 0."""
    start = x[0]
    if fw_residual(residual, 1, m, slots, x, f) != 0:
        return 0.0
    now = abs(f[0])
    length = 1e-7 * scale
    for _ in range(CURVE.most_downhill):
        falls = 0.0
        count = 0
        for side in range(2):
            trial[0] = start + length if side == 0 else start - length
            if fw_residual(residual, 1, m, slots, trial, f) == 0 and abs(f[0]) < (1.0 - 1e-6) * now:
                count += 1
                falls = 1.0 if side == 0 else -1.0
        if count == 1:
            return falls
        if count == 2:
            return 0.0
        length *= 10.0
    return 0.0


@FOLLOWING.kernel
def fw_tangent(n: Int, a: Floats, b: Floats, scale: Floats, along: Floats, work: Floats) -> Float:
    """The direction of the curve into `along`, from the one before; how the share changes in it."""
    right = work
    matrix = work[n + 1 :]
    if n == 1:
        return a[0] * scale[0] * along[0] / b[0]
    for i in range(n):
        right[i] = 0.0
    right[n] = 1.0
    if fw_bordered(n, a, b, scale, along, right, matrix) != 0:
        return 0.0
    size = 0.0
    for i in range(n):
        size = max(size, abs(right[i]))
    for i in range(n):
        along[i] = right[i] / size
    return right[n] / size


@FOLLOWING.kernel
def fw_onward(
    n: Int, a: Floats, b: Floats, scale: Floats, along: Floats, forward: Float, steep: Float, work: Floats
) -> Float:  # fmt: skip
    """The same behind a kink, where the curve may go on to the other side: the determinant tells whether the
    share rises or falls, rounding apart. `forward`: the sign of both together."""
    slope = fw_tangent(n, a, b, scale, along, work)
    if not abs(slope) > steep or not forward * fw_orientation(n, a, work) * slope < 0.0:
        return slope
    for i in range(n):
        along[i] = -along[i]
    return -slope


@FOLLOWING.kernel
def fw_leaving(
    n: Int, a: Floats, b: Floats, scale: Floats, along: Floats, forward: Float, work: Floats
) -> Float:
    """The same at a corner, from the slopes beyond it only: the pieces may be perpendicular. 0 where these
    slopes are singular."""
    right = work
    matrix = work[n:]
    sign = forward * fw_orientation(n, a, matrix)
    for r in range(n):
        right[r] = b[r]
        for c in range(n):
            matrix[r * n + c] = a[r * n + c] * scale[c]
    if sign == 0.0 or fw_eliminate(n, matrix, right) != 0:
        return 0.0
    size = 0.0
    for i in range(n):
        size = max(size, abs(right[i]))
    if not size > 0.0 or size > LARGEST:
        return 0.0
    for i in range(n):
        along[i] = sign * right[i] / size
    return sign / size


@FOLLOWING.kernel
def fw_is_rounding(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, x: Floats, work: Floats,
) -> Int:  # fmt: skip
    """Whether x is as good a solution as can be told."""
    f = work
    a = work[2 * n :]
    if fw_residual(residual, n, m, slots, x, f) != 0:
        return 0
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, work[n:])
    for r in range(n):
        size = 0.0
        for c in range(n):
            size += abs(a[r * n + c]) * (abs(x[c]) + CURVE.floor * nominals[c])
        if not abs(f[r]) <= NEWTON.rounding * size:
            return 0
    return 1 if fw_residual(residual, n, m, slots, x, f) == 0 else 0


@FOLLOWING.kernel
def fw_walk(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    nominals: Floats, start: Floats, mode: Float, sense: Float, work: Floats,
) -> Int:  # fmt: skip
    """Along Newton's path from `start`. SOLVED: the memory holds a solution; after a jump `work[0]` is 1 if
    it lies behind a fold. A lenient walk ends at the fold. `sense`: the sign of the determinant on the branch
    (close to a fold rounding hides it), or 0."""
    told = work
    share = work[1:]
    z = work[2:]
    x = work[n + 2 :]
    ahead = work[2 * n + 2 :]
    own = work[3 * n + 2 :]
    trial = own  # as `fw_correct` wants it: trial, scale, b, along, f, there, right, a, matrix
    scale = own[n:]
    b = own[2 * n :]
    along = own[3 * n :]
    f = own[4 * n :]
    there = own[5 * n :]
    a = own[7 * n + 1 :]
    matrix = own[7 * n + 1 + n * n :]
    told[0] = 0.0
    for i in range(n):
        z[i] = start[i]
    if fw_residual(residual, n, m, slots, z, f) != 0:
        return ENDED
    fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, z, f, a, there)
    side = fw_orientation(n, a, matrix)
    is_behind = 1 if sense * side < 0.0 else 0  # the fold, by rounding
    if is_behind == 1 and mode == STRICT:
        return TURNED
    length = 0.0
    if fw_plain_step(n, z, nominals, a, f, along, matrix) == 0:
        for i in range(n):
            scale[i] = max(abs(z[i]), min(abs(along[i]), nominals[i])) + CURVE.floor * nominals[i]
            length = max(length, abs(along[i]) / scale[i])
            along[i] = -along[i] if is_behind == 1 else along[i]
    else:
        if n > 1:
            return ENDED
        scale[0] = abs(z[0]) + CURVE.floor * nominals[0]
        length = CURVE.rounded
        way = -sense if f[0] > 0.0 else sense
        if way == 0.0:
            way = fw_downhill(residual, m, slots, z, scale[0], trial, there)
        along[0] = length * scale[0] * way
    if not length > 0.0 or fw_norm(n, along) == 0.0:
        return SINGULAR
    now = 0.0  # the share at the beginning, such that rows and columns are alike
    for r in range(n):
        size = 0.0
        for c in range(n):
            size += abs(a[r * n + c]) * scale[c]
        now = max(now, abs(f[r]) / size if size > 0.0 else 0.0)
        along[r] = along[r] / (scale[r] * length)
    now = now if now > 0.0 else 1.0
    length = min(length, 1.0)
    for i in range(n):
        b[i] = f[i] / now
    rate = fw_tangent(n, a, b, scale, along, matrix)
    forward = side if rate > 0.0 else -side  # times the determinant: the sign of the rate
    steep = CURVE.rounded * abs(rate)
    least = CURVE.flat * length
    creeps = 0
    corner = now + now  # the share at the last one
    for _ in range(CURVE.most_steps):
        status = 1
        slope = 0.0
        is_off = 0  # a step has left the curve
        for turn in range(CURVE.most_shorter):
            for i in range(n):
                x[i] = z[i] + length * scale[i] * along[i]
                ahead[i] = along[i]
            guess = now + length * rate
            share[0] = guess
            status = fw_correct(
                residual, jacobian, has_jacobian, n, m, slots, nominals, x, share, length, own
            )  # fmt: skip
            if status != 0:
                is_off = 1
            else:
                fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
                slope = fw_onward(n, a, b, scale, ahead, forward, steep, matrix)
                back = 0.0
                for i in range(n):
                    back -= ahead[i] * along[i]
                if back > 0.0:
                    status = 1
                    is_off = 1
                bend = max(abs(share[0] - guess), 0.5 * abs(slope - rate) * length)
                if not bend <= CURVE.bent * max(abs(now), abs(share[0])):
                    status = 1
                elif mode != JUMPING and slope < 0.0 and turn < CURVE.kink:
                    mean = (share[0] - now) / length
                    is_told = 1 if -min(rate, slope) * length > CURVE.rounded * now else 0
                    if (
                        n > 1 and length <= CURVE.resolved * CURVE.rounded
                    ):  # as the points on the curve are
                        is_told = 0
                    if is_told == 1 and CURVE.apart * max(rate, slope, mean) > min(
                        rate, slope, mean
                    ):
                        status = 1
            if status == 0 and share[0] <= 0.0:
                part = now / (now - share[0])
                for i in range(n):
                    trial[i] = z[i] + part * (x[i] - z[i])
                status = fw_near(
                    residual, jacobian, has_jacobian, n, m, slots, nominals, trial, f
                )  # fmt: skip
                if status == 0:
                    return SOLVED
            if status == 0:
                if turn == 0:
                    length *= 2.0
                break
            creeps += 1
            for i in range(n):
                if length * scale[i] * abs(along[i]) > CURVE.seen * abs(z[i]):
                    creeps -= 1
                    break
            length *= 0.5
            if n > 1 and has_jacobian != 0 and length < CURVE.spacing:
                break
        if n > 1 and (status != 0 or (has_jacobian != 0 and creeps > CURVE.most_creeps)):
            # At a corner a point a little further on tells of the next piece.
            if is_off == 0 or not now < (1.0 - CURVE.seen) * corner:
                return ENDED
            corner = now
            creeps = 0
            length = CURVE.seen
            for i in range(n):
                x[i] = z[i] + length * scale[i] * along[i]
            if fw_residual(residual, n, m, slots, x, f) != 0:
                return ENDED
            fw_slopes(residual, jacobian, has_jacobian, n, m, slots, nominals, x, f, a, there)
            rate = fw_leaving(n, a, b, scale, along, forward, matrix)
            if rate == 0.0:
                return ENDED
            continue
        if status != 0:
            return ENDED
        if slope > 0.0 and mode == STRICT:
            return TURNED
        if slope > 0.0 and mode == LENIENT:
            if length <= least:
                return fw_settled(residual, n, m, slots, z, f)
            length *= 0.25
            continue
        if slope > 0.0:
            told[0] = 1.0
        for i in range(n):
            z[i] = x[i]
            along[i] = ahead[i]
        now = share[0]
        rate = slope
    return ENDED


@FOLLOWING.kernel
def fw_settled(residual: Function, n: Int, m: Floats, slots: Ints, z: Floats, f: Floats) -> Int:
    """What the loop computes besides must belong to the unknowns."""
    return SOLVED if fw_residual(residual, n, m, slots, z, f) == 0 else ENDED


@FOLLOWING.kernel
def fw_noise(residual: Function, m: Floats, slots: Ints, at: Float, x: Floats, f: Floats) -> Float:
    """One unknown: by how much rounding moves its residual. At a fold a residual with large terms does not
    become smaller than that, and its slope tells nothing."""
    low = LARGEST
    high = -LARGEST
    for k in range(CURVE.samples):
        x[0] = at * (1.0 + (k - CURVE.samples / 2) * CURVE.spacing)
        if fw_residual(residual, 1, m, slots, x, f) == 0:
            low = min(low, f[0])
            high = max(high, f[0])
    return max(high - low, 0.0)


@FOLLOWING.kernel
def fw_falls(
    residual: Function, m: Floats, slots: Ints, start: Float, end: Float, work: Floats
) -> Int:
    """1: one unknown, and the residual falls all the way; the memory is solved at the end."""
    x = work
    f = work[1:]
    before = LARGEST
    for k in range(CURVE.samples + 1):
        x[0] = end if k == CURVE.samples else start + (end - start) * k / CURVE.samples
        if fw_residual(residual, 1, m, slots, x, f) != 0 or abs(f[0]) > before:
            return 0
        before = abs(f[0])
    return 1


@FOLLOWING.kernel
def fw_follow(
    residual: Function, jacobian: Function, has_jacobian: Int, n: Int, m: Floats, slots: Ints,
    starts: Floats, nominals: Floats, bounds: Floats, work: Floats, follow: Int, sense: Int,
) -> Int:  # fmt: skip
    """Solves a nonlinear loop, on the branch of the values that its slots hold if `m[follow]` asks for that;
    on failure the slots hold their old values again. `m[sense]` is the sign of the determinant on the branch,
    0 where it is not known yet."""
    mode = STRICT if m[follow] == WATCHED else m[follow]
    if mode >= JUMPING_UP:
        m[sense] = 1.0 if mode == JUMPING_UP else -1.0
        mode = JUMPING
    old = work
    x = work[n:]
    rest = work[2 * n :]
    for i in range(n):
        old[i] = m[slots[i]]
        x[i] = old[i]
    if mode == FREE or fw_not_finite(n, old) != 0:
        m[sense] = 0.0
        return fw_solve(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work
        )
    if m[sense] == 0.0 and fw_residual(residual, n, m, slots, x, rest) == 0:
        a = rest[2 * n :]
        fw_slopes(
            residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest, a, rest[n:]
        )  # fmt: skip
        m[sense] = fw_orientation(n, a, rest[2 * n + n * n :])
    is_turned = 0
    is_singular = 0
    for turn in range(1 + has_jacobian):
        # A derivative by annotation may be wrong: then differences.
        is_given = has_jacobian if turn == 0 else 0
        for i in range(n):
            x[i] = old[i]
        status = fw_near(residual, jacobian, is_given, n, m, slots, nominals, x, rest)
        if status == 0:
            return 0
        if status == MISLED:
            continue
        found = fw_walk(
            residual, jacobian, is_given, n, m, slots, nominals, old, mode, m[sense], rest
        )  # fmt: skip
        if found == SOLVED:
            if mode == JUMPING and rest[0] > 0.0:
                m[follow + 1] = 1.0 + float(slots[0])
            return 0
        if found == TURNED:
            is_turned = 1
        if found == SINGULAR:  # differences would only hide that
            is_singular = 1
            break
    if n == 1 and mode != JUMPING and is_turned == 0 and is_singular == 0:
        # Slopes are of no use, like those of a root at zero: a solution to which the residual falls.
        start = old[0]
        if fw_solve(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, rest
        ) == 0 and fw_falls(residual, m, slots, start, m[slots[0]], rest) == 1:  # fmt: skip
            return 0
    if m[follow] == WATCHED and is_turned == 0:
        m[sense] = 0.0
        fw_put(n, m, slots, old)
        return fw_solve(
            residual, jacobian, has_jacobian, n, m, slots, starts, nominals, bounds, work
        )
    if mode == LENIENT:
        return fw_settled(residual, n, m, slots, old, x)
    if mode == STRICT:
        for i in range(n):
            x[i] = old[i]
        if fw_is_rounding(
            residual, jacobian, has_jacobian, n, m, slots, nominals, x, rest
        ) != 0:  # fmt: skip
            return 0
        if n == 1:
            noise = fw_noise(residual, m, slots, old[0], x, rest)
            if (
                fw_settled(residual, 1, m, slots, old, rest) == 0
                and abs(rest[0]) <= CURVE.noisy * noise
            ):
                return 0
    fw_put(n, m, slots, old)
    own = 1.0 + float(slots[0])
    m[follow + 1] = own if is_turned == 1 else -own
    return 1


def follow_size(n: int) -> int:
    """Numbers that `fw_follow` needs to work with."""
    return 4 * n * n + 24 * n + 24
