"""Numbers of floating point itself, and how near two times are one.

EPSILON: distance from 1 to the next larger double. LARGEST: `x <= LARGEST` is false of infinities and NaN.
TIED: two times within 16 units in the last place are one instant; sums of intervals (`start + k*interval`)
differ from each other by a few units only.
"""

from __future__ import annotations

LARGEST = 1.7976931348623157e308
EPSILON = 2.220446049250313e-16
TIED = 16.0 * EPSILON
