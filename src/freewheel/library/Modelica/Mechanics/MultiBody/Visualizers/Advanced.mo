within Modelica.Mechanics.MultiBody.Visualizers;
package Advanced "Shapes given by variables; nothing is drawn"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Shape "Shape, given by variables"
    parameter Types.ShapeType shapeType="box" "Shape";
    input Frames.Orientation R=Frames.nullRotation() "Orientation of the frame";
    input SI.Position r[3]={0, 0, 0} "Position of the frame";
    input SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
    input Real lengthDirection[3](each final unit="1") = {1, 0, 0} "Direction of the length";
    input Real widthDirection[3](each final unit="1") = {0, 1, 0} "Direction of the width";
    input SI.Length length=0 "Length";
    input SI.Length width=0 "Width";
    input SI.Length height=0 "Height";
    input Types.ShapeExtra extra=0.0 "Further datum of the shape";
    input Real color[3]={255, 0, 0} "Colour";
    input Types.SpecularCoefficient specularCoefficient=0.7 "Reflection of light";
  end Shape;

  model Vector "Vector, given by variables"
    input Frames.Orientation R=Frames.nullRotation() "Orientation of the frame";
    input SI.Position r[3]={0, 0, 0} "Position of the frame";
    input Real coordinates[3]={0, 0, 0} "Components of the vector";
    input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.ArrowColor "Colour";
    input Types.SpecularCoefficient specularCoefficient=0.7 "Reflection of light";
    parameter Types.VectorQuantity quantity=Types.VectorQuantity.Force "What the arrow shows";
    input Boolean headAtOrigin=false "The head is at the frame";
    input Boolean twoHeadedArrow=false "Two heads";
  end Vector;

  model Arrow "Arrow, given by variables"
    input Frames.Orientation R=Frames.nullRotation() "Orientation of the frame";
    input SI.Position r[3]={0, 0, 0} "Position of the frame";
    input SI.Position r_tail[3]={0, 0, 0} "Begin of the arrow";
    input Real r_head[3]={0, 0, 0} "From begin to end of the arrow";
    input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.ArrowColor "Colour";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Types.VectorQuantity quantity=Types.VectorQuantity.RelativePosition
      "What the arrow shows";
    input Boolean headAtOrigin=false "The head is at the frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end Arrow;

  model DoubleArrow "Arrow with two heads, given by variables"
    input Frames.Orientation R=Frames.nullRotation() "Orientation of the frame";
    input SI.Position r[3]={0, 0, 0} "Position of the frame";
    input SI.Position r_tail[3]={0, 0, 0} "Begin of the arrow";
    input Real r_head[3]={0, 0, 0} "From begin to end of the arrow";
    input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.ArrowColor "Colour";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Types.VectorQuantity quantity=Types.VectorQuantity.Torque
      "What the arrow shows";
    input Boolean headAtOrigin=true "The head is at the frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end DoubleArrow;

  model Surface "Surface, given by a function"
    extends Icons.Surface;
    input Frames.Orientation R=Frames.nullRotation() "Orientation of the frame";
    input SI.Position r_0[3]={0, 0, 0} "Position of the frame";
    parameter Integer nu=2 "Number of points in the first direction";
    parameter Integer nv=2 "Number of points in the second direction";
    replaceable function surfaceCharacteristic=
      Modelica.Mechanics.MultiBody.Interfaces.partialSurfaceCharacteristic "Points of the surface";
    parameter Boolean wireframe=false "Accepted; nothing is drawn";
    parameter Boolean multiColoredSurface=false "Each point has its own colour";
    input Real color[3]={255, 0, 0} "Colour";
    input Types.SpecularCoefficient specularCoefficient=0.7 "Reflection of light";
    input Real transparency=0 "Transparency";
  end Surface;
end Advanced;
