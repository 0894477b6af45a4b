model M
  parameter Real Ri=10, RL=50, C=1e-3;
  Real u0=10*sin(100*3.141592653589793*time), u2(start=0,fixed=true), ud, i0, u1, iR, iC, s; Boolean open(start=true);
equation
  u1 = Ri*i0; u2 = RL*iR; iC = C*der(u2); u0 = u1 + ud + u2; i0 = iC + iR;
  ud = s*(if open then 1 else 0); i0 = s*(if open then 0 else 1); open = s < 0;
  annotation(experiment(StopTime=0.1, Tolerance=1e-8));
end M;
