within Hybrid;
package Examples "Models of chapter 9 that run"
  extends Modelica.Icons.ExamplesPackage;
  import Modelica.Units.SI;

  model NewtonsRow "Four balls at rest touch each other; a fifth arrives and stops, the last one leaves"
    extends Modelica.Icons.Example;
    Mechanics.BallRow row(n=5, d=0.1, x_start={-0.5, 0, 0.1, 0.2, 0.3}, v_start={1, 0, 0, 0, 0});
    annotation(experiment(StopTime=1));
  end NewtonsRow;

  model PlayAndSteps "Loose element, hysteresis and quantizer driven by a slow sine"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Sine source(amplitude=2, f=0.1) "Input of all three";
    Signals.LooseElement play(d=0.5);
    Signals.DryHysteresis hysteresis;
    Signals.HystereticQuantizer quantizer(q=0.5);
  equation
    connect(source.y, play.u);
    connect(source.y, hysteresis.u);
    connect(source.y, quantizer.u);
    annotation(experiment(StopTime=20));
  end PlayAndSteps;

  partial model TrainEngine "Motor of a locomotive at 16 2/3 Hz, simplified to a resistor and an inductor"
    parameter SI.Frequency f=50/3 "Line frequency";
    parameter SI.Voltage V=15000 "Amplitude of the line";
    parameter SI.Resistance R=1 "Motor";
    parameter SI.Inductance L=0.01 "Motor";
    Modelica.Electrical.Analog.Sources.SineVoltage line(V=V, f=f);
    Modelica.Electrical.Analog.Basic.Resistor resistor(R=R);
    Modelica.Electrical.Analog.Basic.Inductor inductor(L=L, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Ground ground;
    SI.Voltage v "Voltage across the load";
    SI.Current i "Current through the load";
    SI.Power P "Power of the load";
  equation
    v = resistor.v + inductor.v;
    i = resistor.i;
    P = v*i;
    connect(resistor.n, inductor.p);
    connect(inductor.n, ground.p);
    connect(line.n, ground.p);
  end TrainEngine;

  model PhaseControl "A thyristor lets a part of each period through (Figs. 9.2, 9.3)"
    extends Modelica.Icons.Example;
    extends TrainEngine;
    parameter SI.Angle alpha=Modelica.Constants.pi/6 "Firing angle";
    parameter SI.Time width=1e-4 "Length of the firing pulse";
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor(Ron=1e-5, Goff=1e-5, Vknee=0);
    Modelica.Blocks.Sources.BooleanPulse gate(
      width=100*width*f, period=1/f, startTime=alpha/(2*Modelica.Constants.pi*f));
  equation
    connect(line.p, thyristor.p);
    connect(thyristor.n, resistor.p);
    connect(gate.y, thyristor.fire);
    annotation(experiment(StopTime=1.5, Interval=0.00125));
  end PhaseControl;

  model BurstControl "Whole periods pass, or none: so many of each eight (Figs. 9.5, 9.6)"
    extends Modelica.Icons.Example;
    extends TrainEngine;
    parameter Integer periods(min=0, max=8)=5 "Periods that pass of each eight";
    Modelica.Electrical.Analog.Ideal.IdealThyristor forwards(Ron=1e-5, Goff=1e-5, Vknee=0);
    Modelica.Electrical.Analog.Ideal.IdealThyristor backwards(Ron=1e-5, Goff=1e-5, Vknee=0);
    Modelica.Blocks.Sources.BooleanPulse gate(width=100*periods/8, period=8/f)
      "Common gate of both";
  equation
    connect(line.p, forwards.p);
    connect(forwards.n, resistor.p);
    connect(line.p, backwards.n);
    connect(backwards.p, resistor.p);
    connect(gate.y, forwards.fire);
    connect(gate.y, backwards.fire);
    annotation(experiment(StopTime=1.5, Interval=0.00125));
  end BurstControl;

  model HysteresisControl "The line current is held within a band around a sine (Figs. 9.7, 9.8; eqs. 9.2, 9.3)"
    extends Modelica.Icons.Example;
    // The text gives the law and the tolerance; the figure with the circuit is not in it. The circuit, its
    // values and the line voltage are ours, chosen so that uz stays about 1184 V and uF jumps by about 300 V.
    parameter SI.AngularVelocity omega=1 "Of the line, normalised";
    parameter SI.Voltage uL=1000 "Amplitude of the line";
    parameter SI.Current BT=200 "Tolerance of the line current (9.3)";
    Modelica.Electrical.Analog.Sources.SineVoltage line(V=uL, f=omega/(2*Modelica.Constants.pi));
    Modelica.Electrical.Analog.Basic.Resistor resistor(R=0.002) "Of the line";
    Modelica.Electrical.Analog.Basic.Inductor inductor(L=0.0025) "Of the line";
    Modelica.Electrical.Analog.Basic.Inductor filter(L=0.0075, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch(Ron=0, Goff=0) "Shorts the converter";
    Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Capacitor link(C=500, v(start=1184, fixed=true));
    Modelica.Electrical.Analog.Sources.ConstantCurrent engine(I=6334) "Drains current, whatever it does";
    Modelica.Electrical.Analog.Basic.Ground ground;
    SI.Current Y "What the line current should be (9.2)";
    SI.Current iL "Line current";
    SI.Voltage uF "Voltage of the filter";
    SI.Voltage uz "Voltage of the load";
    Boolean Az(start=false, fixed=true) "The converter opposes the line";
  equation
    Y = 15e6/uL*sin(omega*time);
    iL = filter.i;
    uF = filter.p.v;
    uz = link.v;
    Az = not pre(Az) and iL > Y + BT or pre(Az) and not iL < Y - BT;
    switch.control = not Az;
    connect(line.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, filter.p);
    connect(filter.n, switch.p);
    connect(filter.n, diode.p);
    connect(diode.n, link.p);
    connect(link.p, engine.p);
    connect(line.n, ground.p);
    connect(switch.n, ground.p);
    connect(link.n, ground.p);
    connect(engine.n, ground.p);
    annotation(experiment(StopTime=3.1, Interval=0.0031, Tolerance=1e-8));
  end HysteresisControl;

  model RobotControl "An arm with four control tasks of different rates (Fig. 9.11)"
    extends Modelica.Icons.Example;
    SI.Angle angle(start=0, fixed=true) "Of the arm";
    Signals.Multirate control;
  equation
    control.goal = 1;
    control.measured = angle;
    der(angle) = control.y;
    annotation(experiment(StopTime=2));
  end RobotControl;

  model StickSlip "A block on a belt, held by a spring, sticks and slips"
    extends Modelica.Icons.Example;
    Modelica.Mechanics.Translational.Components.Mass mass(m=1, s(start=0, fixed=true), v(start=0, fixed=true));
    Modelica.Mechanics.Translational.Components.Spring spring(c=10, s_rel0=0);
    Modelica.Mechanics.Translational.Components.Fixed wall;
    Mechanics.SixStateFriction friction(Fs=2, Fd=1, cf=0, s_rel(start=0, fixed=true));
    Modelica.Mechanics.Translational.Sources.ConstantSpeed belt(v_fixed=0.1);
  equation
    connect(wall.flange, spring.flange_a);
    connect(spring.flange_b, mass.flange_a);
    connect(mass.flange_b, friction.flange_b);
    connect(belt.flange, friction.flange_a);
    annotation(experiment(StopTime=10));
  end StickSlip;

  model TwoBlocks "Two blocks on each other and on the ground, pulled by sines (Fig. 7 of the hybrid paper)"
    extends Modelica.Icons.Example;
    parameter Real stiction=1 "Sticking over sliding friction";
    Modelica.Mechanics.Translational.Components.Mass m1(m=2, L=0, s(start=0, fixed=true), v(start=0, fixed=true));
    Modelica.Mechanics.Translational.Components.Mass m2(m=1, L=0, s(start=0, fixed=true), v(start=0, fixed=true));
    Mechanics.SixStateFriction f1(Fs=3*stiction, Fd=3, cf=0.5) "Lower block on the ground";
    Mechanics.SixStateFriction f2(Fs=2*stiction, Fd=2, cf=0.3) "Upper block on the lower one";
    Modelica.Mechanics.Translational.Components.Fixed ground;
    Modelica.Mechanics.Translational.Sources.Force u1(f=5*sin(time));
    Modelica.Mechanics.Translational.Sources.Force u2(f=4.5*sin(1.7*time));
  equation
    connect(ground.flange, f1.flange_a);
    connect(f1.flange_b, m1.flange_a);
    connect(m1.flange_b, f2.flange_a);
    connect(f2.flange_b, m2.flange_a);
    connect(u1.flange, m1.flange_b);
    connect(u2.flange, m2.flange_b);
    annotation(experiment(StopTime=20, Interval=0.02));
  end TwoBlocks;

  model StickSlipTrain "Blocks on rough ground, coupled by springs and dragged by a plate, move in jerks"
    extends Modelica.Icons.Example;
    parameter Integer n=8 "Number of blocks";
    Modelica.Mechanics.Translational.Components.Mass m[n](
      each m=1, each L=0, each s(start=0, fixed=true), each v(start=0, fixed=true));
    Mechanics.SixStateFriction f[n](each Fs=1.5, each Fd=0.8, each cf=0.4);
    Modelica.Mechanics.Translational.Components.Spring spring[n - 1](each c=0.5);
    Modelica.Mechanics.Translational.Components.Spring leaf[n](c={0.8 + 0.1*i for i in 1:n});
    Modelica.Mechanics.Translational.Components.Fixed ground;
    Modelica.Mechanics.Translational.Sources.ConstantSpeed plate(v_fixed=0.05, s(start=0, fixed=true));
  equation
    for i in 1:n loop
      connect(ground.flange, f[i].flange_a);
      connect(f[i].flange_b, m[i].flange_a);
      connect(m[i].flange_b, leaf[i].flange_a);
      connect(leaf[i].flange_b, plate.flange);
    end for;
    for i in 1:n - 1 loop
      connect(m[i].flange_b, spring[i].flange_a);
      connect(spring[i].flange_b, m[i + 1].flange_a);
    end for;
    annotation(experiment(StopTime=100, Interval=0.1));
  end StickSlipTrain;

  model TunnelOscillator "A tunnel diode in the falling part of its curve keeps a circuit swinging (H9.10)"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=0.25);
    Modelica.Electrical.Analog.Basic.Resistor resistor(R=10);
    Modelica.Electrical.Analog.Basic.Inductor inductor(L=1e-6, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Capacitor capacitor(C=1e-11, v(start=0, fixed=true));
    Electrical.TunnelDiode diode;
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, diode.p);
    connect(inductor.n, capacitor.p);
    connect(diode.n, ground.p);
    connect(capacitor.n, ground.p);
    connect(source.n, ground.p);
    annotation(experiment(StopTime=2e-7));
  end TunnelOscillator;

  model ZenerProtection "A Zener diode caps the voltage of a load (H9.9)"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.SineVoltage source(V=10, f=50);
    Modelica.Electrical.Analog.Basic.Resistor series(R=10);
    Modelica.Electrical.Analog.Basic.Resistor load(R=100);
    Electrical.ZenerDiode zener(Vb=5.1);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, series.p);
    connect(series.n, load.p);
    connect(series.n, zener.n);
    connect(load.n, ground.p);
    connect(zener.p, ground.p);
    connect(source.n, ground.p);
    annotation(experiment(StopTime=0.04));
  end ZenerProtection;
end Examples;
