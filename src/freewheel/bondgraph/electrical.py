"""Electrical elements by class name: those of Modelica.Electrical.Analog and of Hybrid.Electrical.

A current source sends its current from p through itself to n, so it gives power at n.
"""

from __future__ import annotations

from freewheel.bondgraph.nodes import Domain, Kind
from freewheel.bondgraph.rules import Book, ClassRule, PartRule, PortRule, one, sensor

PN = ("p", "n")
NP = ("n", "p")
VALVE = (("Ron", "Ron"), ("Goff", "Goff"))
DIODE = (*VALVE, ("Vknee", "Vknee"))
LEFT, RIGHT = PortRule("p1", "n1"), PortRule("p2", "n2")
OUT = PortRule("p2", "n2", is_out=True)
BACK = PortRule("n2", "p2", is_out=True)


def _switch(kind: Kind = Kind.SW) -> ClassRule:
    return one(kind, *PN, values=VALVE, is_modulated=True)


def _contact(positive: str, negative: str, suffix: str) -> PartRule:
    ports = (PortRule(positive, negative),)
    return PartRule(Kind.SW, ports, VALVE, suffix=suffix, is_modulated=True)


def _controlled(kind: Kind, senses_current: bool) -> ClassRule:
    port = OUT if kind is Kind.SE else BACK
    part = PartRule(kind, (port,), is_modulated=True)
    return ClassRule((part,), joined=(("p1", "n1"),) if senses_current else ())


_TWO_WAY = ClassRule((_contact("p", "n1", "1"), _contact("p", "n2", "2")))
_CROSSING = ClassRule(
    (
        _contact("p1", "n1", "1"),
        _contact("p2", "n2", "2"),
        _contact("p1", "n2", "3"),
        _contact("p2", "n1", "4"),
    )
)
_TRANSFORMER = ClassRule(
    (
        PartRule(Kind.TF, (LEFT, RIGHT), (("n", "n"),)),
        PartRule(
            Kind.I,
            (LEFT,),
            (("I", "Lm1"),),
            suffix="magnetization",
            when="considerMagnetization",
            state="im1",
        ),
    )
)


_POTENTIOMETER = ClassRule(
    tuple(
        PartRule(Kind.R, (PortRule(pin, "contact"),), suffix=suffix, is_modulated=True)
        for pin, suffix in (("pin_p", "p"), ("pin_n", "n"))
    )
)


def _motor(flange: str) -> ClassRule:
    ports = (PortRule(*PN), PortRule(flange, "support", is_out=True))
    return ClassRule((PartRule(Kind.GY, ports, (("r", "k"),)),))


