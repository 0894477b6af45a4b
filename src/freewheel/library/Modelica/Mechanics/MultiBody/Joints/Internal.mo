within Modelica.Mechanics.MultiBody.Joints;
package Internal "Parts of joints, not for direct use"
  extends Modelica.Icons.InternalPackage;
  import Modelica.Units.SI;

  function power "Power of force and torque at a frame"
    extends Modelica.Icons.Function;
    input Frames.Orientation R "Orientation of the frame";
    input SI.Force f[3] "Force, along axes of the frame";
    input SI.Torque t[3] "Torque, along axes of the frame";
    input SI.Velocity v_0[3] "Velocity of the frame, along axes of world";
    output SI.Power P "Power";
  algorithm
    P := f*Frames.resolve2(R, v_0) + t*R.w;
    annotation(Inline=true);
  end power;
end Internal;
