package Components "Components that the embedded library and the Modelica Standard Library must share"
  package Tables
    import Modelica.Blocks.Types.{Smoothness, Extrapolation, TimeEvents};
    constant Real data[:, 3] = [0, 0, 5; 1, 2, 5; 1, 3, 4; 2.5, 1, 2; 4, 8, 1];
    constant Real smooth[:, 3] = [0, 0, 5; 0.5, 2, 5; 1, 3, 4; 2.5, 1, 2; 4, 8, 1];
    constant Real grid[4, 5] = [0, 0, 1, 2, 4; 0, 1, 3, 2, 7; 1, 4, 5, 5, 1; 2, 0, 2, 9, 3];

    model OverTime
      Modelica.Blocks.Sources.CombiTimeTable lines(table=data, columns={2, 3}, offset={1, 2});
      Modelica.Blocks.Sources.CombiTimeTable steps(
        table=data, columns={2, 3}, smoothness=Smoothness.ConstantSegments, startTime=0.3);
      Modelica.Blocks.Sources.CombiTimeTable again(
        table=data, columns={3, 2}, extrapolation=Extrapolation.Periodic, shiftTime=0.7);
      Modelica.Blocks.Sources.CombiTimeTable held(
        table=data, extrapolation=Extrapolation.HoldLastPoint, timeScale=0.5,
        timeEvents=TimeEvents.AtDiscontinuities);
      Modelica.Blocks.Sources.CombiTimeTable akima(
        table=smooth, columns={2, 3}, smoothness=Smoothness.ContinuousDerivative);
      Modelica.Blocks.Sources.CombiTimeTable steffen(
        table=smooth, columns={2, 3}, smoothness=Smoothness.MonotoneContinuousDerivative2,
        extrapolation=Extrapolation.Periodic);
      annotation(experiment(StopTime=6));
    end OverTime;

    model OverSignals
      Modelica.Blocks.Tables.CombiTable1Ds lines(table=smooth, columns={2, 3}, u=6*sin(time));
      Modelica.Blocks.Tables.CombiTable1Ds akima(
        table=smooth, columns={2, 3}, u=6*sin(time), extrapolation=Extrapolation.Periodic,
        smoothness=Smoothness.ModifiedContinuousDerivative);
      Modelica.Blocks.Tables.CombiTable1Dv steps(
        table=smooth, columns={2, 3}, u={time, 2*time}, smoothness=Smoothness.ConstantSegments);
      Modelica.Blocks.Tables.CombiTable2Ds plane(table=grid, u1=3*sin(time), u2=2 + 3*cos(time));
      Modelica.Blocks.Tables.CombiTable2Ds curved(
        table=grid, u1=3*sin(time), u2=2 + 3*cos(time), smoothness=Smoothness.ContinuousDerivative,
        extrapolation=Extrapolation.HoldLastPoint);
      Modelica.Blocks.Tables.CombiTable2Dv two(n=2, table=grid, u1={time/3, 1}, u2={1, time/2});
      annotation(experiment(StopTime=6));
    end OverSignals;

    model Differentiated "A mass is led along a smooth table; its force needs the second derivative"
      Modelica.Blocks.Tables.CombiTable1Ds path(
        table=smooth, smoothness=Smoothness.ContinuousDerivative, columns={2});
      Real v = der(path.y[1]);
      Real f = der(v);
    equation
      path.u = 2 + sin(time);
      annotation(experiment(StopTime=6));
    end Differentiated;
  end Tables;

  package Sources
    model PointToPoint "Long, short and no way; one limit for all axes"
      Modelica.Blocks.Sources.KinematicPTP2 long(
        q_begin={0, 0}, q_end={1, 2}, qd_max={0.5, 1}, qdd_max={1, 2}, startTime=0.2);
      Modelica.Blocks.Sources.KinematicPTP2 short(
        q_begin={0, 1}, q_end={0.1, 1}, qd_max={5}, qdd_max={1}, startTime=0.2);
      Modelica.Blocks.Sources.KinematicPTP2 none(q_begin={1, 1}, q_end={1, 1});
      annotation(experiment(StopTime=4));
    end PointToPoint;
  end Sources;

  package Phases
    import Modelica.Electrical.{Analog, Polyphase};
    import Modelica.Electrical.Polyphase.{Basic, Ideal, Sources, Sensors, Functions};

    partial model BaseMains "A symmetric source in star with its middle at ground"
      parameter Integer m=3;
      Sources.SineVoltage source(m=m, V=fill(100, m), f=fill(50, m));
      Basic.Star star(m=m);
      Analog.Basic.Ground ground;
    equation
      connect(source.plug_n, star.plug_p);
      connect(star.pin_n, ground.p);
    end BaseMains;

    model Linear "Resistors, inductors and capacitors in star and delta; all sensors"
      extends BaseMains;
      Sensors.CurrentSensor current;
      Sensors.CurrentQuasiRMSSensor rmsCurrent;
      Sensors.PowerSensor power;
      Sensors.AronSensor aron;
      Sensors.ReactivePowerSensor reactive;
      Sensors.MultiSensor multi;
      Sensors.VoltageQuasiRMSSensor rmsVoltage;
      Sensors.VoltageSensor voltage;
      Sensors.PotentialSensor potential;
      Basic.Resistor R(R={5, 6, 7}, alpha=fill(1e-3, 3), T={300, 320, 340});
      Basic.Inductor L(L={0.01, 0.02, 0.01}, inductor(each i(start=0, fixed=true)));
      Basic.Star loadStar;
      Basic.Conductor G(G=fill(0.05, 3));
      Basic.Capacitor C(C=fill(1e-4, 3));
      Basic.Delta delta;
    equation
      connect(source.plug_p, current.plug_p);
      connect(current.plug_n, rmsCurrent.plug_p);
      connect(rmsCurrent.plug_n, power.pc);
      connect(power.pv, power.pc);
      connect(power.nv, star.plug_p);
      connect(power.nc, aron.plug_p);
      connect(aron.plug_n, reactive.plug_p);
      connect(reactive.plug_n, multi.pc);
      connect(multi.pv, multi.pc);
      connect(multi.nv, star.plug_p);
      connect(multi.nc, R.plug_p);
      connect(voltage.plug_p, R.plug_p);
      connect(voltage.plug_n, R.plug_n);
      connect(rmsVoltage.plug_p, R.plug_p);
      connect(rmsVoltage.plug_n, L.plug_n);
      connect(potential.plug_p, R.plug_n);
      connect(R.plug_n, L.plug_p);
      connect(L.plug_n, loadStar.plug_p);
      connect(multi.nc, G.plug_p);
      connect(G.plug_n, C.plug_p);
      connect(G.plug_p, delta.plug_p);
      connect(C.plug_n, delta.plug_n);
      annotation(experiment(StopTime=0.1));
    end Linear;

    model Coupled "Mutual and zero inductors, transformers, saturation"
      extends BaseMains;
      Basic.Resistor R(R=fill(2, 3));
      Basic.MutualInductor mutual(
        L=[0.01, 0.002, 0.001; 0.002, 0.01, 0.003; 0.001, 0.003, 0.01], i(each start=0, each fixed=true));
      Basic.ZeroInductor zero(Lzero=0.01);
      Basic.Transformer transformer(L1=fill(0.1, 3), L2=fill(0.05, 3), M=fill(0.06, 3));
      Basic.SaturatingInductor saturating(
        Inom=fill(2, 3), Lnom=fill(0.05, 3), Lzer=fill(0.1, 3), Linf=fill(0.01, 3),
        saturatingInductor(each i(start=0, fixed=true)));
      Basic.Resistor second(R=fill(20, 3));
      Basic.Resistor third(R=fill(4, 3));
    equation
      connect(source.plug_p, R.plug_p);
      connect(R.plug_n, mutual.plug_p);
      connect(mutual.plug_n, zero.plug_p);
      connect(zero.plug_n, transformer.plug_p1);
      connect(transformer.plug_n1, star.plug_p);
      connect(transformer.plug_p2, second.plug_p);
      connect(second.plug_n, transformer.plug_n2);
      connect(transformer.plug_n2, star.plug_p);
      connect(source.plug_p, saturating.plug_p);
      connect(saturating.plug_n, third.plug_p);
      connect(third.plug_n, star.plug_p);
      annotation(experiment(StopTime=0.1));
    end Coupled;

    model Variable "Elements by signals"
      extends BaseMains;
      Basic.VariableResistor R;
      Basic.VariableInductor L(variableInductor(each i(start=0, fixed=true)));
      Basic.VariableConductor G;
      Basic.VariableCapacitor C(variableCapacitor(each v(start=0, fixed=true)));
    equation
      R.R = {5 + sin(100*time), 6, 7};
      L.L = {0.02 + 0.01*sin(50*time), 0.02, 0.03};
      G.G = {0.1, 0.2, 0.1 + time};
      C.C = {1e-4, 1e-4*(1 + time), 2e-4};
      connect(source.plug_p, R.plug_p);
      connect(R.plug_n, L.plug_p);
      connect(L.plug_n, star.plug_p);
      connect(source.plug_p, G.plug_p);
      connect(G.plug_n, C.plug_p);
      connect(C.plug_n, star.plug_p);
      annotation(experiment(StopTime=0.1));
    end Variable;

    model Sixfold "Six phases: two base systems, multiple stars and polygons"
      extends BaseMains(m=6);
      Basic.MultiStarResistance middle(m=6, R=10);
      Basic.Resistor R(m=6, R={1, 2, 3, 4, 5, 6});
      Basic.MultiDelta delta(m=6);
      Basic.Conductor G(m=6, G={1, 2, 3, 4, 5, 6});
      Basic.SplitToSubsystems split(m=6);
      Basic.Resistor one(R=fill(2, 3));
      Basic.Resistor two(R=fill(3, 3));
      Basic.Star middleOne;
      Basic.Star middleTwo;
      Real orientation[6] = Functions.symmetricOrientation(6);
      Real angles[6, 6] = Functions.symmetricOrientationMatrix(6);
      Complex there[6, 6] = Functions.symmetricTransformationMatrix(6);
      Complex back[10, 10] = Functions.symmetricBackTransformationMatrix(10);
      Real four[4] = Functions.symmetricOrientation(4);
      Integer positive[4] = Functions.indexPositiveSequence(12);
      Integer others[8] = Functions.indexNonPositiveSequence(12);
      Real factors[6] = {Functions.factorY2D(3), Functions.factorY2D(2), Functions.factorY2D(5, 2),
        Functions.factorY2DC(3), Functions.factorY2DC(6), Functions.factorY2DC(2)};
    equation
      connect(source.plug_p, R.plug_p);
      connect(R.plug_n, middle.plug);
      connect(middle.pin, ground.p);
      connect(source.plug_p, G.plug_p);
      connect(G.plug_p, delta.plug_p);
      connect(G.plug_n, delta.plug_n);
      connect(source.plug_p, split.plug_p);
      connect(split.plugs_n[1], one.plug_p);
      connect(split.plugs_n[2], two.plug_p);
      connect(one.plug_n, middleOne.plug_p);
      connect(two.plug_n, middleTwo.plug_p);
      annotation(experiment(StopTime=0.04));
    end Sixfold;

    model Bridge "Six leaky diodes feed a resistor and an inductor"
      extends BaseMains;
      Ideal.IdealDiode upper(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), Vknee=fill(0.7, 3));
      Ideal.IdealDiode lower(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), Vknee=fill(0.7, 3));
      Basic.Star plus;
      Basic.Star minus;
      Analog.Basic.Resistor R(R=10);
      Analog.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
    equation
      connect(source.plug_p, upper.plug_p);
      connect(upper.plug_n, plus.plug_p);
      connect(source.plug_p, lower.plug_n);
      connect(lower.plug_p, minus.plug_p);
      connect(plus.pin_n, R.p);
      connect(R.n, L.p);
      connect(L.n, minus.pin_n);
      annotation(experiment(StopTime=0.1));
    end Bridge;

    model Gates "Thyristors, switches by signals"
      extends BaseMains;
      Ideal.IdealThyristor thyristor(
        Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), Vknee=zeros(3), idealThyristor(each off(start=true, fixed=true)));
      Ideal.IdealGTOThyristor gto(
        Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), Vknee=zeros(3),
        idealGTOThyristor(each off(start=true, fixed=true)));
      Ideal.IdealOpeningSwitch opener(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3));
      Ideal.IdealClosingSwitch closer(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3));
      Ideal.IdealCommutingSwitch commuting(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3));
      Ideal.IdealIntermediateSwitch crosswise(Ron=fill(1e-3, 3), Goff=fill(1e-4, 3));
      Ideal.IdealTransformer transformer(n=fill(2, 3), considerMagnetization=false, Lm1=fill(1, 3));
      Ideal.Short short;
      Ideal.Idle idle;
      Basic.Resistor a(R=fill(10, 3));
      Basic.Resistor b(R=fill(20, 3));
      Basic.Resistor c(R=fill(30, 3));
      Basic.Resistor d(R=fill(40, 3));
    equation
      thyristor.fire = fill(sin(314*time) > 0.9, 3);
      gto.fire = fill(sin(1000*time) > 0, 3);
      opener.control = {time > 0.021, time > 0.033, false};
      closer.control = {time > 0.021, time > 0.033, false};
      commuting.control = fill(time > 0.045, 3);
      crosswise.control = fill(time > 0.051, 3);
      connect(source.plug_p, thyristor.plug_p);
      connect(thyristor.plug_n, opener.plug_p);
      connect(opener.plug_n, a.plug_p);
      connect(a.plug_n, star.plug_p);
      connect(source.plug_p, gto.plug_p);
      connect(gto.plug_n, closer.plug_p);
      connect(closer.plug_n, b.plug_p);
      connect(b.plug_n, star.plug_p);
      connect(source.plug_p, commuting.plug_p);
      connect(commuting.plug_n1, crosswise.plug_p1);
      connect(commuting.plug_n2, crosswise.plug_p2);
      connect(crosswise.plug_n1, c.plug_p);
      connect(crosswise.plug_n2, transformer.plug_p1);
      connect(transformer.plug_n1, star.plug_p);
      connect(transformer.plug_n2, star.plug_p);
      connect(transformer.plug_p2, short.plug_p);
      connect(short.plug_n, d.plug_p);
      connect(idle.plug_p, d.plug_p);
      connect(idle.plug_n, d.plug_n);
      connect(d.plug_n, star.plug_p);
      connect(c.plug_n, star.plug_p);
      annotation(experiment(StopTime=0.1));
    end Gates;

    model Arcs "Switches with arcs, sources of currents, single pins, heat ports"
      Sources.SineCurrent sine(I=fill(1, 3), f=fill(50, 3), offset={1, 0, 0}, startTime=fill(0.005, 3));
      Sources.CosineCurrent cosine(I=fill(1, 3), f=fill(60, 3));
      Sources.ConstantCurrent constant_(I={1, 2, 3});
      Sources.SignalCurrent signal;
      Sources.SignalVoltage voltage;
      Sources.CosineVoltage wave(V={100, 90, 80}, f=fill(40, 3));
      Sources.ConstantVoltage level(V={1, 2, 3});
      Ideal.OpenerWithArc opener(
        Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), V0=fill(30, 3), dVdt=fill(1e4, 3), Vmax=fill(60, 3));
      Ideal.CloserWithArc closer(
        Ron=fill(1e-3, 3), Goff=fill(1e-4, 3), V0=fill(30, 3), dVdt=fill(1e4, 3), Vmax=fill(60, 3));
      Basic.Resistor R(R=fill(10, 3), useHeatPort=true, alpha=fill(1e-3, 3));
      Basic.Resistor S(R=fill(10, 3));
      Basic.Inductor L(L=fill(0.01, 3), inductor(each i(start=0, fixed=true)));
      Basic.Star star;
      Basic.PlugToPin_p first(k=1);
      Basic.PlugToPin_n second(k=2);
      Basic.PlugToPins_p every;
      Basic.PlugToPins_n all_;
      Analog.Basic.Resistor between(R=5);
      Analog.Basic.Resistor side[3](each R=50);
      Analog.Basic.Ground ground;
      Modelica.Thermal.HeatTransfer.Sources.FixedTemperature cold[3](T={300, 310, 320});
    equation
      signal.i = {sin(100*time), 1, time};
      voltage.v = {sin(100*time), 1, time};
      opener.control = fill(time > 0.0313, 3);
      closer.control = fill(time < 0.0313, 3);
      connect(sine.plug_p, R.plug_p);
      connect(cosine.plug_p, R.plug_p);
      connect(constant_.plug_p, R.plug_p);
      connect(signal.plug_p, R.plug_p);
      connect(R.plug_n, star.plug_p);
      connect(sine.plug_n, star.plug_p);
      connect(cosine.plug_n, star.plug_p);
      connect(constant_.plug_n, star.plug_p);
      connect(signal.plug_n, star.plug_p);
      connect(wave.plug_n, star.plug_p);
      connect(wave.plug_p, level.plug_n);
      connect(level.plug_p, voltage.plug_n);
      connect(voltage.plug_p, opener.plug_p);
      connect(opener.plug_n, closer.plug_p);
      connect(closer.plug_n, L.plug_p);
      connect(L.plug_n, S.plug_p);
      connect(S.plug_n, star.plug_p);
      connect(R.plug_p, first.plug_p);
      connect(R.plug_p, second.plug_n);
      connect(first.pin_p, between.p);
      connect(second.pin_n, between.n);
      connect(R.plug_p, every.plug_p);
      connect(S.plug_p, all_.plug_n);
      connect(every.pin_p, side.p);
      connect(all_.pin_n, side.n);
      connect(cold.port, R.heatPort);
      connect(star.pin_n, ground.p);
      annotation(experiment(StopTime=0.1));
    end Arcs;
  end Phases;

  package Filters
    import Modelica.Blocks.Types.{AnalogFilter, FilterType, Init};

    partial model BaseFilters "Orders 1 to 5 of each purpose; all ways to begin"
      parameter AnalogFilter family=AnalogFilter.Bessel;
      Real u = if time < 0.1 then 0.5 else 1 + sin(15*time);
      Modelica.Blocks.Continuous.Filter low[5](
        each analogFilter=family, order=1:5, each f_cut=3, each u=u);
      Modelica.Blocks.Continuous.Filter high[5](
        each analogFilter=family, each filterType=FilterType.HighPass, order=1:5, each f_cut=3,
        each gain=2, each u_nominal=3, each u=u);
      Modelica.Blocks.Continuous.Filter band[4](
        each analogFilter=family, each filterType=FilterType.BandPass, order=1:4, each f_min=2,
        each f_cut=3, each u=u);
      Modelica.Blocks.Continuous.Filter stop[4](
        each analogFilter=family, each filterType=FilterType.BandStop, order=1:4, each f_min=2,
        each f_cut=3, each u=u);
      Modelica.Blocks.Continuous.Filter plain[5](
        each analogFilter=family, order=6:10, each f_cut=3, each normalized=false, each A_ripple=1,
        each u=u);
      Modelica.Blocks.Continuous.Filter output_(
        analogFilter=family, order=3, f_cut=3, init=Init.InitialOutput, y_start=0.2, u=u);
      Modelica.Blocks.Continuous.Filter state(
        analogFilter=family, order=3, f_cut=3, init=Init.InitialState, x_start={0.1, 0.2, 0.3}, u=u);
      annotation(experiment(StopTime=2));
    end BaseFilters;

    model CriticalDamping
      extends BaseFilters(family=AnalogFilter.CriticalDamping);
    end CriticalDamping;

    model Bessel
      extends BaseFilters(family=AnalogFilter.Bessel);
    end Bessel;

    model Butterworth
      extends BaseFilters(family=AnalogFilter.Butterworth);
    end Butterworth;

    model ChebyshevI
      extends BaseFilters(family=AnalogFilter.ChebyshevI);
    end ChebyshevI;
  end Filters;

  package Mechanics
    import Modelica.Mechanics.{Rotational, Translational};
    import Modelica.Blocks.Types.Regularization;

    model Car "Up a slope, against the wind, then coasting to a stop"
      Translational.Components.Vehicle plain(
        m=1200, J=1, R=0.3, A=2, Cd=0.4, vWindConstant=-3, inclinationConstant=0.02,
        s(fixed=true), v(fixed=true, start=10));
      Translational.Components.Vehicle led(
        m=1200, J=1, R=0.3, A=2, Cd=0.4, useWindInput=true, useCrInput=true, useInclinationInput=true,
        s(fixed=true), v(fixed=true, start=5));
      Rotational.Sources.Torque motor;
      Rotational.Sources.ConstantTorque other(tau_constant=200);
    equation
      motor.tau = if time < 5 then 400 else 100;
      led.cr = 0.01 + 0.001*sin(time);
      led.inclination = 0.01*sin(time/2);
      led.vWind = 3*sin(time/3);
      connect(motor.flange, plain.flangeR);
      connect(other.flange, led.flangeR);
      annotation(experiment(StopTime=10));
    end Car;

    model Rolling "All laws near standstill"
      Translational.Components.Mass mass[4](each m=1, each s(fixed=true), each v(fixed=true, start=1));
      Translational.Components.RollingResistance roll[4](
        each fWeight=10, each CrConstant=0.1, each inclinationConstant=0.1,
        reg={Regularization.Exp, Regularization.Sine, Regularization.Linear, Regularization.Cosine},
        each v0=0.5);
      Translational.Sources.Force push[4];
    equation
      push.f = fill(1.2*sin(2*time), 4);
      connect(mass.flange_b, roll.flange);
      connect(push.flange, mass.flange_a);
      annotation(experiment(StopTime=6));
    end Rolling;

    model Play "A gearbox with losses, play and elasticity; a play whose torque jumps"
      Rotational.Components.Inertia motor(J=0.1, phi(fixed=true), w(fixed=true));
      Rotational.Components.Inertia load(J=1, phi(fixed=true, start=0.02), w(fixed=true));
      Rotational.Components.Gearbox gear(
        ratio=3, lossTable=[0, 0.9, 0.95, 0.1, 0.1; 50, 0.95, 0.95, 0.2, 0.2], c=1e4, d=30, b=0.01,
        useHeatPort=true);
      Modelica.Thermal.HeatTransfer.Sources.FixedTemperature cold(T=300);
      Rotational.Components.Inertia left(J=1, phi(fixed=true), w(fixed=true, start=1));
      Rotational.Components.Inertia right(J=1, phi(fixed=true), w(fixed=true));
      Rotational.Components.ElastoBacklash2 play(c=1000, d=2, b=0.05);
      Rotational.Sources.Torque drive;
    equation
      drive.tau = 5*sin(4*time);
      connect(drive.flange, motor.flange_a);
      connect(motor.flange_b, gear.flange_a);
      connect(gear.flange_b, load.flange_a);
      connect(gear.heatPort, cold.port);
      connect(left.flange_b, play.flange_a);
      connect(play.flange_b, right.flange_a);
      annotation(experiment(StopTime=2));
    end Play;

    model Begun "First values by signals"
      Rotational.Components.Inertia wheel(J=2);
      Rotational.Components.InitializeFlange set(use_a_start=false, phi_start=1, w_start=2);
      Translational.Components.Mass mass(m=2);
      Translational.Components.InitializeFlange place(use_a_start=false, s_start=1, v_start=2);
      Translational.Components.Spring spring(c=10);
      Translational.Components.Fixed fixed;
    equation
      connect(wheel.flange_b, set.flange);
      connect(mass.flange_b, place.flange);
      connect(mass.flange_a, spring.flange_a);
      connect(spring.flange_b, fixed.flange);
    end Begun;
  end Mechanics;

  package Electrical
    import Modelica.Electrical.Analog.{Basic, Lines, Sources};

    model Waves "A step into lines with and without losses"
      Sources.StepVoltage step(V=1, startTime=0.1);
      Basic.Resistor beside(R=50);
      Lines.TLine line(Z0=100, TD=0.3);
      Lines.TLine byLength(Z0=100, F=2, NL=0.5);
      Lines.TLine1 one(Z0=100, TD=0.3);
      Lines.TLine2 two(Z0=100, F=2, NL=0.5);
      Lines.TLine3 three(Z0=100, F=2);
      Basic.Resistor load[5](each R=30);
      Basic.Resistor source[5](each R=50);
      Basic.Ground ground;
    equation
      connect(step.n, ground.p);
      connect(step.p, beside.p);
      connect(beside.n, ground.p);
      connect(step.p, source[1].p);
      connect(source[1].n, line.p1);
      connect(line.n1, ground.p);
      connect(line.p2, load[1].p);
      connect(line.n2, ground.p);
      connect(step.p, source[2].p);
      connect(source[2].n, byLength.p1);
      connect(byLength.n1, ground.p);
      connect(byLength.p2, load[2].p);
      connect(byLength.n2, ground.p);
      connect(step.p, source[3].p);
      connect(source[3].n, one.p1);
      connect(one.n1, ground.p);
      connect(one.p2, load[3].p);
      connect(one.n2, ground.p);
      connect(step.p, source[4].p);
      connect(source[4].n, two.p1);
      connect(two.n1, ground.p);
      connect(two.p2, load[4].p);
      connect(two.n2, ground.p);
      connect(step.p, source[5].p);
      connect(source[5].n, three.p1);
      connect(three.n1, ground.p);
      connect(three.p2, load[5].p);
      connect(three.n2, ground.p);
      for k in 1:5 loop
        connect(load[k].n, ground.p);
      end for;
      annotation(experiment(StopTime=2));
    end Waves;

    model Pieces "Lines in pieces, warm and cold"
      Sources.SineVoltage sine(V=1, f=1e3);
      Lines.OLine o(r=10, l=1e-3, g=1e-5, c=1e-6, length=2, N=5, alpha_R=1e-3, T=350);
      Lines.ULine u(r=10, c=1e-4, length=2, N=5, useHeatPort=true);
      Basic.Resistor a(R=50);
      Basic.Resistor b(R=50);
      Basic.Ground ground;
      Modelica.Thermal.HeatTransfer.Sources.FixedTemperature cold(T=300);
    equation
      connect(sine.n, ground.p);
      connect(sine.p, o.p1);
      connect(o.p2, a.p);
      connect(o.p3, ground.p);
      connect(a.n, ground.p);
      connect(sine.p, u.p1);
      connect(u.p2, b.p);
      connect(u.p3, ground.p);
      connect(b.n, ground.p);
      connect(u.heatPort, cold.port);
      annotation(experiment(StopTime=0.01));
    end Pieces;

    model Supply "Through all limits, with and without that of the power"
      Sources.DCPowerSupply full;
      Sources.DCPowerSupply small(P0=1e6);
      Basic.VariableResistor a;
      Basic.VariableResistor b;
      Basic.Ground ground;
    equation
      a.R = 20/(1 + 30*time^2);
      b.R = 20/(1 + 30*time^2);
      connect(full.p, a.p);
      connect(full.n, a.n);
      connect(full.n, ground.p);
      connect(small.p, b.p);
      connect(small.n, b.n);
      connect(small.n, ground.p);
      annotation(experiment(StopTime=4));
    end Supply;
  end Electrical;

  package Signals
    model Statistics
      Real u = 1 + sin(7*time) + 0.3*sin(21*time);
      Modelica.Blocks.Math.Variance variance(u=u);
      Modelica.Blocks.Math.StandardDeviation deviation(u=u);
      Modelica.Blocks.Math.SignalExtrema extrema(u=u, Ts=0.07);
      Modelica.Blocks.Math.TotalHarmonicDistortion first(f=7/6.283185307179586, u=u - 1);
      Modelica.Blocks.Math.TotalHarmonicDistortion whole(
        f=7/6.283185307179586, u=u - 1, useFirstHarmonic=false);
      Real value = Modelica.Math.Polynomials.evaluate({1, 2, 3}, u);
      Real slope = der(value);
      Real ranged = Modelica.Math.Polynomials.evaluateWithRange({1, 2, 3}, 0.5, 1.5, u);
      Real rangedSlope = der(ranged);
      Real area = Modelica.Math.Polynomials.integralValue({1, 2, 3}, u, 0.5);
      Real areaSlope = der(area);
      Real bend = Modelica.Math.Polynomials.secondDerivativeValue({1, 2, 3, 4}, u);
      Real d[2] = Modelica.Math.Polynomials.derivative({1, 2, 3});
      annotation(experiment(StopTime=4));
    end Statistics;
  end Signals;

  package Converters
    import Modelica.Electrical.{Analog, Polyphase, PowerConverters};

    model Choppers "Down, up, both ways and four quadrants"
      Analog.Sources.ConstantVoltage u(V=100);
      Analog.Basic.Ground ground;
      PowerConverters.DCDC.ChopperStepDown down;
      PowerConverters.DCDC.ChopperStepUp up(useConstantEnable=false, useHeatPort=true);
      PowerConverters.DCDC.ChopperBuckBoost both;
      PowerConverters.DCDC.HBridge bridge;
      PowerConverters.DCDC.Control.SignalPWM saw(constantDutyCycle=0.3, f=100);
      PowerConverters.DCDC.Control.SignalPWM triangle(
        useConstantDutyCycle=false, f=100, commonComparison=false,
        refType=PowerConverters.Types.SingleReferenceType.Triangle);
      PowerConverters.DCDC.Control.Voltage2DutyCycle duty(VLim=100);
      PowerConverters.DCDC.Control.Voltage2DutyCycle single(VLim=100, useBipolarVoltage=false);
      PowerConverters.DCDC.Control.Voltage2DutyCycle raised(
        useConstantVoltageLimit=false, reciprocal=true, VLim=100);
      Modelica.Thermal.HeatTransfer.Sources.FixedTemperature cold(T=300);
      Analog.Basic.Resistor R[4](R={10, 50, 10, 10});
      Analog.Basic.Inductor L[4](each L=0.01, each i(start=0, fixed=true));
      Analog.Basic.Capacitor C(C=1e-3, v(start=100, fixed=true));
      Analog.Basic.Capacitor D(C=1e-3, v(start=100, fixed=true));
    equation
      duty.v = 50*sin(30*time);
      single.v = 150*sin(30*time);
      raised.v = 150 + 100*sin(30*time);
      raised.vLim = 90;
      up.enable = time > 0.0333;
      connect(duty.dutyCycle, triangle.dutyCycle);
      connect(u.n, ground.p);
      connect(u.p, down.dc_p1);
      connect(u.n, down.dc_n1);
      connect(down.dc_p2, L[1].p);
      connect(L[1].n, R[1].p);
      connect(R[1].n, down.dc_n2);
      connect(saw.fire, down.fire_p);
      connect(u.p, L[2].p);
      connect(L[2].n, up.dc_p1);
      connect(u.n, up.dc_n1);
      connect(up.dc_p2, C.p);
      connect(up.dc_n2, C.n);
      connect(C.p, R[2].p);
      connect(C.n, R[2].n);
      connect(saw.fire, up.fire_p);
      connect(up.heatPort, cold.port);
      connect(u.p, L[3].p);
      connect(L[3].n, both.dc_p1);
      connect(u.n, both.dc_n1);
      connect(both.dc_p2, D.p);
      connect(both.dc_n2, D.n);
      connect(D.p, R[3].p);
      connect(D.n, R[3].n);
      connect(saw.fire, both.fire_p);
      connect(saw.notFire, both.fire_n);
      connect(u.p, bridge.dc_p1);
      connect(u.n, bridge.dc_n1);
      connect(bridge.dc_p2, L[4].p);
      connect(L[4].n, R[4].p);
      connect(R[4].n, bridge.dc_n2);
      connect(triangle.fire, bridge.fire_p);
      connect(triangle.notFire, bridge.fire_n);
      annotation(experiment(StopTime=0.2));
    end Choppers;

    partial model BaseRectifiers
      Polyphase.Sources.SineVoltage source(V=fill(100, 3), f=fill(50, 3));
      Polyphase.Basic.Star star;
      Analog.Basic.Ground ground;
      Analog.Sources.SineVoltage mains(V=100, f=50);
      Boolean first[3];
      Boolean second[3];
    equation
      for k in 1:3 loop
        first[k] = sin(100*Modelica.Constants.pi*time - (k - 1)*2*Modelica.Constants.pi/3 - 1) > 0;
        second[k] = sin(100*Modelica.Constants.pi*time - (k - 1)*2*Modelica.Constants.pi/3 - 1) < 0;
      end for;
      connect(source.plug_n, star.plug_p);
      connect(star.pin_n, ground.p);
      annotation(experiment(StopTime=0.06));
    end BaseRectifiers;

    model Diodes
      extends BaseRectifiers;
      PowerConverters.ACDC.DiodeBridge2Pulse two;
      PowerConverters.ACDC.DiodeBridge2mPulse six;
      PowerConverters.ACDC.DiodeCenterTapmPulse three;
      Analog.Basic.Resistor R[3](each R=10);
    equation
      connect(mains.p, two.ac_p);
      connect(mains.n, two.ac_n);
      connect(two.dc_n, ground.p);
      connect(two.dc_p, R[1].p);
      connect(R[1].n, two.dc_n);
      connect(source.plug_p, six.ac);
      connect(six.dc_p, R[2].p);
      connect(R[2].n, six.dc_n);
      connect(source.plug_p, three.ac);
      connect(three.dc_p, R[3].p);
      connect(R[3].n, ground.p);
    end Diodes;

    model Thyristors
      extends BaseRectifiers;
      PowerConverters.ACDC.ThyristorBridge2Pulse two;
      PowerConverters.ACDC.ThyristorBridge2mPulse six;
      PowerConverters.ACDC.ThyristorCenterTapmPulse three;
      PowerConverters.ACDC.HalfControlledBridge2Pulse halfTwo;
      PowerConverters.ACDC.HalfControlledBridge2mPulse halfSix;
      Analog.Basic.Resistor R[5](each R=10);
      Analog.Sources.SineVoltage other(V=100, f=50);
    equation
      two.fire_p = first[1];
      two.fire_n = second[1];
      halfTwo.fire_p = first[1];
      halfTwo.fire_n = second[1];
      six.fire_p = first;
      six.fire_n = second;
      halfSix.fire_p = first;
      three.fire_p = first;
      connect(mains.p, two.ac_p);
      connect(mains.n, two.ac_n);
      connect(two.dc_n, ground.p);
      connect(two.dc_p, R[1].p);
      connect(R[1].n, two.dc_n);
      connect(source.plug_p, six.ac);
      connect(six.dc_p, R[2].p);
      connect(R[2].n, six.dc_n);
      connect(source.plug_p, three.ac);
      connect(three.dc_p, R[3].p);
      connect(R[3].n, ground.p);
      connect(other.p, halfTwo.ac_p);
      connect(other.n, halfTwo.ac_n);
      connect(halfTwo.dc_n, ground.p);
      connect(halfTwo.dc_p, R[4].p);
      connect(R[4].n, halfTwo.dc_n);
      connect(source.plug_p, halfSix.ac);
      connect(halfSix.dc_p, R[5].p);
      connect(R[5].n, halfSix.dc_n);
    end Thyristors;

    model CenterTaps
      extends BaseRectifiers;
      PowerConverters.ACDC.DiodeCenterTap2Pulse two;
      PowerConverters.ACDC.ThyristorCenterTap2Pulse fired;
      PowerConverters.ACDC.DiodeCenterTap2mPulse six;
      PowerConverters.ACDC.ThyristorCenterTap2mPulse firedSix;
      Analog.Sources.SineVoltage half[2](each V=100, each f=50);
      Polyphase.Sources.SineVoltage back(V=fill(100, 3), f=fill(50, 3));
      Polyphase.Basic.Star middle;
      Analog.Basic.Resistor R[4](each R=10);
    equation
      fired.fire_p = first[1];
      fired.fire_n = second[1];
      firedSix.fire_p = first;
      firedSix.fire_n = second;
      connect(mains.n, ground.p);
      connect(half[1].n, ground.p);
      connect(half[2].p, ground.p);
      connect(half[1].p, two.ac_p);
      connect(half[2].n, two.ac_n);
      connect(half[1].p, fired.ac_p);
      connect(half[2].n, fired.ac_n);
      connect(two.dc_p, R[1].p);
      connect(fired.dc_p, R[2].p);
      connect(back.plug_p, middle.plug_p);
      connect(middle.pin_n, ground.p);
      connect(source.plug_p, six.ac_p);
      connect(back.plug_n, six.ac_n);
      connect(source.plug_p, firedSix.ac_p);
      connect(back.plug_n, firedSix.ac_n);
      connect(six.dc_p, R[3].p);
      connect(firedSix.dc_p, R[4].p);
      for k in 1:4 loop
        connect(R[k].n, ground.p);
      end for;
    end CenterTaps;

    model Inverter "Three legs fire in turn"
      extends BaseRectifiers;
      Analog.Sources.ConstantVoltage u[2](each V=100);
      PowerConverters.DCAC.Polyphase2Level inverter;
      PowerConverters.DCAC.SinglePhase2Level leg;
      Polyphase.Basic.Resistor R(R=fill(10, 3));
      Polyphase.Basic.Inductor L(L=fill(0.02, 3), inductor(each i(start=0)));
      Polyphase.Basic.Star loadStar;
      Analog.Basic.Resistor one(R=10);
      Analog.Basic.Inductor two(L=0.02, i(start=0, fixed=true));
      Polyphase.Basic.Resistor idle(R=fill(10, 3));
    initial equation
      L.i[1] = 0;
      L.i[2] = 0;
    equation
      inverter.fire_p = first;
      inverter.fire_n = second;
      leg.fire_p = first[1];
      leg.fire_n = second[1];
      connect(mains.n, ground.p);
      connect(source.plug_p, idle.plug_p);
      connect(idle.plug_n, star.plug_p);
      connect(u[1].n, u[2].p);
      connect(u[1].n, ground.p);
      connect(u[1].p, inverter.dc_p);
      connect(u[2].n, inverter.dc_n);
      connect(u[1].p, leg.dc_p);
      connect(u[2].n, leg.dc_n);
      connect(inverter.ac, R.plug_p);
      connect(R.plug_n, L.plug_p);
      connect(L.plug_n, loadStar.plug_p);
      connect(leg.ac, one.p);
      connect(one.n, two.p);
      connect(two.n, ground.p);
    end Inverter;
  end Converters;

  package Magnetic
    import Modelica.Magnetic.FluxTubes;
    import Modelica.Electrical.Analog;

    model Core "Coils on a saturating core of all shapes, leakage, eddy currents"
      parameter FluxTubes.Material.SoftMagnetic.BaseData steel(
        label="steel", mu_i=200, B_myMax=0.7, c_a=1500, c_b=3, n=9);
      Analog.Sources.SineVoltage u(V=20, f=50);
      Analog.Basic.Resistor R(R=2);
      Analog.Basic.Ground ground;
      FluxTubes.Basic.ElectroMagneticConverter coil(N=100, i(start=0, fixed=true));
      FluxTubes.Basic.ElectroMagneticConverterWithLeakageInductance second(N=50);
      Analog.Basic.Resistor load(R=5);
      FluxTubes.Basic.Ground zero;
      FluxTubes.Shapes.FixedShape.GenericFluxTube tube(material=steel, l=0.05);
      FluxTubes.Shapes.FixedShape.Cuboid cuboid(material=steel);
      FluxTubes.Shapes.FixedShape.HollowCylinderAxialFlux axial(nonLinearPermeability=false, mu_rConst=500);
      FluxTubes.Shapes.FixedShape.HollowCylinderRadialFlux radial(nonLinearPermeability=false, mu_rConst=500);
      FluxTubes.Shapes.FixedShape.HollowCylinderCircumferentialFlux around(material=steel);
      FluxTubes.Shapes.FixedShape.Toroid toroid(material=steel);
      FluxTubes.Basic.EddyCurrent eddy(useConductance=true, G=2000);
      FluxTubes.Basic.ConstantReluctance reluctance(R_m=1e5);
      FluxTubes.Basic.ConstantPermeance permeance(G_m=1e-5);
      FluxTubes.Basic.LeakageWithCoefficient leakage(c_usefulFlux=0.9, R_mUsefulTot=1e6);
      FluxTubes.Sensors.MagneticFluxSensor flux;
      FluxTubes.Sensors.MagneticPotentialDifferenceSensor difference;
    equation
      connect(u.n, ground.p);
      connect(u.p, R.p);
      connect(R.n, coil.p);
      connect(coil.n, ground.p);
      connect(coil.port_p, tube.port_p);
      connect(tube.port_n, cuboid.port_p);
      connect(cuboid.port_n, axial.port_p);
      connect(axial.port_n, radial.port_p);
      connect(radial.port_n, around.port_p);
      connect(around.port_n, toroid.port_p);
      connect(toroid.port_n, eddy.port_p);
      connect(eddy.port_n, reluctance.port_p);
      connect(reluctance.port_n, permeance.port_p);
      connect(permeance.port_n, flux.port_p);
      connect(flux.port_n, second.port_p);
      connect(second.port_n, coil.port_n);
      connect(coil.port_n, zero.port);
      connect(leakage.port_p, coil.port_p);
      connect(leakage.port_n, coil.port_n);
      connect(difference.port_p, tube.port_p);
      connect(difference.port_n, tube.port_n);
      connect(second.p, load.p);
      connect(second.n, load.n);
      connect(second.n, ground.p);
      annotation(experiment(StopTime=0.06));
    end Core;

    model Sources "Sources, variable elements and joints"
      FluxTubes.Sources.ConstantMagneticPotentialDifference a(V_m=100);
      FluxTubes.Sources.SignalMagneticPotentialDifference b(V_m=sin(time));
      FluxTubes.Sources.ConstantMagneticFlux c(Phi=1e-3);
      FluxTubes.Sources.SignalMagneticFlux d(Phi=1e-3*sin(time));
      FluxTubes.Basic.VariableReluctance r(R_m=1e5*(2 + sin(time)));
      FluxTubes.Basic.VariablePermeance g(G_m=1e-5*(2 + cos(time)));
      FluxTubes.Basic.Short short;
      FluxTubes.Basic.Idle idle;
      FluxTubes.Basic.Crossing crossing;
      FluxTubes.Basic.Ground zero;
      FluxTubes.Basic.ConstantReluctance side(R_m=3e5);
    equation
      connect(a.port_p, b.port_n);
      connect(b.port_p, r.port_p);
      connect(r.port_n, g.port_p);
      connect(g.port_n, short.port_p);
      connect(short.port_n, a.port_n);
      connect(a.port_n, zero.port);
      connect(c.port_p, g.port_p);
      connect(c.port_n, g.port_n);
      connect(d.port_p, side.port_p);
      connect(d.port_n, side.port_n);
      connect(side.port_n, zero.port);
      connect(idle.port_p, side.port_p);
      connect(idle.port_n, crossing.port_p1);
      connect(crossing.port_p2, r.port_p);
      connect(crossing.port_n1, zero.port);
    end Sources;

    model Actuators "Armatures on springs, one in each gap"
      FluxTubes.Sources.ConstantMagneticPotentialDifference mmf[4](each V_m=300);
      FluxTubes.Basic.ConstantReluctance iron[4](each R_m=1e6);
      FluxTubes.Shapes.Force.HollowCylinderAxialFlux axial(mu_r=1);
      FluxTubes.Shapes.Force.HollowCylinderRadialFlux radial(mu_r=1);
      FluxTubes.Shapes.Force.CuboidParallelFlux parallel(mu_r=1, useSupport=true);
      FluxTubes.Shapes.Force.CuboidOrthogonalFlux orthogonal(mu_r=1, dlBydx=1);
      Modelica.Mechanics.Translational.Components.Mass mass[4](
        each m=0.1, each s(start=0.003, fixed=true), each v(fixed=true));
      Modelica.Mechanics.Translational.Components.SpringDamper spring[4](
        each c=3e4, each d=10, each s_rel0=0.003);
      Modelica.Mechanics.Translational.Components.Fixed fixed;
      FluxTubes.Basic.Ground zero;
    equation
      connect(mmf[1].port_p, iron[1].port_p);
      connect(iron[1].port_n, axial.port_p);
      connect(axial.port_n, mmf[1].port_n);
      connect(mmf[2].port_p, iron[2].port_p);
      connect(iron[2].port_n, radial.port_p);
      connect(radial.port_n, mmf[2].port_n);
      connect(mmf[3].port_p, iron[3].port_p);
      connect(iron[3].port_n, parallel.port_p);
      connect(parallel.port_n, mmf[3].port_n);
      connect(mmf[4].port_p, iron[4].port_p);
      connect(iron[4].port_n, orthogonal.port_p);
      connect(orthogonal.port_n, mmf[4].port_n);
      connect(axial.flange, mass[1].flange_a);
      connect(radial.flange, mass[2].flange_a);
      connect(parallel.flange, mass[3].flange_a);
      connect(parallel.support, fixed.flange);
      connect(orthogonal.flange, mass[4].flange_a);
      for k in 1:4 loop
        connect(fixed.flange, spring[k].flange_a);
        connect(spring[k].flange_b, mass[k].flange_b);
        connect(mmf[k].port_n, zero.port);
      end for;
      annotation(experiment(StopTime=0.05));
    end Actuators;
  end Magnetic;
end Components;
