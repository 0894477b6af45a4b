"""Open chains of rigid links and hinges by recursive Newton-Euler, in numpy and in world coordinates.

Written apart from the library: rotation vectors turn the axes, forces are summed from the last link to
the first, and the matrix of inertia is made of inverse dynamics with unit accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

GRAVITY = np.array([0.0, -9.80665, 0.0])


@dataclass(frozen=True)
class Link:
    """A hinge and the link behind it; vectors along the link's own axes."""

    axis: tuple[float, ...]
    to_next: tuple[float, ...]
    to_centre: tuple[float, ...]
    mass: float
    inertia: np.ndarray  # about the centre of mass


def inverse_dynamics(links, base, q, w, a, gravity=GRAVITY) -> np.ndarray:
    """Torques of the hinges for given angles, speeds and accelerations."""
    turn, spin, spin_rate = np.eye(3), np.zeros(3), np.zeros(3)
    place, acceleration = np.array(base, float), -gravity
    axes, places, loads = [], [], []
    for k, link in enumerate(links):
        axis = np.array(link.axis, float) / np.linalg.norm(link.axis)
        turn = turn @ Rotation.from_rotvec(axis * q[k]).as_matrix()
        axis = turn @ axis
        spin_rate = spin_rate + axis * a[k] + np.cross(spin, axis * w[k])
        spin = spin + axis * w[k]
        centre, reach = turn @ np.array(link.to_centre), turn @ np.array(link.to_next)
        inertia = turn @ link.inertia @ turn.T
        force = link.mass * (
            acceleration + np.cross(spin_rate, centre) + np.cross(spin, np.cross(spin, centre))
        )
        torque = inertia @ spin_rate + np.cross(spin, inertia @ spin)
        axes.append(axis)
        places.append(place)
        loads.append((place + centre, force, torque))
        acceleration = (
            acceleration + np.cross(spin_rate, reach) + np.cross(spin, np.cross(spin, reach))
        )
        place = place + reach
    result = np.zeros(len(links))
    for k in range(len(links)):
        about = sum(
            torque + np.cross(point - places[k], force) for point, force, torque in loads[k:]
        )
        result[k] = axes[k] @ about
    return result


def accelerations(links, base, q, w, torques, extra=None) -> np.ndarray:
    """Forward dynamics; `extra` is inertia on the axes themselves, of motors behind gears."""
    n = len(links)
    rest = inverse_dynamics(links, base, q, w, np.zeros(n))
    still = inverse_dynamics(links, base, q, np.zeros(n), np.zeros(n), np.zeros(3))
    matrix = np.array(
        [
            inverse_dynamics(links, base, q, np.zeros(n), unit, np.zeros(3)) - still
            for unit in np.eye(n)
        ]
    ).T
    if extra is not None:
        matrix = matrix + np.diag(extra)
    return np.linalg.solve(matrix, torques - rest)
