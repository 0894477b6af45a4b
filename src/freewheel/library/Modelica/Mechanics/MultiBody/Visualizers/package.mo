within Modelica.Mechanics.MultiBody;
package Visualizers "Shapes at frames; parameters are accepted, nothing is drawn"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model FixedShape "Shape at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Types.ShapeType shapeType="box" "Shape";
    input SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
    input Types.Axis lengthDirection={1, 0, 0} "Direction of the length";
    input Types.Axis widthDirection={0, 1, 0} "Direction of the width";
    input SI.Distance length(start=1) "Length";
    input SI.Distance width(start=0.1) "Width";
    input SI.Distance height(start=0.1) "Height";
    input Modelica.Mechanics.MultiBody.Types.Color color={0, 128, 255} "Colour";
    input Types.ShapeExtra extra=0.0 "Further datum of the shape";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end FixedShape;

  model FixedShape2 "Shape between two parallel frames"
    Interfaces.Frame_a frame_a "First end";
    Interfaces.Frame_b frame_b "Second end";
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Types.ShapeType shapeType="box" "Shape";
    input SI.Position r[3]={1, 0, 0} "From frame_a to frame_b, along axes of frame_a";
    input SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
    input Types.Axis lengthDirection=Modelica.Units.Conversions.to_unit1(r - r_shape)
      "Direction of the length";
    input Types.Axis widthDirection={0, 1, 0} "Direction of the width";
    input SI.Length length=Modelica.Math.Vectors.length(r - r_shape) "Length";
    input SI.Distance width=0.1 "Width";
    input SI.Distance height=width "Height";
    input Types.ShapeExtra extra=0.0 "Further datum of the shape";
    input Types.Color color={0, 128, 255} "Colour";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
  protected
    outer MultiBody.World world "Inertial frame";
  equation
    Connections.branch(frame_a.R, frame_b.R);
    frame_b.r_0 = frame_a.r_0 + Frames.resolve1(frame_a.R, r);
    frame_b.R = frame_a.R;
    frame_a.f + frame_b.f = zeros(3);
    frame_a.t + frame_b.t + cross(r, frame_b.f) = zeros(3);
  end FixedShape2;

  model FixedFrame "Axes at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Boolean showLabels=true "Accepted; nothing is drawn";
    input SI.Distance length=0.5 "Length of the axes";
    input SI.Distance diameter=length/world.defaultFrameDiameterFraction "Diameter of the axes";
    input Types.Color color_x=Modelica.Mechanics.MultiBody.Types.Defaults.FrameColor
      "Colour of the x axis";
    input Types.Color color_y=color_x "Colour of the y axis";
    input Types.Color color_z=color_x "Colour of the z axis";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end FixedFrame;

  model FixedArrow "Arrow at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    input SI.Position r_tail[3]={0, 0, 0} "Begin of the arrow";
    input Types.Axis n={1, 0, 0} "Direction of the arrow";
    input SI.Length length=0.1 "Length of the arrow";
    input Types.Color color={0, 0, 255} "Colour";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Types.VectorQuantity quantity=Types.VectorQuantity.RelativePosition
      "What the arrow shows";
    input Boolean headAtOrigin=false "The head is at the frame";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end FixedArrow;

  model SignalArrow "Arrow at a frame, given by a signal"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    input SI.Position r_tail[3]={0, 0, 0} "Begin of the arrow";
    input Types.Color color={0, 0, 255} "Colour";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Types.VectorQuantity quantity=Types.VectorQuantity.RelativePosition
      "What the arrow shows";
    input Boolean headAtOrigin=false "The head is at the frame";
    Modelica.Blocks.Interfaces.RealInput r_head[3] "From begin to end of the arrow";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end SignalArrow;

  model Torus "Torus at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Radius R=0.5 "Radius of the middle line";
    parameter SI.Radius r=0.1 "Radius of the tube";
    parameter SI.Angle opening=0 "Opening of the tube";
    parameter SI.Angle startAngle=-3.1415926535898 "First angle";
    parameter SI.Angle stopAngle=3.1415926535898 "Last angle";
    parameter Boolean wireframe=false "Accepted; nothing is drawn";
    input Modelica.Mechanics.MultiBody.Types.RealColor color={0, 128, 255} "Colour";
    input Types.SpecularCoefficient specularCoefficient=0.7 "Reflection of light";
    input Real transparency=0 "Transparency";
    parameter Integer n_R=40 "Number of points around";
    parameter Integer n_r=20 "Number of points about the tube";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end Torus;

  model VoluminousWheel "Wheel at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Radius rTire=0.25 "Radius of the tire";
    parameter SI.Radius rRim=0.14 "Radius of the rim";
    parameter SI.Radius width=0.25 "Width";
    parameter SI.Radius rCurvature=0.30 "Radius across the tread";
    parameter Modelica.Mechanics.MultiBody.Types.RealColor color={64, 64, 64} "Colour";
    parameter Types.SpecularCoefficient specularCoefficient=0.5 "Reflection of light";
    parameter Integer n_rTire=40 "Number of points around";
    parameter Integer n_rCurvature=20 "Number of points across";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end VoluminousWheel;

  model Rectangle "Rectangle at a frame"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialVisualizer;
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Types.Axis direction_u={1, 0, 0} "First direction";
    parameter Types.Axis direction_v={0, 1, 0} "Second direction";
    parameter SI.Distance length_u=3 "Extent in the first direction";
    parameter SI.Distance length_v=1 "Extent in the second direction";
    parameter Integer nu(min=2) = 3 "Number of points in the first direction";
    parameter Integer nv(min=2) = 2 "Number of points in the second direction";
    parameter Boolean wireframe=false "Accepted; nothing is drawn";
    input Modelica.Mechanics.MultiBody.Types.RealColor color={0, 128, 255} "Colour";
    input Types.SpecularCoefficient specularCoefficient=0.7 "Reflection of light";
    input Real transparency=0 "Transparency";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end Rectangle;
end Visualizers;
