"""Translational and rotational elements: the same table with the names of each domain.

Effort is force or torque, flow is velocity or speed. What lies between two flanges sees the speed of
flange_b against flange_a. A mass is one inertia at both of its flanges; lengths do not matter.
"""

from __future__ import annotations

from freewheel.bondgraph.nodes import Domain, Kind
from freewheel.bondgraph.rules import Book, ClassRule, PartRule, PlaceRule, PortRule, one, sensor

BETWEEN = PortRule("flange_b", "flange_a")
ENDS = ("flange_a", "flange_b")
SUPPORT = "support|bearing"
HELD = ("flange|flange_b", SUPPORT)
LOAD = PortRule(*HELD)
RIGID = ClassRule(joined=(ENDS,))
FREE = ClassRule()


def _body(inertia: str, speed: str, position: str, length: str = "") -> ClassRule:
    part = PartRule(Kind.I, (PortRule("flange_a"),), (("I", inertia),), start=speed)
    places = (
        PlaceRule("flange_a", position, length, -1),
        PlaceRule("flange_b", position, length, 1),
    )
    return ClassRule((part,), joined=(ENDS,), places=places)


def _wall(position: str) -> ClassRule:
    flange = "flange|flange_b"
    return ClassRule(grounds=(flange,), places=(PlaceRule(flange, position),))


def _spring(relative: str, relaxed: str) -> PartRule:
    return PartRule(
        Kind.C, (BETWEEN,), (("K", "c"), ("q0", f"{relative}-{relaxed}"), ("q_relaxed", relaxed))
    )


def _spring_damper(relative: str, relaxed: str) -> ClassRule:
    spring = _spring(relative, relaxed)
    parallel = PartRule(Kind.R, (BETWEEN,), (("R", "d"),), suffix="d")
    part = PartRule(spring.kind, spring.ports, spring.values, suffix="c", state="f_c|tau_c")
    return ClassRule((part, parallel))


def _contact() -> ClassRule:
    """A spring with a damper that may lift off."""
    return ClassRule(
        (PartRule(Kind.C, (BETWEEN,), suffix="c"), PartRule(Kind.R, (BETWEEN,), suffix="d"))
    )


def _friction(port: PortRule, *joined: tuple[str, str]) -> ClassRule:
    """Slides or sticks: its causality changes."""
    return ClassRule((PartRule(Kind.SW, (port,), is_modulated=True),), joined)


_LOAD = ClassRule((PartRule(Kind.R, (LOAD,)),))


def _sources(force: str, step: str, speed: str) -> dict[str, ClassRule]:
    return {
        force: one(Kind.SE, *HELD, is_modulated=True),
        f"{force}2": one(Kind.SE, "flange_b", "flange_a", is_modulated=True),
        f"Constant{force}": one(Kind.SE, *HELD, constant=f"{step}_constant"),
        f"{force}Step": one(
            Kind.SE,
            *HELD,
            signal="Step",
            values=(
                ("height", f"step{force}"),
                ("offset", f"offset{force}"),
                ("startTime", "startTime"),
            ),
        ),
        "ConstantSpeed": one(Kind.SF, *HELD, constant=speed),
        "Speed": one(Kind.SF, *HELD, is_modulated=True),
        "Position": one(Kind.SF, *HELD, is_modulated=True),
        "Accelerate": one(Kind.SF, *HELD, is_modulated=True),
        "Move": one(Kind.SF, *HELD, is_modulated=True),
        f"LinearSpeedDependent{force}": _LOAD,
        f"QuadraticSpeedDependent{force}": _LOAD,
        f"InverseSpeedDependent{force}": _LOAD,
        f"Sign{force}": _LOAD,
        f"EddyCurrent{force}": _LOAD,
    }


_SENSORS = {
    **dict.fromkeys(
        (
            *(f"{word}Sensor" for word in ("Position", "Angle", "Speed", "Acc")),
            *(f"Rel{word}Sensor" for word in ("Position", "Angle", "Speed", "Acc")),
            "RelativeStates",
        ),
        FREE,
    ),
    **dict.fromkeys(("ForceSensor", "TorqueSensor", "PowerSensor", "MultiSensor"), sensor(*ENDS)),
}

