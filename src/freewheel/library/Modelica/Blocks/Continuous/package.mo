within Modelica.Blocks;
package Continuous "Blocks with continuous states"
  extends Modelica.Icons.Package;
  import Modelica.Blocks.Interfaces;
  import Modelica.Units.SI;

  block Integrator "Integral, if desired with reset"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter Boolean use_reset=false "Offer a reset input"
      annotation(Evaluate=true, HideResult=true);
    parameter Boolean use_set=false "Offer an input for the value after a reset"
      annotation(Evaluate=true, HideResult=true);
    parameter Init initType=Init.InitialState "How the block starts" annotation(Evaluate=true);
    parameter Real y_start=0 "First output, and output after a reset";
    extends Interfaces.SISO;
    Modelica.Blocks.Interfaces.BooleanInput reset if use_reset "Resets on its rising edge";
    Modelica.Blocks.Interfaces.RealInput set if use_reset and use_set "Output after a reset";
  protected
    Modelica.Blocks.Interfaces.BooleanOutput local_reset annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealOutput local_set annotation(HideResult=true);
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if use_reset then
      connect(reset, local_reset);
      if use_set then
        connect(set, local_set);
      else
        local_set = y_start;
      end if;
      when local_reset then
        reinit(y, local_set);
      end when;
    else
      local_reset = false;
      local_set = 0;
    end if;
    der(y) = k*u;
  end Integrator;

  block LimIntegrator "Integral that stays within limits, if desired with reset"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter Real outMax(start=1) "Upper limit";
    parameter Real outMin=-outMax "Lower limit";
    parameter Boolean use_reset=false "Offer a reset input"
      annotation(Evaluate=true, HideResult=true);
    parameter Boolean use_set=false "Offer an input for the value after a reset"
      annotation(Evaluate=true, HideResult=true);
    parameter Init initType=Init.InitialState "How the block starts" annotation(Evaluate=true);
    parameter Boolean limitsAtInit=true "Use the limits at initialisation" annotation(Evaluate=true);
    parameter Real y_start=0 "First output, and output after a reset";
    parameter Boolean strict=false "Limit without events" annotation(Evaluate=true);
    extends Interfaces.SISO;
    Modelica.Blocks.Interfaces.BooleanInput reset if use_reset "Resets on its rising edge";
    Modelica.Blocks.Interfaces.RealInput set if use_reset and use_set "Output after a reset";
  protected
    Modelica.Blocks.Interfaces.BooleanOutput local_reset annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealOutput local_set annotation(HideResult=true);
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if use_reset then
      connect(reset, local_reset);
      if use_set then
        connect(set, local_set);
      else
        local_set = y_start;
      end if;
      when local_reset then
        reinit(y, max(outMin, min(outMax, local_set)));
      end when;
    else
      local_reset = false;
      local_set = 0;
    end if;
    // The integral rests while it is beyond a limit and the input pushes further out.
    if initial() and not limitsAtInit then
      der(y) = k*u;
      assert(y >= outMin - 0.001*abs(outMax - outMin) and y <= outMax + 0.001*abs(outMax - outMin),
        "the output starts outside its limits");
    elseif strict then
      der(y) = noEvent(if y < outMin and k*u < 0 or y > outMax and k*u > 0 then 0 else k*u);
    else
      der(y) = if y < outMin and k*u < 0 or y > outMax and k*u > 0 then 0 else k*u;
    end if;
  end LimIntegrator;

  block Derivative "Derivative of a lagged input: k*s/(T*s + 1)"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter SI.Time T(min=Modelica.Constants.small) = 0.01 "Time constant of the lag";
    parameter Init initType=Init.NoInit "How the block starts" annotation(Evaluate=true);
    parameter Real x_start=0 "First state";
    parameter Real y_start=0 "First output";
    extends Interfaces.SISO;
    output Real x(start=x_start) "Lagged input";
  protected
    parameter Boolean zeroGain=abs(k) < Modelica.Constants.eps;
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      if zeroGain then
        x = u;
      else
        y = y_start;
      end if;
    end if;
  equation
    der(x) = if zeroGain then 0 else (u - x)/T;
    y = if zeroGain then 0 else k/T*(u - x);
  end Derivative;

  block FirstOrder "First-order lag: k/(T*s + 1)"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter SI.Time T(start=1) "Time constant";
    parameter Init initType=Init.NoInit "How the block starts" annotation(Evaluate=true);
    parameter Real y_start=0 "First output";
    extends Interfaces.SISO(y(start=y_start));
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(y) = (k*u - y)/T;
  end FirstOrder;

  block SecondOrder "Second-order lag: k/((s/w)^2 + 2*D*s/w + 1)"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter Real w(start=1) "Angular frequency";
    parameter Real D(start=1) "Damping";
    parameter Init initType=Init.NoInit "How the block starts" annotation(Evaluate=true);
    parameter Real y_start=0 "First output";
    parameter Real yd_start=0 "First derivative of the output";
    extends Interfaces.SISO(y(start=y_start));
    output Real yd(start=yd_start) "Derivative of the output";
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
      der(yd) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
      yd = yd_start;
    end if;
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block PI "Proportional-integral controller: k*(1 + 1/(T*s))"
    import Modelica.Blocks.Types.Init;
    parameter Real k=1 "Gain";
    parameter SI.Time T(start=1, min=Modelica.Constants.small) "Integral time";
    parameter Init initType=Init.NoInit "How the block starts" annotation(Evaluate=true);
    parameter Real x_start=0 "First state";
    parameter Real y_start=0 "First output";
    extends Interfaces.SISO;
    output Real x(start=x_start) "Integral of the input over T";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(x) = u/T;
    y = k*(x + u);
  end PI;

  block PID "Controller k*(1 + 1/(Ti*s) + Td*s), the last part lagged by Td/Nd"
    import Modelica.Blocks.Types.Init;
    extends Interfaces.SISO;
    parameter Real k=1 "Gain";
    parameter SI.Time Ti(min=Modelica.Constants.small, start=0.5) "Integral time";
    parameter SI.Time Td(min=0, start=0.1) "Derivative time";
    parameter Real Nd(min=Modelica.Constants.small) = 10 "Td over the lag of the derivative";
    parameter Init initType=Init.InitialState "How the block starts" annotation(Evaluate=true);
    parameter Real xi_start=0 "First state of the integral";
    parameter Real xd_start=0 "First state of the derivative";
    parameter Real y_start=0 "First output";
    constant SI.Time unitTime=1 annotation(HideResult=true);
    Blocks.Math.Gain P(k=1) "Proportional part";
    Blocks.Continuous.Integrator I(
      k=unitTime/Ti,
      y_start=xi_start,
      initType=if initType == Init.SteadyState then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState else Init.NoInit)
      "Integral part";
    Blocks.Continuous.Derivative D(
      k=Td/unitTime,
      T=max([Td/Nd, 100*Modelica.Constants.eps]),
      x_start=xd_start,
      initType=if initType == Init.SteadyState or initType == Init.InitialOutput
        then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState else Init.NoInit)
      "Derivative part";
    Blocks.Math.Gain Gain(k=k);
    Blocks.Math.Add3 Add;
  initial equation
    if initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    connect(u, P.u);
    connect(u, I.u);
    connect(u, D.u);
    connect(P.y, Add.u1);
    connect(I.y, Add.u2);
    connect(D.y, Add.u3);
    connect(Add.y, Gain.u);
    connect(Gain.y, y);
  end PID;

  block LimPID "P, PI, PD or PID controller with limited output and back-calculated integral"
    import Modelica.Blocks.Types.Init;
    import Modelica.Blocks.Types.SimpleController;
    extends Modelica.Blocks.Interfaces.SVcontrol;
    output Real controlError=u_s - u_m "Set point minus measured value";
    parameter Modelica.Blocks.Types.SimpleController controllerType=
      Modelica.Blocks.Types.SimpleController.PID "Parts of the controller";
    parameter Real k=1 "Gain";
    parameter SI.Time Ti(min=Modelica.Constants.small) = 0.5 "Integral time";
    parameter SI.Time Td(min=0) = 0.1 "Derivative time";
    parameter Real yMax(start=1) "Upper limit of the output";
    parameter Real yMin=-yMax "Lower limit of the output";
    parameter Real wp(min=0) = 1 "Weight of the set point in the proportional part";
    parameter Real wd(min=0) = 0 "Weight of the set point in the derivative part";
    parameter Real Ni(min=100*Modelica.Constants.eps) = 0.9 "Tracking time of the integral over Ti";
    parameter Real Nd(min=100*Modelica.Constants.eps) = 10 "Td over the lag of the derivative";
    parameter Boolean withFeedForward=false "Offer a feed-forward input" annotation(Evaluate=true);
    parameter Real kFF=1 "Gain of the feed-forward input";
    parameter Init initType=Init.InitialState "How the block starts" annotation(Evaluate=true);
    parameter Real xi_start=0 "First state of the integral";
    parameter Real xd_start=0 "First state of the derivative";
    parameter Real y_start=0 "First output";
    parameter Modelica.Blocks.Types.LimiterHomotopy homotopyType=
      Modelica.Blocks.Types.LimiterHomotopy.Linear "Simplified limiter at initialisation"
      annotation(Evaluate=true);
    parameter Boolean strict=false "Limit without events" annotation(Evaluate=true);
    constant SI.Time unitTime=1 annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealInput u_ff if withFeedForward "Feed-forward input";
    Modelica.Blocks.Math.Add addP(k1=wp, k2=-1);
    Modelica.Blocks.Math.Add addD(k1=wd, k2=-1) if with_D;
    Modelica.Blocks.Math.Gain P(k=1);
    Modelica.Blocks.Continuous.Integrator I(
      k=unitTime/Ti,
      y_start=xi_start,
      initType=if initType == Init.SteadyState then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) if with_I;
    Modelica.Blocks.Continuous.Derivative D(
      k=Td/unitTime,
      T=max([Td/Nd, 1.e-14]),
      x_start=xd_start,
      initType=if initType == Init.SteadyState or initType == Init.InitialOutput
        then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) if with_D;
    Modelica.Blocks.Math.Gain gainPID(k=k);
    Modelica.Blocks.Math.Add3 addPID;
    Modelica.Blocks.Math.Add3 addI(k2=-1) if with_I;
    Modelica.Blocks.Math.Add addSat(k1=+1, k2=-1) if with_I;
    Modelica.Blocks.Math.Gain gainTrack(k=1/(k*Ni)) if with_I;
    Modelica.Blocks.Nonlinear.Limiter limiter(
      uMax=yMax,
      uMin=yMin,
      strict=strict,
      homotopyType=homotopyType);
  protected
    parameter Boolean with_I=controllerType == SimpleController.PI
      or controllerType == SimpleController.PID annotation(Evaluate=true, HideResult=true);
    parameter Boolean with_D=controllerType == SimpleController.PD
      or controllerType == SimpleController.PID annotation(Evaluate=true, HideResult=true);
  public
    Modelica.Blocks.Sources.Constant Dzero(k=0) if not with_D;
    Modelica.Blocks.Sources.Constant Izero(k=0) if not with_I;
    Modelica.Blocks.Sources.Constant FFzero(k=0) if not withFeedForward;
    Modelica.Blocks.Math.Add addFF(k1=1, k2=kFF);
  initial equation
    if initType == Init.InitialOutput then
      gainPID.y = y_start;
    end if;
  equation
    assert(abs(k) >= Modelica.Constants.small, "the gain must not be zero");
    assert(initType <> Init.InitialOutput or y_start >= yMin and y_start <= yMax,
      "y_start lies outside the limits of the output");
    connect(u_s, addP.u1);
    connect(u_m, addP.u2);
    connect(addP.y, P.u);
    connect(P.y, addPID.u1);
    connect(u_s, addD.u1);
    connect(u_m, addD.u2);
    connect(addD.y, D.u);
    connect(D.y, addPID.u2);
    connect(Dzero.y, addPID.u2);
    connect(u_s, addI.u1);
    connect(u_m, addI.u2);
    connect(gainTrack.y, addI.u3);
    connect(addI.y, I.u);
    connect(I.y, addPID.u3);
    connect(Izero.y, addPID.u3);
    connect(addPID.y, gainPID.u);
    connect(gainPID.y, addFF.u1);
    connect(FFzero.y, addFF.u2);
    connect(u_ff, addFF.u2);
    connect(addFF.y, limiter.u);
    connect(limiter.y, y);
    // What the limiter cut off is fed back to the integral.
    connect(limiter.y, addSat.u1);
    connect(addFF.y, addSat.u2);
    connect(addSat.y, gainTrack.u);
  end LimPID;

  block TransferFunction "Linear transfer function b(s)/a(s), coefficients from the highest power"
    import Modelica.Blocks.Types.Init;
    extends Interfaces.SISO;
    parameter Real b[:]={1} "Numerator";
    parameter Real a[:]={1} "Denominator";
    parameter Modelica.Blocks.Types.Init initType=Modelica.Blocks.Types.Init.NoInit
      "How the block starts" annotation(Evaluate=true);
    parameter Real x_start[size(a, 1) - 1]=zeros(nx) "First state";
    parameter Real y_start=0 "First output";
    output Real x[size(a, 1) - 1](start=x_start) "State in controller canonical form";
  protected
    parameter Integer na=size(a, 1);
    parameter Integer nb=size(b, 1);
    parameter Integer nx=size(a, 1) - 1;
    parameter Real bb[:]=vector([zeros(max(0, na - nb), 1); b]) "Numerator padded to size na";
    parameter Real d=bb[1]/a[1] "Direct feed-through";
    parameter Real a_end=if a[end] > 100*Modelica.Constants.eps*sqrt(a*a) then a[end] else 1.0
      "Scale that gives the state the size of the input";
    Real x_scaled[size(x, 1)] "Scaled state";
  initial equation
    if initType == Init.SteadyState then
      der(x_scaled) = zeros(nx);
    elseif initType == Init.InitialState then
      x_scaled = x_start*a_end;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x_scaled[2:nx]) = zeros(nx - 1);
    end if;
  equation
    assert(size(b, 1) <= size(a, 1), "the numerator has a higher order than the denominator");
    if nx == 0 then
      y = d*u;
    else
      der(x_scaled[1]) = (a_end*u - a[2:na]*x_scaled)/a[1];
      der(x_scaled[2:nx]) = x_scaled[1:nx - 1];
      y = (bb[2:na] - d*a[2:na])*x_scaled/a_end + d*u;
      x = x_scaled/a_end;
    end if;
  end TransferFunction;

  block StateSpace "Linear system: der(x) = A*x + B*u, y = C*x + D*u"
    import Modelica.Blocks.Types.Init;
    parameter Real A[:, size(A, 1)]=[1, 0; 0, 1] "System matrix";
    parameter Real B[size(A, 1), :]=[1; 1] "Input matrix";
    parameter Real C[:, size(A, 1)]=[1, 1] "Output matrix";
    parameter Real D[size(C, 1), size(B, 2)]=zeros(size(C, 1), size(B, 2)) "Feed-through";
    parameter Modelica.Blocks.Types.Init initType=Modelica.Blocks.Types.Init.NoInit
      "How the block starts" annotation(Evaluate=true);
    parameter Real x_start[nx]=zeros(nx) "First state";
    parameter Real y_start[ny]=zeros(ny) "First output";
    extends Interfaces.MIMO(final nin=size(B, 2), final nout=size(C, 1));
    output Real x[size(A, 1)](start=x_start) "State";
  protected
    parameter Integer nx=size(A, 1);
    parameter Integer ny=size(C, 1);
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(nx);
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      x = Modelica.Math.Matrices.equalityLeastSquares(A, -B*u, C, y_start - D*u);
    end if;
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;

  block Der "Derivative; the input must be differentiable"
    extends Interfaces.SISO;
  equation
    y = der(u);
  end Der;

  block LowpassButterworth "Butterworth low pass of order n"
    import Modelica.Blocks.Types.Init;
    import Modelica.Constants.pi;
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Integer n(min=1) = 2 "Order";
    parameter SI.Frequency f(start=1) "Cut-off frequency";
    parameter Modelica.Blocks.Types.Init initType=Modelica.Blocks.Types.Init.NoInit
      "How the block starts" annotation(Evaluate=true);
    parameter Real x1_start[m]=zeros(m) "First outputs of the second-order parts";
    parameter Real x2_start[m]=zeros(m) "First derivatives of them";
    parameter Real xr_start=0.0 "First output of the first-order part";
    parameter Real y_start=0.0 "First output";
    output Real x1[m](start=x1_start) "Outputs of the second-order parts";
    output Real x2[m](start=x2_start) "Derivatives of them";
    output Real xr(start=xr_start) "Output of the first-order part of an odd order";
  protected
    parameter Integer m=div(n, 2) "Number of second-order parts";
    parameter Boolean evenOrder=2*m == n;
    parameter Real w=2*pi*f;
    // Poles lie on a circle of radius w, so the parts differ in their damping only.
    parameter Real D[m]={-cos(pi/2 + pi/n*(k - 0.5)) for k in 1:m} "Damping of each part";
    Real z[m + 1] "Input of each part";
  initial equation
    if initType == Init.SteadyState then
      der(x1) = zeros(m);
      der(x2) = zeros(m);
      if not evenOrder then
        der(xr) = 0.0;
      end if;
    elseif initType == Init.InitialState then
      x1 = x1_start;
      x2 = x2_start;
      if not evenOrder then
        xr = xr_start;
      end if;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x1) = zeros(m);
      if evenOrder then
        if m > 1 then
          der(x2[1:m - 1]) = zeros(m - 1);
        end if;
      else
        der(x2) = zeros(m);
      end if;
    end if;
  equation
    z[1] = u;
    for k in 1:m loop
      der(x1[k]) = x2[k];
      der(x2[k]) = w^2*(z[k] - x1[k]) - 2*D[k]*w*x2[k];
      z[k + 1] = x1[k];
    end for;
    if evenOrder then
      xr = 0;
      y = z[m + 1];
    else
      der(xr) = w*(z[m + 1] - xr);
      y = xr;
    end if;
  end LowpassButterworth;

  block CriticalDamping "Low pass of n equal first-order lags"
    import Modelica.Blocks.Types.Init;
    extends Modelica.Blocks.Interfaces.SISO;
    parameter Integer n=2 "Order";
    parameter SI.Frequency f(start=1) "Cut-off frequency";
    parameter Boolean normalized=true "Gain at f is 1/sqrt(2); otherwise f belongs to one lag";
    parameter Modelica.Blocks.Types.Init initType=Modelica.Blocks.Types.Init.NoInit
      "How the block starts" annotation(Evaluate=true);
    parameter Real x_start[n]=zeros(n) "First state";
    parameter Real y_start=0.0 "First output";
    output Real x[n](start=x_start) "Output of each lag";
  protected
    parameter Real alpha=if normalized then sqrt(2^(1/n) - 1) else 1.0;
    parameter Real w=2*Modelica.Constants.pi*f/alpha;
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(n);
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x[1:n - 1]) = zeros(n - 1);
    end if;
  equation
    der(x[1]) = w*(u - x[1]);
    for k in 2:n loop
      der(x[k]) = w*(x[k - 1] - x[k]);
    end for;
    y = x[n];
  end CriticalDamping;
end Continuous;
