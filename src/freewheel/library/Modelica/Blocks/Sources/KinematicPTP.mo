within Modelica.Blocks.Sources;
block KinematicPTP "Accelerations of a fastest synchronous move with limited speed"
  parameter Real deltaq[:]={1} "Distances to move";
  parameter Real qd_max[:](each final min=Modelica.Constants.small) = {1} "Speed limits";
  parameter Real qdd_max[:](each final min=Modelica.Constants.small) = {1}
    "Acceleration limits";
  parameter SI.Time startTime=0 "Beginning of the move";
  extends Interfaces.MO(
    final nout=max([size(deltaq, 1); size(qd_max, 1); size(qdd_max, 1)]));
protected
  parameter Real p_deltaq[nout]=(if size(deltaq, 1) == 1 then ones(nout)*deltaq[1] else deltaq);
  parameter Real p_qd_max[nout]=(if size(qd_max, 1) == 1 then ones(nout)*qd_max[1] else qd_max);
  parameter Real p_qdd_max[nout]=(
    if size(qdd_max, 1) == 1 then ones(nout)*qdd_max[1] else qdd_max);
  // All axes follow one path parameter that runs from 0 to 1.
  Real sd_max "Largest speed of the path parameter";
  Real sdd_max "Largest acceleration of the path parameter";
  Real sdd "Acceleration of the path parameter";
  Real aux1[nout];
  Real aux2[nout];
  SI.Time Ta1 "End of the acceleration if top speed is not reached";
  SI.Time Ta2 "End of the acceleration if top speed is reached";
  SI.Time Tv "Beginning of the deceleration";
  SI.Time Te "End of the move";
  Boolean noWphase "Top speed is not reached";
equation
  for k in 1:nout loop
    aux1[k] = p_deltaq[k]/p_qd_max[k];
    aux2[k] = p_deltaq[k]/p_qdd_max[k];
  end for;
  sd_max = 1/max(abs(aux1));
  sdd_max = 1/max(abs(aux2));
  Ta1 = sqrt(1/sdd_max);
  Ta2 = sd_max/sdd_max;
  noWphase = Ta2 >= Ta1;
  Tv = if noWphase then Ta1 else 1/sd_max;
  Te = if noWphase then 2*Ta1 else Tv + Ta2;
  sdd = if time < startTime then 0
    else if noWphase then (
      if time < startTime + Ta1 then sdd_max
      else if time < startTime + Te then -sdd_max
      else 0)
    else (
      if time < startTime + Ta2 then sdd_max
      else if time < startTime + Tv then 0
      else if time < startTime + Te then -sdd_max
      else 0);
  y = p_deltaq*sdd;
end KinematicPTP;