_GEAR = ClassRule(
    (
        PartRule(
            Kind.TF,
            (PortRule("flange_a", SUPPORT), PortRule("flange_b", SUPPORT, is_out=True)),
            (("n", "1/ratio"),),
        ),
    )
)


# Sun and ring turn against the carrier, in opposite directions.
_PLANETARY = ClassRule(
    (
        PartRule(
            Kind.TF,
            (PortRule("sun", "carrier"), PortRule("carrier", "ring", is_out=True)),
            (("n", "1/ratio"),),
        ),
    )
)


def _wheel(torque_per_force: str) -> ClassRule:
    turning = PortRule("flangeR|flange_a", "supportR")
    sliding = PortRule("flangeT|flange_b", "supportT", is_out=True)
    return ClassRule((PartRule(Kind.TF, (turning, sliding), (("n", torque_per_force),)),))


_TRANSLATIONAL: dict[str, ClassRule] = {
    "Fixed": _wall("s0"),
    "Rod": RIGID,
    "Mass": _body("m", "v", "s", "L"),
    "SlidingMass": _body("m", "v", "s", "L"),
    "Spring": ClassRule((_spring("s_rel", "s_rel0"),)),
    "Damper": one(Kind.R, "flange_b", "flange_a", values=(("R", "d"),)),
    "SpringDamper": _spring_damper("s_rel", "s_rel0"),
    "ElastoGap": _contact(),
    "MassWithStopAndFriction": ClassRule(
        (
            PartRule(Kind.I, (PortRule("flange_a"),), (("I", "m"),), start="v"),
            PartRule(Kind.SW, (PortRule("flange_a"),), suffix="friction", is_modulated=True),
        ),
        joined=(ENDS,),
    ),
    "RollingResistance": _LOAD,
    "SupportFriction": _friction(PortRule("flange_a", "support"), ENDS),
    "Brake": _friction(PortRule("flange_a", "support"), ENDS),
    "IdealGearR2T": _wheel("1/ratio"),
    "IdealRollingWheel": _wheel("radius"),
    "PartialCompliant": ClassRule((PartRule(Kind.C, (BETWEEN,)),), is_recognised=True),
    **_sources("Force", "f", "v_fixed"),
    **_SENSORS,
}

_ROTATIONAL: dict[str, ClassRule] = {
    "Fixed": _wall("phi0"),
    "Disc": RIGID,
    "Inertia": _body("J", "w", "phi"),
    "Spring": ClassRule((_spring("phi_rel", "phi_rel0"),)),
    "Damper": one(Kind.R, "flange_b", "flange_a", values=(("R", "d"),)),
    "SpringDamper": _spring_damper("phi_rel", "phi_rel0"),
    "ElastoBacklash": _contact(),
    "ElastoBacklash2": _contact(),
    "IdealPlanetary": _PLANETARY,
    "BearingFriction": _friction(PortRule("flange_a", SUPPORT), ENDS),
    "Brake": _friction(PortRule("flange_a", SUPPORT), ENDS),
    "Clutch": _friction(BETWEEN),
    "OneWayClutch": _friction(BETWEEN),
    "IdealGear": _GEAR,
    "IdealGearR2T": _wheel("1/ratio"),
    "IdealRollingWheel": _wheel("radius"),
    "PartialCompliant": ClassRule((PartRule(Kind.C, (BETWEEN,)),), is_recognised=True),
    **_sources("Torque", "tau", "w_fixed"),
    **_SENSORS,
}

BOOKS = (
    Book(Domain.TRANSLATIONAL, (("Modelica", "Mechanics", "Translational"),), _TRANSLATIONAL),
    Book(Domain.ROTATIONAL, (("Modelica", "Mechanics", "Rotational"),), _ROTATIONAL),
)