_TABLE: dict[str, ClassRule] = {
    "Ground": ClassRule(grounds=("p",)),
    "Resistor": one(Kind.R, *PN, values=(("R", "R"),)),
    "HeatingResistor": one(Kind.R, *PN, is_modulated=True),
    "Conductor": one(Kind.R, *PN, values=(("G", "G"),)),
    "VariableResistor": one(Kind.R, *PN, is_modulated=True),
    "Potentiometer": _POTENTIOMETER,
    "VariableConductor": one(Kind.R, *PN, is_modulated=True),
    "Capacitor": one(Kind.C, *PN, values=(("C", "C"),), start="v"),
    "VariableCapacitor": one(Kind.C, *PN, is_modulated=True),
    "Inductor": one(Kind.I, *PN, values=(("I", "L"),), start="i"),
    "SaturatingInductor": one(Kind.I, *PN, is_modulated=True),
    "VariableInductor": one(Kind.I, *PN, is_modulated=True),
    "IdealTransformer": _TRANSFORMER,
    "Transformer": ClassRule(
        (PartRule(Kind.I, (LEFT, RIGHT), (("L1", "L1"), ("L2", "L2"), ("M", "M"))),)
    ),
    "IdealGyrator": ClassRule((PartRule(Kind.GY, (LEFT, RIGHT), (("g", "G"),)),)),
    "RotationalEMF": _motor("flange"),
    "EMF": _motor("flange_b|flange"),
    "TranslationalEMF": _motor("flange"),
    # ---------------------------------------------------------------- sources
    "VoltageSource": one(Kind.SE, *PN),
    "CurrentSource": one(Kind.SF, *NP),
    "ConstantVoltage": one(Kind.SE, *PN, constant="V"),
    "ConstantCurrent": one(Kind.SF, *NP, constant="I"),
    "SignalVoltage": one(Kind.SE, *PN, is_modulated=True),
    "SignalCurrent": one(Kind.SF, *NP, is_modulated=True),
    "DCPowerSupply": one(Kind.SE, *PN, is_modulated=True),
    "DA_Converter": one(Kind.SE, *PN, is_modulated=True),
    "AD_Converter": one(Kind.R, *PN, values=(("R", "Rin"),)),
    "VsourceAC": one(Kind.SE, *PN, signal="Sine", values=(("amplitude", "VA"), ("f", "f"))),
    "VCV": _controlled(Kind.SE, senses_current=False),
    "VCC": _controlled(Kind.SF, senses_current=False),
    "CCV": _controlled(Kind.SE, senses_current=True),
    "CCC": _controlled(Kind.SF, senses_current=True),
    # An amplifier asks for no power and gives what its feedback wants.
    **dict.fromkeys(
        (
            "OpAmp",
            "IdealOpAmp3Pin",
            "IdealOpAmpLimited",
            "IdealizedOpAmpLimited",
        ),
        one(Kind.SE, "out", is_modulated=True),
    ),
    "IdealOpAmp": one(Kind.SE, "p2", "n2", is_modulated=True),
    # ---------------------------------------------------------------- valves
    "IdealDiode": one(Kind.D, *PN, values=DIODE),
    "Diode": one(Kind.R, *PN),
    "IdealThyristor": one(Kind.D, *PN, values=DIODE, is_modulated=True),
    "IdealGTOThyristor": one(Kind.D, *PN, values=DIODE, is_modulated=True),
    "IdealOpeningSwitch": _switch(),
    "IdealClosingSwitch": _switch(),
    "ControlledIdealOpeningSwitch": _switch(),
    "ControlledIdealClosingSwitch": _switch(),
    "OpenerWithArc": _switch(),
    "CloserWithArc": _switch(),
    "ControlledOpenerWithArc": _switch(),
    "ControlledCloserWithArc": _switch(),
    "IdealTwoWaySwitch": _TWO_WAY,
    "IdealCommutingSwitch": _TWO_WAY,
    "ControlledIdealTwoWaySwitch": _TWO_WAY,
    "ControlledIdealCommutingSwitch": _TWO_WAY,
    "IdealIntermediateSwitch": _CROSSING,
    "ControlledIdealIntermediateSwitch": _CROSSING,
    "Short": sensor(*PN),
    "Idle": sensor(),
    # ---------------------------------------------------------------- sensors
    "PotentialSensor": sensor(),
    "VoltageSensor": sensor(),
    "CurrentSensor": sensor(*PN),
    "PowerSensor": sensor("pc", "nc"),
    "MultiSensor": sensor("pc", "nc"),
    # ---------------------------------------------------------------- any other one-port
    "OnePort": ClassRule((PartRule(Kind.R, (PortRule(*PN),)),), is_recognised=True),
}

_HYBRID: dict[str, ClassRule] = {
    "Diode": one(Kind.D, *PN, values=VALVE),
    "Thyristor": one(Kind.D, *PN, values=VALVE, is_modulated=True),
    "ZenerDiode": one(Kind.R, *PN),
    "TunnelDiode": one(Kind.R, *PN),
}

BOOKS = (
    Book(Domain.ELECTRICAL, (("Modelica", "Electrical", "Analog"),), _TABLE),
    Book(Domain.ELECTRICAL, (("Hybrid", "Electrical"),), _HYBRID),
)
