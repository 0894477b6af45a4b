// Voltage-source inverter: six valves that can be switched off, each with a diode across it for the current
// that flows back, and a star of resistors and chokes as load. Each leg follows a sine, compared with one
// triangle for all (pulse-width modulation). The star point floats, so two of its three currents are states.
model three_phase_inverter "Sine-triangle modulation of a two-level inverter"
  import Modelica.Constants.pi;
  parameter Integer m = 3 "Phases";
  parameter Real depth = 0.8 "Amplitude of the sines over that of the triangle";
  parameter Modelica.Units.SI.Frequency carrier = 1050 "Of the triangle";
  Modelica.Electrical.Analog.Sources.ConstantVoltage dc(V=600);
  Modelica.Electrical.Analog.Ideal.IdealGTOThyristor upper[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Ideal.IdealGTOThyristor lower[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode back_up[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode back_down[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Basic.Resistor R[m](each R=10);
  Modelica.Electrical.Analog.Basic.Inductor L1(L=0.02, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor L2(L=0.02, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor L3(L=0.02);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Blocks.Sources.Sine wish[m](
    each amplitude=depth, each f=50, phase={0, -2*pi/3, 2*pi/3});
  Modelica.Blocks.Sources.Trapezoid triangle(
    amplitude=2, offset=-1, rising=0.5/carrier, width=0, falling=0.5/carrier, period=1/carrier);
  output Modelica.Units.SI.Voltage u12 "Between two legs";
equation
  u12 = upper[1].n.v - upper[2].n.v;
  for k in 1:m loop
    upper[k].fire = wish[k].y > triangle.y;
    lower[k].fire = not upper[k].fire;
    connect(upper[k].p, dc.p);
    connect(upper[k].n, lower[k].p);
    connect(lower[k].n, dc.n);
    connect(back_up[k].p, upper[k].n);
    connect(back_up[k].n, dc.p);
    connect(back_down[k].p, dc.n);
    connect(back_down[k].n, upper[k].n);
    connect(upper[k].n, R[k].p);
  end for;
  connect(R[1].n, L1.p);
  connect(R[2].n, L2.p);
  connect(R[3].n, L3.p);
  connect(L1.n, L2.n);
  connect(L2.n, L3.n);
  connect(dc.n, ground.p);
  annotation(experiment(StopTime=0.06, Interval=2e-5, Tolerance=1e-8));
end three_phase_inverter;
