within Modelica.Mechanics.MultiBody.Frames;
package Quaternions "Rotations as quaternions: Q[1:3] = e*sin(angle/2), Q[4] = cos(angle/2)"
  extends Modelica.Icons.FunctionsPackage;
  import Modelica.Units.SI;

  type Orientation "Quaternion of length 1"
    extends Internal.QuaternionBase;

    encapsulated function equalityConstraint
      "Three numbers that are zero where two quaternions agree"
      import Modelica;
      import Modelica.Mechanics.MultiBody.Frames.Quaternions;
      extends Modelica.Icons.Function;
      input Quaternions.Orientation Q1 "First quaternion";
      input Quaternions.Orientation Q2 "Second quaternion";
      output Real residue[3] "Half the angles about the three axes, for small differences";
    algorithm
      residue := Q1[4]*Q2[1:3] - Q2[4]*Q1[1:3] - cross(Q1[1:3], Q2[1:3]);
      annotation(Inline=true);
    end equalityConstraint;
  end Orientation;

  type der_Orientation = Real[4](each unit="1/s") "Derivative of a quaternion";

  function orientationConstraint "One number that is zero for a quaternion of length 1"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    output Real residue[1] "Square of the length less one";
  algorithm
    residue := {Q*Q - 1};
    annotation(Inline=true);
  end orientationConstraint;

  function angularVelocity1 "Angular velocity along axes of frame 1"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input der_Orientation der_Q "Its derivative";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := 2*(Q[4]*der_Q[1:3] - der_Q[4]*Q[1:3] + cross(Q[1:3], der_Q[1:3]));
    annotation(Inline=true);
  end angularVelocity1;

  function angularVelocity2 "Angular velocity along axes of frame 2"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input der_Orientation der_Q "Its derivative";
    output SI.AngularVelocity w[3] "Angular velocity";
  algorithm
    w := 2*(Q[4]*der_Q[1:3] - der_Q[4]*Q[1:3] - cross(Q[1:3], der_Q[1:3]));
    annotation(Inline=true);
  end angularVelocity2;

  function resolve1 "Components in frame 1 of a vector given in frame 2"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input Real v2[3] "Components in frame 2";
    output Real v1[3] "Components in frame 1";
  algorithm
    v1 := transpose(to_T(Q))*v2;
    annotation(Inline=true);
  end resolve1;

  function resolve2 "Components in frame 2 of a vector given in frame 1"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input Real v1[3] "Components in frame 1";
    output Real v2[3] "Components in frame 2";
  algorithm
    v2 := to_T(Q)*v1;
    annotation(Inline=true);
  end resolve2;

  function multipleResolve1 "Components in frame 1 of vectors given in frame 2, as columns"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input Real v2[3, :] "Components in frame 2";
    output Real v1[3, size(v2, 2)] "Components in frame 1";
  algorithm
    v1 := transpose(to_T(Q))*v2;
    annotation(Inline=true);
  end multipleResolve1;

  function multipleResolve2 "Components in frame 2 of vectors given in frame 1, as columns"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    input Real v1[3, :] "Components in frame 1";
    output Real v2[3, size(v1, 2)] "Components in frame 2";
  algorithm
    v2 := to_T(Q)*v1;
    annotation(Inline=true);
  end multipleResolve2;

  function nullRotation "Quaternion of no rotation"
    extends Modelica.Icons.Function;
    output Quaternions.Orientation Q "Quaternion";
  algorithm
    Q := {0, 0, 0, 1};
    annotation(Inline=true);
  end nullRotation;

  function inverseRotation "Quaternion from frame 2 to frame 1"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "From frame 1 to frame 2";
    output Quaternions.Orientation Q_inv "From frame 2 to frame 1";
  algorithm
    Q_inv := {-Q[1], -Q[2], -Q[3], Q[4]};
    annotation(Inline=true);
  end inverseRotation;

  function relativeRotation "Quaternion from frame 1 to frame 2, both given against frame 0"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q1 "From frame 0 to frame 1";
    input Quaternions.Orientation Q2 "From frame 0 to frame 2";
    output Quaternions.Orientation Q_rel "From frame 1 to frame 2";
  algorithm
    Q_rel := absoluteRotation(inverseRotation(Q1), Q2);
    annotation(Inline=true);
  end relativeRotation;

  function absoluteRotation "Quaternion from frame 0 to frame 2, by way of frame 1"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q1 "From frame 0 to frame 1";
    input Quaternions.Orientation Q_rel "From frame 1 to frame 2";
    output Quaternions.Orientation Q2 "From frame 0 to frame 2";
  protected
    Real v[3]=Q1[4]*Q_rel[1:3] + Q_rel[4]*Q1[1:3] + cross(Q1[1:3], Q_rel[1:3]) "Vector part";
  algorithm
    Q2 := {v[1], v[2], v[3], Q1[4]*Q_rel[4] - Q1[1:3]*Q_rel[1:3]};
    annotation(Inline=true);
  end absoluteRotation;

  function planarRotation "Quaternion of a rotation about an axis"
    extends Modelica.Icons.Function;
    input Real e[3](each final unit="1") "Axis, of length 1";
    input SI.Angle angle "Angle";
    output Quaternions.Orientation Q "Quaternion";
  protected
    Real v[3]=e*sin(angle/2) "Vector part";
  algorithm
    Q := {v[1], v[2], v[3], cos(angle/2)};
    annotation(Inline=true);
  end planarRotation;

  function smallRotation "Angles about the three axes of a small rotation"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    output SI.Angle phi[3] "Angles";
  algorithm
    phi := 2*Q[1:3];
    annotation(Inline=true);
  end smallRotation;

  function from_T "Quaternion of a rotation matrix; of both the one closer to a guess"
    extends Modelica.Icons.Function;
    input Real T[3, 3] "Rotation matrix";
    input Quaternions.Orientation Q_guess=nullRotation() "Guess";
    output Quaternions.Orientation Q "Quaternion";
  protected
    Real trace=T[1, 1] + T[2, 2] + T[3, 3];
    // Four times the square of each element; the sum is 4, so that the largest is at least 1.
    Real squares[4]={1 + 2*T[1, 1] - trace, 1 + 2*T[2, 2] - trace, 1 + 2*T[3, 3] - trace,
      1 + trace};
    // Four times the products of the vector part with each element.
    Real products[4, 4]=[
      squares[1], T[1, 2] + T[2, 1], T[1, 3] + T[3, 1], T[2, 3] - T[3, 2];
      T[1, 2] + T[2, 1], squares[2], T[2, 3] + T[3, 2], T[3, 1] - T[1, 3];
      T[1, 3] + T[3, 1], T[2, 3] + T[3, 2], squares[3], T[1, 2] - T[2, 1];
      T[2, 3] - T[3, 2], T[3, 1] - T[1, 3], T[1, 2] - T[2, 1], squares[4]];
    Integer largest=1 "Index of the largest element";
  algorithm
    for k in 2:4 loop
      if squares[k] > squares[largest] then
        largest := k;
      end if;
    end for;
    Q := products[largest, :]/(2*sqrt(squares[largest]));
    if Q*Q_guess < 0 then
      Q := -Q;
    end if;
  end from_T;

  function from_T_inv "Quaternion of a transposed rotation matrix"
    extends Modelica.Icons.Function;
    input Real T_inv[3, 3] "Rotation matrix from frame 2 to frame 1";
    input Quaternions.Orientation Q_guess=nullRotation() "Guess";
    output Quaternions.Orientation Q "Quaternion";
  algorithm
    Q := from_T(transpose(T_inv), Q_guess);
    annotation(Inline=true);
  end from_T_inv;

  function to_T "Rotation matrix of a quaternion"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    output Real T[3, 3] "Rotation matrix";
  algorithm
    T := [
      2*(Q[1]*Q[1] + Q[4]*Q[4]) - 1, 2*(Q[1]*Q[2] + Q[3]*Q[4]), 2*(Q[1]*Q[3] - Q[2]*Q[4]);
      2*(Q[2]*Q[1] - Q[3]*Q[4]), 2*(Q[2]*Q[2] + Q[4]*Q[4]) - 1, 2*(Q[2]*Q[3] + Q[1]*Q[4]);
      2*(Q[3]*Q[1] + Q[2]*Q[4]), 2*(Q[3]*Q[2] - Q[1]*Q[4]), 2*(Q[3]*Q[3] + Q[4]*Q[4]) - 1];
    annotation(Inline=true);
  end to_T;

  function to_T_inv "Transposed rotation matrix of a quaternion"
    extends Modelica.Icons.Function;
    input Quaternions.Orientation Q "Quaternion";
    output Real T_inv[3, 3] "Rotation matrix from frame 2 to frame 1";
  algorithm
    T_inv := transpose(to_T(Q));
    annotation(Inline=true);
  end to_T_inv;
end Quaternions;
