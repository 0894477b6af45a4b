within Modelica.Mechanics.MultiBody.Joints;
model RollingWheel "A thin wheel rolls on the plane z = 0; it may lean and does not slip"
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a
    "Frame of the wheel in its middle, y along its axis";
  parameter SI.Radius radius "Radius of the wheel";
  parameter StateSelect stateSelect=StateSelect.always "Wish for the coordinates as states"
    annotation(HideResult=true, Evaluate=true);
  SI.Position x(start=0, stateSelect=stateSelect) "First coordinate of the middle";
  SI.Position y(start=0, stateSelect=stateSelect) "Second coordinate of the middle";
  SI.Position z "Height of the middle";
  SI.Angle angles[3](start={0, 0, 0}, each stateSelect=stateSelect)
    "Angles about z, y and x from world to frame_a";
  SI.AngularVelocity der_angles[3](start={0, 0, 0}, each stateSelect=stateSelect)
    "Their derivatives";
  SI.Position r_road_0[3] "Point of the road below the wheel, along axes of world";
  SI.Force f_wheel_0[3] "Force of the road on the wheel, along axes of world";
  SI.Force f_n "Its part upwards";
  SI.Force f_lat "Its part along the axis";
  SI.Force f_long "Its part across the axis";
  SI.Position err "Distance from the middle to the road less the radius; zero up to errors";
protected
  Real e_axis_0[3](each final unit="1") "Axis, along axes of world";
  Real level[3](each final unit="1") "Across axis and z; as long as the cosine of the lean";
  Real upright(final unit="1", start=1) "Cosine of the lean";
  Real e_long_0[3](each final unit="1") "Direction of level";
  Real e_lat_0[3](each final unit="1") "Across e_long_0 in the plane";
  SI.Position delta_0[3](start={0, 0, -radius}) "From the middle to the road, along axes of world";
  SI.Velocity vContact_0[3] "Velocity of the wheel at the road, along axes of world";
equation
  Connections.root(frame_a.R);
  frame_a.r_0 = {x, y, z};
  der_angles = der(angles);
  frame_a.R = Frames.axesRotations({3, 2, 1}, angles, der_angles);
  e_axis_0 = Frames.resolve1(frame_a.R, {0, 1, 0});
  level = cross({0, 0, 1}, e_axis_0);
  upright = sqrt(level*level);
  assert(noEvent(upright > 1e-10), "a rolling wheel lies flat on the road");
  e_long_0 = level/upright;
  e_lat_0 = cross(e_long_0, {0, 0, 1});
  // Of the rim, the road touches the point furthest down: across e_long_0 in the plane of the wheel.
  delta_0 = radius*cross(e_long_0, e_axis_0);
  z = radius*upright;
  r_road_0 = frame_a.r_0 + delta_0;
  err = sqrt(delta_0*delta_0) - radius;
  vContact_0 = der(frame_a.r_0) + cross(Frames.angularVelocity1(frame_a.R), delta_0);
  vContact_0*e_long_0 = 0;
  vContact_0*e_lat_0 = 0;
  f_wheel_0 = {0, 0, f_n} + f_lat*e_lat_0 + f_long*e_long_0;
  frame_a.f = -Frames.resolve2(frame_a.R, f_wheel_0);
  frame_a.t = -Frames.resolve2(frame_a.R, cross(delta_0, f_wheel_0));
end RollingWheel;
