model Tyson "Cell division cycle: cdc2 and cyclin (Tyson 1991)"
  parameter Real k1 = 0.015, k3 = 200, k4 = 180, k4a = 0.018;
  parameter Real k6 = 1, k7 = 0.6, k8 = 1e6, k9 = 1e3;
  Real C2(start = 0, fixed = true), CP(start = 0.75, fixed = true);
  Real pM(start = 0.25, fixed = true), M(start = 0, fixed = true);
  Real Y(start = 0, fixed = true), YP(start = 0, fixed = true);
  Real CT = C2 + CP + pM + M "all of cdc2";
  Real F = k4a + k4*(M/CT)^2 "activation, helped by what is active";
equation
  der(C2) = k6*M - k8*C2 + k9*CP;
  der(CP) = -k3*CP*Y + k8*C2 - k9*CP;
  der(pM) = k3*CP*Y - pM*F;
  der(M) = pM*F - k6*M;
  der(Y) = k1 - k3*CP*Y;
  der(YP) = k6*M - k7*YP;
  annotation(experiment(StopTime = 100, Tolerance = 1e-3));
end Tyson;
