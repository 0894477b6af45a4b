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
end Components;
