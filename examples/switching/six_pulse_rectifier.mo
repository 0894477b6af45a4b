// Six-pulse bridge on a line with inductance. The current cannot jump from one phase to the next: for a while
// three diodes conduct, and the load sees the mean of two phase voltages (commutation overlap).
model six_pulse_rectifier "Three-phase diode bridge with line inductance"
  import Modelica.Constants.pi;
  parameter Integer m = 3 "Phases";
  Modelica.Electrical.Analog.Sources.SineVoltage line[m](
    each V=325, each f=50, phase={0, -2*pi/3, 2*pi/3});
  Modelica.Electrical.Analog.Basic.Inductor choke1(L=2e-3, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor choke2(L=2e-3, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor choke3(L=2e-3);
  Modelica.Electrical.Analog.Ideal.IdealDiode upper[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode lower[m](each Ron=0, each Goff=0, each Vknee=0);
  Modelica.Electrical.Analog.Basic.Inductor smoothing(L=0.02, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor load(R=20);
  Modelica.Electrical.Analog.Basic.Ground ground;
  output Modelica.Units.SI.Voltage udc "Voltage behind the bridge";
equation
  udc = smoothing.v + load.v;
  connect(line[1].p, choke1.p);
  connect(line[2].p, choke2.p);
  connect(line[3].p, choke3.p);
  connect(choke1.n, upper[1].p);
  connect(choke2.n, upper[2].p);
  connect(choke3.n, upper[3].p);
  for k in 1:m loop
    connect(line[k].n, line[1].n);
    connect(upper[k].p, lower[k].n);
    connect(upper[k].n, smoothing.p);
    connect(lower[k].p, ground.p);
  end for;
  connect(smoothing.n, load.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime=0.06, Interval=2e-5, Tolerance=1e-8));
end six_pulse_rectifier;
