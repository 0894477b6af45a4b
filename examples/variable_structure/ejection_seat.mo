// A pilot leaves an aircraft on a seat. Rails guide it: it slides along them, neither across nor turning (one
// degree of freedom). At their end it is free: three degrees of freedom, and no force across or moment is left.
// The rails say where the seat is, so the forces of the rails follow from the second derivatives of that.
package EjectionSeat "Planar mechanics: x along the flight, y up, phi nose up"
  connector Frame "A place on a body"
    Real x, y, phi;
    flow Real fx, fy, tau;
  end Frame;

  model Aircraft "Flies level, too heavy to notice"
    parameter Real speed = 200;
    Frame frame;
  equation
    frame.x = speed*time;
    frame.y = 0;
    frame.phi = 0;
  end Aircraft;

  model Rails "Guide frame_b along a line that leans back, up to its end; a catapult pushes on the way"
    Frame frame_a "aircraft", frame_b "seat";
    parameter Real lean = 0.3 "angle against the vertical";
    parameter Real length = 1.2, push = 30000;
    Real s "travelled", d "off the line";
    Real along, across, moment "on the seat";
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
    parameter Real m = 180, J = 40, g = 9.81;
    parameter Real speed = 200 "of the aircraft, at the start";
    Frame frame;
    Real x(start=0, fixed=true), y(start=0, fixed=true), phi(start=0, fixed=true);
    Real vx(start=speed, fixed=true), vy(start=0, fixed=true), w(start=0, fixed=true);
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
    parameter Real thrust = 12000, lean = 0.3, arm = 0.01;
    Frame frame;
    input Boolean burns;
  equation
    frame.fx = if burns then thrust*sin(lean) else 0;
    frame.fy = if burns then -thrust*cos(lean) else 0;
    frame.tau = if burns then -thrust*arm else 0;
  end Rocket;

  model Drag "Of the air, once the seat is out of the cockpit"
    parameter Real k = 0.6 "half of density, area and coefficient";
    Frame frame;
    input Boolean acts;
    Real vx, vy, v;
  equation
    vx = der(frame.x);
    vy = der(frame.y);
    v = sqrt(vx^2 + vy^2);
    frame.fx = if acts then k*v*vx else 0;
    frame.fy = if acts then k*v*vy else 0;
    frame.tau = 0;
  end Drag;

  model Ejection "Rocket for 0.4 s after the rails, no drag: piecewise parabolas"
    parameter Real speed = 200, burning = 0.4;
    Aircraft aircraft(speed=speed);
    Rails rails;
    Seat seat(speed=speed);
    Rocket rocket(burns=not rails.guides and time < left + burning);
    discrete Real left(start=1e9, fixed=true) "when the rails end";
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
    Real behind = aircraft.frame.x - seat.x "the aircraft flies on";
  equation
    connect(drag.frame, seat.frame);
  end EjectionWithDrag;
end EjectionSeat;
