within Modelica.Mechanics.MultiBody.Joints;
package Constraints "Joints that close loops: conditions without states of their own"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  partial model PartialConstraint "Loads of a joint from forces and torques along frame_a"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    parameter Boolean x_locked=true "No motion along x of frame_a" annotation(Evaluate=true);
    parameter Boolean y_locked=true "No motion along y of frame_a" annotation(Evaluate=true);
    parameter Boolean z_locked=true "No motion along z of frame_a" annotation(Evaluate=true);
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Distance sphereDiameter=world.defaultJointLength/3 "Diameter of the shape";
    input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the shape";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
  protected
    Frames.Orientation R_rel "Rotation from frame_a to frame_b";
    SI.Position r_rel_a[3] "From frame_a to frame_b, along axes of frame_a";
    SI.Force f_a[3] "Force on frame_a";
    SI.Torque t_a[3] "Torque on the frame_b side, about frame_b, along axes of frame_a";
  equation
    R_rel = Frames.relativeRotation(frame_a.R, frame_b.R);
    r_rel_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
    if x_locked then
      r_rel_a[1] = 0;
    else
      f_a[1] = 0;
    end if;
    if y_locked then
      r_rel_a[2] = 0;
    else
      f_a[2] = 0;
    end if;
    if z_locked then
      r_rel_a[3] = 0;
    else
      f_a[3] = 0;
    end if;
    frame_a.f = f_a;
    frame_a.t = t_a + cross(r_rel_a, f_a);
    frame_b.f = -Frames.resolve2(R_rel, f_a);
    frame_b.t = -Frames.resolve2(R_rel, t_a);
  end PartialConstraint;

  model Prismatic "Parallel frames; free along the directions that are not locked"
    extends PartialConstraint;
  equation
    zeros(3) = Frames.Orientation.equalityConstraint(frame_a.R, frame_b.R);
  end Prismatic;

  model Revolute "Common axis; free along the directions that are not locked"
    extends PartialConstraint;
    parameter Modelica.Mechanics.MultiBody.Types.Axis n={0, 1, 0}
      "Axis, along axes of frame_a and of frame_b alike" annotation(Evaluate=true);
  protected
    parameter Frames.TransformationMatrices.Orientation T=
      Frames.TransformationMatrices.from_nxy(Modelica.Math.Vectors.normalizeWithAssert(n),
        if abs(n[1]) > 0.1*Modelica.Math.Vectors.length(n) then {0, 1, 0} else {1, 0, 0})
      "Axes along n and across it" annotation(Evaluate=true);
  equation
    // The axis of frame_a has no part across the axis of frame_b.
    zeros(2) = T[2:3, :]*R_rel.T*T[1, :];
    T[1, :]*t_a = 0;
  end Revolute;

  model Spherical "Free rotation; free along the directions that are not locked"
    extends PartialConstraint;
  equation
    t_a = zeros(3);
  end Spherical;

  model Universal "Two axes at right angles; free along the directions that are not locked"
    extends PartialConstraint;
    parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={1, 0, 0}
      "First axis, along axes of frame_a" annotation(Evaluate=true);
    parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={0, 1, 0}
      "Second axis, along axes of frame_b" annotation(Evaluate=true);
  protected
    parameter Real e_a[3](each final unit="1") =
      Modelica.Math.Vectors.normalizeWithAssert(n_a) "First axis" annotation(Evaluate=true);
    parameter Real e_b[3](each final unit="1") =
      Modelica.Math.Vectors.normalizeWithAssert(n_b) "Second axis" annotation(Evaluate=true);
    Real e_b_a[3](each final unit="1") "Second axis, along axes of frame_a";
  equation
    e_b_a = transpose(R_rel.T)*e_b;
    e_a*e_b_a = 0;
    e_a*t_a = 0;
    e_b_a*t_a = 0;
  end Universal;
end Constraints;
