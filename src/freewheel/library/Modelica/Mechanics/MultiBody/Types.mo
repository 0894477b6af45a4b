within Modelica.Mechanics.MultiBody;
package Types "Types, choices and default colours"
  extends Modelica.Icons.TypesPackage;

  type Axis = Modelica.Icons.TypeReal[3](each final unit="1") "Direction; the length is free";
  type AxisLabel = Modelica.Icons.TypeString "Name of an axis";
  type RotationSequence = Modelica.Icons.TypeInteger[3](min={1, 1, 1}, max={3, 3, 3})
    "Axes of three successive rotations";
  type Color = Modelica.Icons.TypeInteger[3](each min=0, each max=255) "Red, green, blue";
  type RealColor = Modelica.Icons.TypeReal[3](each min=0, each max=255)
    "Red, green, blue with fractions";
  type SpecularCoefficient = Modelica.Icons.TypeReal(min=0) "Reflection of light";
  type ShapeType = Modelica.Icons.TypeString "Name of a shape";
  type ShapeExtra = Modelica.Icons.TypeReal "Further datum of a shape";

  type ResolveInFrameA = enumeration(
    world "Components along the axes of world",
    frame_a "Components along the axes of frame_a",
    frame_resolve "Components along the axes of frame_resolve")
    "Frame of vector components, one frame at hand";
  type ResolveInFrameB = enumeration(
    world "Components along the axes of world",
    frame_b "Components along the axes of frame_b",
    frame_resolve "Components along the axes of frame_resolve")
    "Frame of vector components, one frame at hand";
  type ResolveInFrameAB = enumeration(
    world "Components along the axes of world",
    frame_a "Components along the axes of frame_a",
    frame_b "Components along the axes of frame_b",
    frame_resolve "Components along the axes of frame_resolve")
    "Frame of vector components, two frames at hand";
  type RotationTypes = enumeration(
    RotationAxis "By an angle about one axis",
    TwoAxesVectors "By the directions of the new x and y axes",
    PlanarRotationSequence "By three rotations about coordinate axes")
    "How a fixed rotation is given";
  type GravityTypes = enumeration(
    NoGravity "None",
    UniformGravity "The same everywhere",
    PointGravity "Towards a mass in the origin") "Kind of gravity";
  type VectorQuantity = enumeration(
    Force "Force",
    Torque "Torque",
    Velocity "Velocity",
    Acceleration "Acceleration",
    AngularVelocity "Angular velocity",
    AngularAcceleration "Angular acceleration",
    RelativePosition "Position") "What an arrow shows";

  package Defaults "Default colours and ratios of shapes"
    extends Modelica.Icons.Package;
    constant Types.Color BodyColor={0, 128, 255} "Bodies";
    constant Types.Color RodColor={155, 155, 155} "Rods";
    constant Types.Color JointColor={255, 0, 0} "Joints";
    constant Types.Color ForceColor={0, 128, 0} "Forces";
    constant Types.Color TorqueColor={0, 128, 0} "Torques";
    constant Types.Color SpringColor={0, 0, 255} "Springs";
    constant Types.Color SensorColor={255, 255, 0} "Sensors";
    constant Types.Color FrameColor={0, 0, 0} "Axes of frames";
    constant Types.Color ArrowColor={0, 0, 255} "Arrows";
    constant Real FrameHeadLengthFraction=5.0 "Head length of axes over diameter";
    constant Real FrameHeadWidthFraction=3.0 "Head width of axes over diameter";
    constant Real FrameLabelHeightFraction=3.0 "Height of labels over diameter";
    constant Real ArrowHeadLengthFraction=4.0 "Head length of arrows over diameter";
    constant Real ArrowHeadWidthFraction=3.0 "Head width of arrows over diameter";
    constant Real BodyCylinderDiameterFraction=3 "Sphere of a body over its cylinder";
    constant Real JointRodDiameterFraction=2 "Sphere of a joint over its rod";
  end Defaults;
end Types;
