"""Heat conduction as pseudo bonds: effort is temperature, flow is heat flow."""

from __future__ import annotations

from freewheel.bondgraph.nodes import Domain, Kind
from freewheel.bondgraph.rules import Book, ClassRule, PartRule, PortRule, one, sensor

AB = ("port_a", "port_b")
CONVECTION = ("solid", "fluid")

_TABLE: dict[str, ClassRule] = {
    "HeatCapacitor": one(Kind.C, "port", values=(("C", "C"),), start="T"),
    "ThermalConductor": one(Kind.R, *AB, values=(("G", "G"),)),
    "ThermalResistor": one(Kind.R, *AB, values=(("R", "R"),)),
    "Convection": one(Kind.R, *CONVECTION, is_modulated=True),
    "ConvectiveResistor": one(Kind.R, *CONVECTION, is_modulated=True),
    "BodyRadiation": one(Kind.R, *AB),
    "FixedTemperature": one(Kind.SE, "port", constant="T"),
    "PrescribedTemperature": one(Kind.SE, "port", is_modulated=True),
    "FixedHeatFlow": one(Kind.SF, "port", constant="Q_flow"),
    "PrescribedHeatFlow": one(Kind.SF, "port", is_modulated=True),
    "TemperatureSensor": sensor(),
    "RelTemperatureSensor": sensor(),
    "HeatFlowSensor": sensor(*AB),
    "Element1D": ClassRule((PartRule(Kind.R, (PortRule(*AB),)),), is_recognised=True),
}

# Their parameters are no kelvins: what they give is left to the simulation.
_OTHER_SCALES: dict[str, ClassRule] = {
    "FixedTemperature": one(Kind.SE, "port", is_modulated=True),
    "PrescribedTemperature": one(Kind.SE, "port", is_modulated=True),
    "TemperatureSensor": sensor(),
}
_HEAT = ("Modelica", "Thermal", "HeatTransfer")

BOOKS = (
    Book(
        Domain.THERMAL,
        ((*_HEAT, "Celsius"), (*_HEAT, "Fahrenheit"), (*_HEAT, "Rankine")),
        _OTHER_SCALES,
    ),
    Book(Domain.THERMAL, (_HEAT,), _TABLE),
)
