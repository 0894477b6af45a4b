within Modelica.Blocks.Sources;
block KinematicPTP2 "Positions, speeds and accelerations of a fastest synchronous move"
  parameter Real q_begin[:]={0} "First positions";
  parameter Real q_end[:]={1} "Last positions";
  parameter Real qd_max[:](each final min=Modelica.Constants.small) = {1} "Speed limits";
  parameter Real qdd_max[:](each final min=Modelica.Constants.small) = {1}
    "Acceleration limits";
  parameter SI.Time startTime=0 "Beginning of the move";
  extends Modelica.Blocks.Icons.Block;
  final parameter Integer nout=max(
    [size(q_begin, 1); size(q_end, 1); size(qd_max, 1); size(qdd_max, 1)]) "Number of axes";
  output SI.Time endTime "End of the move";
  Modelica.Blocks.Interfaces.RealOutput q[nout] "Positions";
  Modelica.Blocks.Interfaces.RealOutput qd[nout] "Speeds";
  Modelica.Blocks.Interfaces.RealOutput qdd[nout] "Accelerations";
  Modelica.Blocks.Interfaces.BooleanOutput moving[nout] "Which axes move";
protected
  parameter Real p_q_begin[nout]=(
    if size(q_begin, 1) == 1 then ones(nout)*q_begin[1] else q_begin);
  parameter Real p_q_end[nout]=(if size(q_end, 1) == 1 then ones(nout)*q_end[1] else q_end);
  parameter Real p_qd_max[nout]=(if size(qd_max, 1) == 1 then ones(nout)*qd_max[1] else qd_max);
  parameter Real p_qdd_max[nout]=(
    if size(qdd_max, 1) == 1 then ones(nout)*qdd_max[1] else qdd_max);
  parameter Real p_deltaq[nout]=p_q_end - p_q_begin;
  constant Real eps=10*Modelica.Constants.eps "Shorter moves count as none";
  // All axes follow one path parameter that runs from 0 to 1; its limits are those of the axis
  // that takes longest. Inverses, so that an axis without a way to go does no harm.
  parameter Real sd_max_inv=max(abs(p_deltaq[k])/p_qd_max[k] for k in 1:nout);
  parameter Real sdd_max_inv=max(abs(p_deltaq[k])/p_qdd_max[k] for k in 1:nout);
  parameter Boolean resting=sd_max_inv <= eps or sdd_max_inv <= eps "Nothing moves";
  parameter Real sdd_max=if resting then 0 else 1/sdd_max_inv "Acceleration while speeding up";
  parameter SI.Time Ta=if resting then 0 else min(sqrt(sdd_max_inv), sdd_max_inv/sd_max_inv)
    "Length of the acceleration, and of the deceleration";
  parameter Real sd_top=sdd_max*Ta "Top speed";
  parameter SI.Time Te=if resting then 0 else Ta + 1/sd_top "Length of the move";
  SI.Time t=time - startTime "Time since the beginning";
  Real s "Path parameter";
  Real sd "Its speed";
  Real sdd "Its acceleration";
  Boolean motion_ref "The move is not over";
equation
  endTime = startTime + Te;
  motion_ref = time < endTime;
  if time < startTime then
    s = 0;
    sd = 0;
    sdd = 0;
  elseif time < startTime + Ta then
    s = sdd_max*t^2/2;
    sd = sdd_max*t;
    sdd = sdd_max;
  elseif time < endTime - Ta then
    s = sd_top*(t - Ta/2);
    sd = sd_top;
    sdd = 0;
  elseif time < endTime then
    s = 1 - sdd_max*(Te - t)^2/2;
    sd = sdd_max*(Te - t);
    sdd = -sdd_max;
  else
    s = if resting then 0 else 1;
    sd = 0;
    sdd = 0;
  end if;
  q = p_q_begin + p_deltaq*s;
  qd = p_deltaq*sd;
  qdd = p_deltaq*sdd;
  for k in 1:nout loop
    moving[k] = motion_ref and abs(p_deltaq[k]) > eps;
  end for;
end KinematicPTP2;
