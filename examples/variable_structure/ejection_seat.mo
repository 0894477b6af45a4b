// A pilot leaves an aircraft on a seat. Rails guide it: it slides along them, neither across nor turning (one
// degree of freedom). At their end it is free: three degrees of freedom, and no force across or moment is left.
// The rails say where the seat is, so the forces of the rails follow from the second derivatives of that.
package EjectionSeat "Planar mechanics: x along the flight, y up, phi nose up"
  import Modelica.Units.SI;

  connector Frame "A place on a body"
    SI.Position x, y;
    SI.Angle phi;
    flow SI.Force fx, fy;
    flow SI.Torque tau;
  end Frame;

  model Aircraft "Flies level, too heavy to notice"
    parameter SI.Velocity speed = 200;
    Frame frame;
  equation
    frame.x = speed*time;
    frame.y = 0;
    frame.phi = 0;
  end Aircraft;

  model Rails "Guide frame_b along a line that leans back, up to its end; a catapult pushes on the way"
    Frame frame_a "aircraft", frame_b "seat";
    parameter SI.Angle lean = 0.3 "against the vertical";
    parameter SI.Length length = 1.2;
    parameter SI.Force push = 30000;
    SI.Position s "travelled", d "off the line";
    SI.Force along, across "on the seat";
    SI.Torque moment;
    Boolean guides(start=true, fixed=true);
  equation
    s = (frame_b.y - frame_a.y)*cos(lean) - (frame_b.x - frame_a.x)*sin(lean);
    d = (frame_b.x - frame_a.x)*cos(lean) + (frame_b.y - frame_a.y)*sin(lean);
    guides = pre(guides) and s < length;
    if guides then
      along = push;
      d = 0;
      frame_b.phi = frame_a.phi;
    else
      along = 0;
      across = 0;
      moment = 0;
    end if;
    frame_b.fx = along*sin(lean) - across*cos(lean);
    frame_b.fy = -along*cos(lean) - across*sin(lean);
    frame_b.tau = -moment;
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
    frame_a.tau + frame_b.tau = moment;
  end Rails;

  model Seat "Seat and pilot"
    parameter SI.Mass m = 180;
    parameter SI.Inertia J = 40;
    parameter SI.Acceleration g = 9.81;
    parameter SI.Velocity speed = 200 "of the aircraft, at the start";
    Frame frame;
    SI.Position x(start=0, fixed=true), y(start=0, fixed=true);
    SI.Angle phi(start=0, fixed=true);
    SI.Velocity vx(start=speed, fixed=true), vy(start=0, fixed=true);
    SI.AngularVelocity w(start=0, fixed=true);
  equation
    x = frame.x;
    y = frame.y;
    phi = frame.phi;
    vx = der(x);
    vy = der(y);
    w = der(phi);
    m*der(vx) = frame.fx;
    m*der(vy) = frame.fy - m*g;
    J*der(w) = frame.tau;
  end Seat;

  model Rocket "Constant thrust in a direction that a gyroscope keeps, beside the centre of mass"
    parameter SI.Force thrust = 12000;
    parameter SI.Angle lean = 0.3;
    parameter SI.Length arm = 0.01;
    Frame frame;
    input Boolean burns;
  equation
    frame.fx = if burns then thrust*sin(lean) else 0;
    frame.fy = if burns then -thrust*cos(lean) else 0;
    frame.tau = if burns then -thrust*arm else 0;
  end Rocket;

  model Drag "Of the air, once the seat is out of the cockpit"
    parameter Real k(unit="kg/m") = 0.6 "half of density, area and coefficient";
    Frame frame;
    input Boolean acts;
    SI.Velocity vx, vy, v;
  equation
    vx = der(frame.x);
    vy = der(frame.y);
    v = sqrt(vx^2 + vy^2);
    frame.fx = if acts then k*v*vx else 0;
    frame.fy = if acts then k*v*vy else 0;
    frame.tau = 0;
  end Drag;

  model Ejection "Rocket for 0.4 s after the rails, no drag: piecewise parabolas"
    parameter SI.Velocity speed = 200;
    parameter SI.Time burning = 0.4;
    Aircraft aircraft(speed=speed);
    Rails rails;
    Seat seat(speed=speed);
    Rocket rocket(burns=not rails.guides and time < left + burning);
    discrete SI.Time left(start=1e9, fixed=true) "when the rails end";
  equation
    when not rails.guides then
      left = time;
    end when;
    connect(aircraft.frame, rails.frame_a);
    connect(rails.frame_b, seat.frame);
    connect(rocket.frame, seat.frame);
    annotation(experiment(StopTime=1.5, Interval=0.005, Tolerance=1e-8));
  end Ejection;

  model EjectionWithDrag "The air stops the seat; does it pass above the tail?"
    extends Ejection;
    Drag drag(acts=not rails.guides);
    SI.Position behind = aircraft.frame.x - seat.x "the aircraft flies on";
  equation
    connect(drag.frame, seat.frame);
  end EjectionWithDrag;
end EjectionSeat;
