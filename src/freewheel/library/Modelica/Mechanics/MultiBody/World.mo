within Modelica.Mechanics.MultiBody;
model World "Inertial frame, field of gravity and sizes that other components take as defaults"
  Interfaces.Frame_b frame_b "Inertial frame";
  parameter Boolean enableAnimation=true "Accepted; nothing is drawn";
  parameter Boolean animateWorld=true "Accepted; nothing is drawn";
  parameter Boolean animateGravity=true "Accepted; nothing is drawn";
  parameter Boolean animateGround=false "Accepted; nothing is drawn";
  parameter Types.AxisLabel label1="x" "Name of the first axis";
  parameter Types.AxisLabel label2="y" "Name of the second axis";
  parameter Types.GravityTypes gravityType=Types.GravityTypes.UniformGravity "Kind of gravity"
    annotation(Evaluate=true);
  parameter SI.Acceleration g=Modelica.Constants.g_n "Strength of uniform gravity";
  parameter Types.Axis n={0, -1, 0} "Direction of uniform gravity";
  parameter Real mu(unit="m3/s2", min=0) = 3.986004418e14
    "Gravitational constant times mass in the origin, for point gravity";
  parameter Boolean driveTrainMechanics3D=true
    "Rotors of drive trains react on the bodies that carry them" annotation(Evaluate=true);
  parameter SI.Distance axisLength=nominalLength/2 "Length of drawn axes";
  parameter SI.Distance axisDiameter=axisLength/defaultFrameDiameterFraction
    "Diameter of drawn axes";
  parameter Boolean axisShowLabels=true "Accepted; nothing is drawn";
  input Types.Color axisColor_x=Types.Defaults.FrameColor "Colour of the x axis";
  input Types.Color axisColor_y=axisColor_x "Colour of the y axis";
  input Types.Color axisColor_z=axisColor_x "Colour of the z axis";
  parameter SI.Position gravityArrowTail[3]={0, 0, 0} "Begin of the arrow of gravity";
  parameter SI.Length gravityArrowLength=axisLength/2 "Length of the arrow of gravity";
  parameter SI.Diameter gravityArrowDiameter=gravityArrowLength/defaultWidthFraction
    "Diameter of the arrow of gravity";
  input Types.Color gravityArrowColor={0, 230, 0} "Colour of the arrow of gravity";
  parameter SI.Diameter gravitySphereDiameter=12742000 "Diameter of the attracting sphere";
  input Types.Color gravitySphereColor={0, 230, 0} "Colour of the attracting sphere";
  parameter Types.Axis groundAxis_u=if abs(n[1]) >= 0.99 then {0, 1, 0} else {1, 0, 0}
    "First direction in the ground";
  parameter SI.Length groundLength_u=2 "Extent of the ground in the first direction";
  parameter SI.Length groundLength_v=groundLength_u "Extent in the second direction";
  input Types.Color groundColor={200, 200, 200} "Colour of the ground";
  parameter SI.Length nominalLength=1 "Typical length of the system";
  parameter SI.Length defaultAxisLength=nominalLength/5 "Default length of frame axes";
  parameter SI.Length defaultJointLength=nominalLength/10 "Default length of joints";
  parameter SI.Length defaultJointWidth=nominalLength/20 "Default width of joints";
  parameter SI.Length defaultForceLength=nominalLength/10 "Default length of force elements";
  parameter SI.Length defaultForceWidth=nominalLength/20 "Default width of force elements";
  parameter SI.Length defaultBodyDiameter=nominalLength/9 "Default diameter of bodies";
  parameter Real defaultWidthFraction=20 "Default ratio of length to width";
  parameter SI.Length defaultArrowDiameter=nominalLength/40 "Default diameter of arrows";
  parameter Real defaultFrameDiameterFraction=40 "Default ratio of axis length to diameter";
  parameter Real defaultSpecularCoefficient(min=0) = 0.7 "Default reflection of light";
  parameter Real defaultN_to_m(unit="N/m", min=0) = 1000 "Force drawn as one metre";
  parameter Real defaultNm_to_m(unit="N.m/m", min=0) = 1000 "Torque drawn as one metre";
  replaceable function gravityAcceleration=Forces.Internal.standardGravityAcceleration(
      gravityType=gravityType,
      g=g*Modelica.Math.Vectors.normalizeWithAssert(n),
      mu=mu) constrainedby Interfaces.partialGravityAcceleration
    "Acceleration of free fall by position; may be redeclared";
equation
  Connections.root(frame_b.R);
  assert(Modelica.Math.Vectors.length(n) > 1e-10, "n gives no direction of gravity");
  frame_b.r_0 = zeros(3);
  frame_b.R = Frames.nullRotation();
  annotation(
    defaultComponentName="world",
    defaultComponentPrefixes="inner",
    missingInnerMessage="no \"world\" is declared; one with default settings is added");
end World;
