package Bodies "One small model for each kind of component"
  import Modelica.Mechanics.MultiBody.*;

  model Spring2
    inner World world;
    Forces.Spring s(c=30, s_unstretched=0.1, m=0.5, lengthFraction=0.3);
    Parts.Body b(m=1, r_CM={0.1,0.05,0}, r_0(start={0.3,-0.4,0.1}, each fixed=true), v_0(each fixed=true), w_0_fixed=true, w_0_start={1,2,3}, angles_fixed=true);
    Forces.SpringDamperParallel p(c=20, d=2, s_unstretched=0.2);
    Forces.SpringDamperSeries q(c=20, d=5, s_unstretched=0.1);
    Forces.Damper d(d=0.4);
    Parts.Fixed f(r={0.5,0.5,0});
    Parts.FixedRotation r(r={0.1,0.2,0.3}, angle=30, n={1,1,0});
  equation
    connect(world.frame_b, s.frame_a);
    connect(s.frame_b, b.frame_a);
    connect(f.frame_b, p.frame_a);
    connect(b.frame_a, r.frame_a);
    connect(r.frame_b, p.frame_b);
    connect(f.frame_b, q.frame_a);
    connect(b.frame_a, q.frame_b);
    connect(f.frame_b, d.frame_a);
    connect(r.frame_b, d.frame_b);
  end Spring2;
  model Point
    inner World world(gravityType=Types.GravityTypes.PointGravity, mu=1);
    Parts.PointMass m(m=2, r_0(start={1,0,0}, each fixed=true), v_0(start={0,0.9,0.2}, each fixed=true));
  end Point;
  model Forcing
    inner World world;
    Parts.Body b(m=1, r_CM={0.1,0.05,0}, r_0(start={0.3,-0.4,0.1}, each fixed=true), v_0(each fixed=true), w_0_fixed=true, w_0_start={1,0.2,0.3}, angles_fixed=true, I_11=0.1,I_22=0.2,I_33=0.15);
    Parts.BodyCylinder c(r={0.2,0.1,0.3}, diameter=0.05, innerDiameter=0.01, r_0(start={1,0.4,0.1}, each fixed=true), v_0(each fixed=true), w_0_fixed=true, w_0_start={0.1,0.2,0.3}, angles_fixed=true, useQuaternions=false, angles_start={0.1,0.2,0.3});
    Forces.WorldForce wf(resolveInFrame=Types.ResolveInFrameB.world, force={1,2*sin(time),3});
    Forces.WorldForce wf2(resolveInFrame=Types.ResolveInFrameB.frame_b, force={1,2*sin(time),3});
    Forces.WorldTorque wt(torque={0.01,0.02,0.03*cos(time)});
    Forces.WorldForceAndTorque wft(force={1,2,3}, torque={0.1,0.2,0.03});
    Forces.Force f(force={1,2,3*time});
    Forces.Torque t(resolveInFrame=Types.ResolveInFrameAB.frame_resolve, torque={0.01,0.2,0.03*time});
    Forces.ForceAndTorque ft(resolveInFrame=Types.ResolveInFrameAB.frame_a, force={1,2,3*time}, torque={0.1,0.2,0.3});
    Parts.FixedRotation r(r={0.1,0.2,0.3}, rotationType=Types.RotationTypes.PlanarRotationSequence, sequence={3,1,2}, angles={10,20,30});
  equation
    connect(world.frame_b, r.frame_a);
    connect(wf.frame_b,b.frame_a);
    connect(wf2.frame_b,c.frame_b);
    connect(wt.frame_b, b.frame_a);
    connect(wft.frame_b,c.frame_a);
    connect(f.frame_a,b.frame_a);
    connect(f.frame_b,c.frame_a);
    connect(t.frame_a,b.frame_a);
    connect(t.frame_b,c.frame_a);
    connect(t.frame_resolve, r.frame_b);
    connect(ft.frame_a,b.frame_a);
    connect(ft.frame_b,c.frame_a);
  end Forcing;
  model Slides
    inner World world;
    Joints.Prismatic p(useAxisFlange=true, n={1,0.5,0}, s(start=0.1,fixed=true), v(start=0.2,fixed=true));
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.3);
    Parts.BodyBox a(r={0.2,0,0}, width=0.05, innerWidth=0.02);
    Joints.Cylindrical c(n={0,1,0}, s(fixed=true), phi(fixed=true), v(fixed=true), w(start=2,fixed=true));
    Parts.BodyBox b(r={0.2,0,0.1}, width=0.05);
    Joints.Universal u(phi_a(start=0.2,fixed=true), phi_b(fixed=true), w_a(start=2,fixed=true), w_b(fixed=true));
    Parts.BodyBox d(r={0.2,0.3,0.1}, width=0.05);
    Joints.Planar pl(n={0,0,1}, s_x(fixed=true), s_y(fixed=true), phi(fixed=true), v_x(fixed=true), v_y(fixed=true), w(start=1,fixed=true));
    Parts.BodyBox e(r={0.2,0.3,0.1}, width=0.05);
  equation
    connect(world.frame_b, p.frame_a);
    connect(p.frame_b, a.frame_a);
    connect(sd.flange_a, p.support);
    connect(sd.flange_b, p.axis);
    connect(a.frame_b, c.frame_a);
    connect(c.frame_b, b.frame_a);
    connect(b.frame_b, u.frame_a);
    connect(u.frame_b, d.frame_a);
    connect(d.frame_b, pl.frame_a);
    connect(pl.frame_b, e.frame_a);
  end Slides;
  model Ball
    inner World world;
    Joints.Spherical s(angles_fixed=true, w_rel_a_fixed=true, w_rel_a_start={1,2,3}, enforceStates=true);
    Parts.BodyShape b(r={0.5,0,0}, r_CM={0.2,0.1,0}, m=1, I_11=0.1);
    Joints.Spherical s2(angles_fixed=true, w_rel_a_fixed=true, w_rel_a_start={0,0,3}, enforceStates=true, useQuaternions=false, angles_start={0.3,0.2,0.1}, sequence_start={3,2,1});
    Parts.BodyShape b2(r={0.5,0,0}, r_CM={0.2,0.1,0}, m=1, I_11=0.1);
  equation
    connect(world.frame_b, s.frame_a);
    connect(s.frame_b, b.frame_a);
    connect(b.frame_b, s2.frame_a);
    connect(s2.frame_b, b2.frame_a);
  end Ball;
  model Free
    inner World world;
    Joints.FreeMotion fm(angles_fixed=true, w_rel_a_fixed=true, w_rel_a_start={1,2,0.3}, angles_start={0.3,0.2,0.1}, r_rel_a(start={1,2,3}, each fixed=true), v_rel_a(start={1,0,0}, each fixed=true));
    Parts.BodyShape b(r={0.5,0,0}, r_CM={0.2,0.1,0}, m=1, I_11=0.1, I_22=0.3);
  equation
    connect(world.frame_b, fm.frame_a);
    connect(fm.frame_b, b.frame_a);
  end Free;
  model FourPlanar
    inner World world;
    Joints.Revolute j1(phi(start=1.2,fixed=true), w(start=3,fixed=true), stateSelect=StateSelect.always);
    Joints.Revolute j2(phi(start=-1)); Joints.Revolute j3(phi(start=1.6));
    Joints.RevolutePlanarLoopConstraint j4;
    Parts.BodyShape a(r={0.2,0,0}, r_CM={0.1,0,0}, m=1);
    Parts.BodyShape b(r={0.6,0,0}, r_CM={0.3,0,0}, m=2, I_33=0.05);
    Parts.BodyShape c(r={0.5,0,0}, r_CM={0.25,0,0}, m=1);
    Parts.Fixed f(r={0.5,0,0});
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, a.frame_a);
    connect(a.frame_b, j2.frame_a);
    connect(j2.frame_b, b.frame_a);
    connect(f.frame_b, j3.frame_a);
    connect(j3.frame_b, c.frame_a);
    connect(c.frame_b, j4.frame_a);
    connect(b.frame_b, j4.frame_b);
  end FourPlanar;
  model FourRod
    inner World world;
    Joints.Revolute j1(n={1,0,0}, phi(start=0,fixed=true), w(start=3,fixed=true), stateSelect=StateSelect.always);
    Joints.Prismatic j2(n={1,0,0}, s(start=-0.2));
    Parts.BodyCylinder b1(r={0,0.5,0.1}, diameter=0.05);
    Parts.BodyCylinder b2(r={0,0.2,0}, diameter=0.05);
    Parts.FixedTranslation b3(r={1.2,0,0});
    Joints.SphericalSpherical rod(rodLength=1.05, m=0.3, checkTotalPower=true);
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, b1.frame_a);
    connect(world.frame_b, b3.frame_a);
    connect(b3.frame_b, j2.frame_a);
    connect(j2.frame_b, b2.frame_a);
    connect(b1.frame_b, rod.frame_a);
    connect(b2.frame_b, rod.frame_b);
  end FourRod;
  model FourUni
    inner World world;
    Joints.Revolute j1(n={1,0,0}, phi(start=0,fixed=true), w(start=3,fixed=true), stateSelect=StateSelect.always);
    Joints.Prismatic j2(n={1,0,0}, s(start=-0.2));
    Parts.BodyCylinder b1(r={0,0.5,0.1}, diameter=0.05);
    Parts.BodyCylinder b2(r={0,0.2,0}, diameter=0.05);
    Parts.FixedTranslation b3(r={1.2,0,0});
    Joints.UniversalSpherical rod(n1_a={0,1,0}, rRod_ia={-1,0.3,0.1}, checkTotalPower=true);
    Parts.Body bb(m=0.4, r_CM={-0.3,0.1,0.05}, I_11=0.02, I_22=0.03, I_33=0.01);
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, b1.frame_a);
    connect(world.frame_b, b3.frame_a);
    connect(b3.frame_b, j2.frame_a);
    connect(j2.frame_b, b2.frame_a);
    connect(b2.frame_b, rod.frame_a);
    connect(b1.frame_b, rod.frame_b);
    connect(rod.frame_ia, bb.frame_a);
  end FourUni;
  model Four3D
    inner World world;
    Joints.Revolute j1(n={1,0,0}, phi(start=0.1,fixed=true), w(start=3,fixed=true), stateSelect=StateSelect.always);
    Joints.Prismatic j2(n={1,0,0}, s(start=-0.2));
    Parts.BodyCylinder b1(r={0,0.5,0.1}, diameter=0.05);
    Parts.BodyCylinder b2(r={0,0.2,0}, diameter=0.05);
    Parts.BodyCylinder b3(r={-1,0.3,0.1}, diameter=0.05);
    Joints.Revolute r2(n={0,1,0}); Joints.Revolute r3(n={0,0,1}); Joints.Revolute r4(n={1,0,0}); Joints.Revolute r5(n={0,1,0});
    Joints.Revolute r1(n={0,0,1});
    Parts.FixedTranslation t(r={1.2,0,0});
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, b1.frame_a);
    connect(world.frame_b, t.frame_a);
    connect(t.frame_b, j2.frame_a);
    connect(j2.frame_b, b2.frame_a);
    connect(b2.frame_b, r1.frame_a);
    connect(r1.frame_b, r2.frame_a);
    connect(r2.frame_b, b3.frame_a);
    connect(b3.frame_b, r3.frame_a);
    connect(r3.frame_b,r4.frame_a);
    connect(r4.frame_b,r5.frame_a);
    connect(r5.frame_b, b1.frame_b);
  end Four3D;
  model Gear
    inner World world;
    Joints.GearConstraint g(ratio=3, n_a={0,1,0}, n_b={1,0,0}, r_a={0.1,0,0}, r_b={0,0.2,0}, checkTotalPower=true, phi_b(fixed=true), w_b(start=2,fixed=true));
    Parts.BodyCylinder a(r={0.25,0.1,0}, diameter=0.05); Parts.BodyCylinder b(r={0.25,0.1,0.2}, diameter=0.05);
    Joints.Revolute r(phi(fixed=true), w(fixed=true));
    Parts.BodyBox bb(r={0.1,0,0}, width=0.05);
  equation
    connect(world.frame_b, r.frame_a);
    connect(r.frame_b, bb.frame_a);
    connect(bb.frame_b, g.bearing);
    connect(g.frame_a, a.frame_a);
    connect(g.frame_b, b.frame_a);
  end Gear;
  model Rotor
    inner World world;
    Joints.Revolute r(n={0,0,1}, phi(fixed=true), w(start=1,fixed=true));
    Parts.BodyBox bb(r={0.3,0,0}, width=0.05);
    Joints.Revolute r2(n={0,1,0}, phi(fixed=true), w(start=1,fixed=true));
    Parts.BodyBox b2(r={0.3,0,0}, width=0.05);
    Parts.Rotor1D rot(J=0.02, n={1,0,0}, phi(fixed=true), w(start=50,fixed=true));
    Parts.Rotor1D rot2(J=0.02, n={1,0,0}, exact=false);
    Parts.Mounting1D mt(n={0,0.6,0.8});
    Parts.BevelGear1D bev(ratio=2, n_a={1,0,0}, n_b={0,0.6,0.8});
    Modelica.Mechanics.Rotational.Components.Damper d(d=0.01);
  equation
    connect(world.frame_b, r.frame_a);
    connect(r.frame_b, bb.frame_a);
    connect(bb.frame_b, r2.frame_a);
    connect(r2.frame_b, b2.frame_a);
    connect(rot.frame_a, b2.frame_b);
    connect(rot2.frame_a, b2.frame_b);
    connect(mt.frame_a, bb.frame_b);
    connect(bev.frame_a, b2.frame_b);
    connect(rot.flange_b, bev.flange_a);
    connect(bev.flange_b, rot2.flange_a);
    connect(rot2.flange_b, d.flange_a);
    connect(d.flange_b, mt.flange_b);
  end Rotor;
  model Two
    inner World world;
    Forces.LineForceWithTwoMasses l(m_a=0.3, m_b=0.4, L_a=0.1, L_b=0.15);
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.6);
    Joints.Revolute r(n={0,0,1}, phi(fixed=true), w(start=1,fixed=true));
    Parts.BodyBox bb(r={0.5,0,0}, width=0.05);
    Parts.Fixed f(r={0.1,0.5,0});
  equation
    connect(world.frame_b, r.frame_a);
    connect(r.frame_b, bb.frame_a);
    connect(bb.frame_b, l.frame_b);
    connect(f.frame_b, l.frame_a);
    connect(sd.flange_a, l.flange_a);
    connect(sd.flange_b, l.flange_b);
  end Two;
  model Closed
    inner World world;
    Joints.FreeMotion fm(r_rel_a(start={0.4,0,0}), angles_start={0,0,0});
    Parts.BodyBox bb(r={0.5,0,0}, width=0.05);
    Joints.Constraints.Revolute c(n={0,1,0});
  equation
    connect(world.frame_b, fm.frame_a);
    connect(fm.frame_b, bb.frame_a);
    connect(bb.frame_b, c.frame_b);
    connect(world.frame_b, c.frame_a);
  end Closed;
  partial model Base
    inner World world;
    Joints.Revolute j1(n={0.6,0,0.8}, phi(start=0.3,fixed=true), w(start=1,fixed=true));
    Joints.Revolute j2(n={0,1,0}, phi(start=0.1,fixed=true), w(start=1,fixed=true));
    Parts.BodyBox b1(r={0.5,0.1,0}, width=0.06);
    Parts.BodyBox b2(r={0.5,0.1,0}, width=0.06);
    Parts.FixedRotation r(r={0.1,0.2,0.3}, rotationType=Types.RotationTypes.TwoAxesVectors, n_x={1,1,0}, n_y={0,1,1});
  equation
    connect(world.frame_b, j1.frame_a);
    connect(j1.frame_b, b1.frame_a);
    connect(b1.frame_b, j2.frame_a);
    connect(b2.frame_b, r.frame_a);
  end Base;
  model Abs
    extends Base;
    parameter Types.ResolveInFrameA f[3]={Types.ResolveInFrameA.world,Types.ResolveInFrameA.frame_a,Types.ResolveInFrameA.frame_resolve};
    Sensors.AbsolutePosition p[3](resolveInFrame=f); Sensors.AbsoluteVelocity v[3](resolveInFrame=f); Sensors.AbsoluteAngularVelocity w[3](resolveInFrame=f);
    Sensors.AbsoluteAngles a(sequence={3,1,2}), a2(sequence={3,1,3}, guessAngle1=3);
    Sensors.AbsoluteSensor s[3](resolveInFrame=f, each get_r=true, each get_v=true, each get_a=true, each get_w=true, each get_z=true, each get_angles=true);
  equation
    connect(j2.frame_b, b2.frame_a);
    for i in 1:3 loop
      connect(p[i].frame_a, b2.frame_b);
    connect(v[i].frame_a, b2.frame_b);
    connect(w[i].frame_a, b2.frame_b);
    connect(s[i].frame_a, b2.frame_b);
    end for;
    connect(p[3].frame_resolve, b1.frame_b);
    connect(v[3].frame_resolve, b1.frame_b);
    connect(w[3].frame_resolve, b1.frame_b);
    connect(s[3].frame_resolve, b1.frame_b);
    connect(a.frame_a, b2.frame_b);
    connect(a2.frame_a, r.frame_b);
  end Abs;
  model Rel
    extends Base;
    parameter Types.ResolveInFrameAB f[4]={Types.ResolveInFrameAB.world,Types.ResolveInFrameAB.frame_a,Types.ResolveInFrameAB.frame_b,Types.ResolveInFrameAB.frame_resolve};
    Sensors.RelativePosition p[4](resolveInFrame=f); Sensors.RelativeVelocity v[4](resolveInFrame=f); Sensors.RelativeAngularVelocity w[4](resolveInFrame=f);
    Sensors.RelativeAngles a(sequence={2,3,1});
    Sensors.RelativeSensor s[4](resolveInFrame=f, each get_r_rel=true, each get_v_rel=true, each get_a_rel=true, each get_w_rel=true, each get_z_rel=true, each get_angles=true);
    Sensors.RelativeSensor s5(resolveInFrame=f[2], resolveInFrameAfterDifferentiation=f[1], get_v_rel=true, get_a_rel=true, get_z_rel=true);
    Sensors.Distance d;
  equation
    connect(j2.frame_b, b2.frame_a);
    for i in 1:4 loop
      connect(p[i].frame_a, b1.frame_b);
    connect(v[i].frame_a, b1.frame_b);
    connect(w[i].frame_a, b1.frame_b);
    connect(s[i].frame_a, b1.frame_b);
      connect(p[i].frame_b, r.frame_b);
    connect(v[i].frame_b, r.frame_b);
    connect(w[i].frame_b, r.frame_b);
    connect(s[i].frame_b, r.frame_b);
    end for;
    connect(p[4].frame_resolve, b1.frame_a);
    connect(v[4].frame_resolve, b1.frame_a);
    connect(w[4].frame_resolve, b1.frame_a);
    connect(s[4].frame_resolve, b1.frame_a);
    connect(a.frame_a, b1.frame_b);
    connect(a.frame_b, r.frame_b);
    connect(s5.frame_a, b1.frame_b);
    connect(s5.frame_b, r.frame_b);
    connect(d.frame_a, world.frame_b);
    connect(d.frame_b, r.frame_b);
  end Rel;
  model Cut
    extends Base;
    parameter Types.ResolveInFrameA f[3]={Types.ResolveInFrameA.world,Types.ResolveInFrameA.frame_a,Types.ResolveInFrameA.frame_resolve};
    Sensors.CutForce c[3](resolveInFrame=f); Sensors.CutTorque t[3](resolveInFrame=f, each positiveSign=false); Sensors.CutForceAndTorque ct(resolveInFrame=f[3]); Sensors.Power pw;
    Sensors.TransformAbsoluteVector ta(frame_r_in=f[2], frame_r_out=f[1], r_in={1,2,3});
    Sensors.TransformRelativeVector tr(frame_r_in=Types.ResolveInFrameAB.frame_a, frame_r_out=Types.ResolveInFrameAB.frame_b, r_in={1,2,3});
  equation
    connect(j2.frame_b, c[1].frame_a);
    connect(c[1].frame_b, c[2].frame_a);
    connect(c[2].frame_b, c[3].frame_a);
    connect(c[3].frame_b, t[1].frame_a);
    connect(t[1].frame_b, t[2].frame_a);
    connect(t[2].frame_b, t[3].frame_a);
    connect(t[3].frame_b, ct.frame_a);
    connect(ct.frame_b, pw.frame_a);
    connect(pw.frame_b, b2.frame_a);
    connect(c[3].frame_resolve, b1.frame_a);
    connect(t[3].frame_resolve, b1.frame_a);
    connect(ct.frame_resolve, b1.frame_a);
    connect(ta.frame_a, r.frame_b);
    connect(tr.frame_a, b1.frame_a);
    connect(tr.frame_b, r.frame_b);
  end Cut;
  model Scalar
    inner World world;
    Joints.FreeMotionScalarInit fm(use_r=true, use_v=true, use_a=true, use_angle=true, use_angle_d=true, use_angle_dd=true, use_w=true, use_z=true,
      r_rel_a_1(start=1,fixed=true), r_rel_a_2(start=2,fixed=true), r_rel_a_3(fixed=true), v_rel_a_1(fixed=true), v_rel_a_2(fixed=true), v_rel_a_3(start=1,fixed=true),
      angle_1(start=0.2,fixed=true), angle_2(start=0.3,fixed=true), angle_3(fixed=true), angle_d_1(start=1, fixed=true), angle_d_2(fixed=true), angle_d_3(fixed=true),
      angle_1_stateSelect=StateSelect.always, angle_2_stateSelect=StateSelect.always, angle_3_stateSelect=StateSelect.always,
      angle_d_1_stateSelect=StateSelect.always, angle_d_2_stateSelect=StateSelect.always, angle_d_3_stateSelect=StateSelect.always,
      sequence_start={2,1,3});
    Parts.BodyShape b(r={0.5,0,0}, r_CM={0.2,0.1,0}, m=1, I_11=0.1, I_22=0.3);
  equation
    connect(world.frame_b, fm.frame_a);
    connect(fm.frame_b, b.frame_a);
  end Scalar;
  model Shapes
    inner World world;
    Joints.Revolute r(phi(fixed=true), w(fixed=true));
    Parts.BodyBox b(r={0.5,0,0}, width=0.1);
    Visualizers.FixedShape s(length=1,width=0.1,height=0.2); Visualizers.FixedShape2 s2; Visualizers.FixedFrame f; Visualizers.FixedArrow a; Visualizers.SignalArrow sa(r_head={1,2,3});
    Visualizers.Torus t; Visualizers.VoluminousWheel w; Visualizers.Rectangle rc;
    Visualizers.Advanced.Shape sh(length=sin(time)); Visualizers.Advanced.Arrow ar(r_head={1,2,time});
  equation
    connect(world.frame_b, r.frame_a);
    connect(r.frame_b, b.frame_a);
    connect(b.frame_b, s.frame_a);
    connect(b.frame_b, s2.frame_a);
    connect(s2.frame_b, f.frame_a);
    connect(b.frame_b, a.frame_a);
    connect(b.frame_b, sa.frame_a);
    connect(b.frame_b, t.frame_a);
    connect(b.frame_b, w.frame_a);
    connect(b.frame_b, rc.frame_a);
  end Shapes;
  partial model Crank "A crank, to which an assembly gets connected"
    inner World world;
    parameter Types.Axis n={0,0,1};
    parameter Modelica.Units.SI.Position arm[3]={0,0.3,0};
    Joints.Revolute crank(n=n, phi(start=0.2,fixed=true), w(start=4,fixed=true), stateSelect=StateSelect.always);
    Parts.BodyShape bar(r=arm, r_CM=arm/2, m=1, I_11=0.02,I_22=0.03,I_33=0.04);
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, bar.frame_a);
  end Crank;
  model RRR
    extends Crank;
    Parts.Fixed f(r={1.2,0.1,0});
    Joints.Assemblies.JointRRR j(rRod1_ia={1,0.1,0}, rRod2_ib={-0.1,0.7,0}, phi_guess=20, phi_offset=5, checkTotalPower=true);
    Parts.Body b1(r_CM={0.4,0.05,0}, m=0.7, I_33=0.03);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Rotational.Components.SpringDamper sd(c=10,d=0.3);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ia, b1.frame_a);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end RRR;
  model RRP
    extends Crank;
    Parts.Fixed f(r={0.4,0.1,0});
    Joints.Assemblies.JointRRP j(n_b={1,0.1,0}, rRod1_ia={1,0.1,0}, rRod2_ib={-0.1,0.1,0}, s_guess=1, s_offset=0.1, checkTotalPower=true);
    Parts.Body b1(r_CM={0.4,0.05,0}, m=0.7, I_33=0.03);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.5);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ia, b1.frame_a);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end RRP;
  model SSR
    extends Crank(n={0,0.6,0.8});
    Parts.Fixed f(r={1.1,0.1,0.2});
    Joints.Assemblies.JointSSR j(n_b={0.1,0,1}, rod1Length=1.1, rod1Mass=0.4, rRod2_ib={-0.1,0.6,0.1}, phi_guess=10, checkTotalPower=true);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Rotational.Components.SpringDamper sd(c=10,d=0.3);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end SSR;
  model SSP
    extends Crank(n={0,0.6,0.8});
    Parts.Fixed f(r={0.3,0.1,0.2});
    Joints.Assemblies.JointSSP j(n_b={1,0.1,0.2}, rod1Length=1.1, rRod2_ib={-0.1,0.2,0.1}, s_guess=1, s_offset=0.1, checkTotalPower=true);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.5);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end SSP;
  model USR
    extends Crank(n={0,0.6,0.8});
    Parts.Fixed f(r={1.1,0.1,0.2});
    Joints.Assemblies.JointUSR j(n1_a={0,0.2,1}, n_b={0.1,0,1}, rRod1_ia={1,0.1,0.2}, rRod2_ib={-0.1,0.6,0.1}, phi_guess=10, phi_offset=3, checkTotalPower=true);
    Parts.Body b1(r_CM={0.4,0.05,0.1}, m=0.7, I_11=0.02, I_22=0.04, I_33=0.03);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Rotational.Components.SpringDamper sd(c=10,d=0.3);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ia, b1.frame_a);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end USR;
  model USP
    extends Crank(n={0,0.6,0.8});
    Parts.Fixed f(r={0.3,0.1,0.2});
    Joints.Assemblies.JointUSP j(n1_a={0,0.2,1}, n_b={1,0.1,0.2}, rRod1_ia={1,0.1,0.2}, rRod2_ib={-0.1,0.2,0.1}, s_guess=1, s_offset=0.1, checkTotalPower=true);
    Parts.Body b1(r_CM={0.4,0.05,0.1}, m=0.7, I_11=0.02, I_22=0.04, I_33=0.03);
    Parts.Body b2(r_CM={0,0.3,0}, m=0.5, I_33=0.02);
    Parts.Body b3(r_CM={0,0,0}, m=0.2);
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.5);
  equation
    connect(bar.frame_b, j.frame_a);
    connect(f.frame_b, j.frame_b);
    connect(j.frame_ia, b1.frame_a);
    connect(j.frame_ib, b2.frame_a);
    connect(j.frame_im, b3.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end USP;
  model UPS
    extends Crank(n={0,0.6,0.8});
    Parts.Fixed f(r={1.1,0.1,0.2});
    Joints.Assemblies.JointUPS j(n1_a={0,0.2,1}, nAxis_ia={1,0.1,0.2}, s_offset=0.1, checkTotalPower=true);
    Parts.Body b1(r_CM={0.4,0.05,0.1}, m=0.7, I_11=0.02, I_22=0.04, I_33=0.03);
    Parts.Body b2(r_CM={-0.1,0.3,0}, m=0.5, I_33=0.02);
    Modelica.Mechanics.Translational.Components.SpringDamper sd(c=100,d=3,s_rel0=0.5);
  equation
    connect(f.frame_b, j.frame_a);
    connect(bar.frame_b, j.frame_b);
    connect(j.frame_ia, b1.frame_a);
    connect(j.frame_ib, b2.frame_a);
    connect(j.bearing, sd.flange_a);
    connect(sd.flange_b, j.axis);
  end UPS;
  model HeavySSP
    extends SSP(j(rod1Mass=0.4));
  end HeavySSP;
  model Wheel
    inner World world(n={0,0,-1});
    Parts.RollingWheel w(radius=0.3, m=2, I_axis=0.06, I_long=0.12, x(start=0.2), y(start=0.2), angles(start={0.4,0.3,0.1}), der_angles(start={0.5,5,1}));
  end Wheel;
  model WheelSet
    inner World world(n={0,0,-1});
    Parts.RollingWheelSet w(R_wheel=0.1, m_wheel=0.5, I_wheelAxis=0.01, I_wheelLong=0.02, track=0.5, x(start=0.1), y(start=0.1), der_theta1(start=2));
    Parts.Body b(m=0.2, r_CM={0.1,0,0.1}, I_33=0.03);
    Modelica.Mechanics.Rotational.Sources.Torque2 q;
    Modelica.Blocks.Sources.Sine s(f=2, amplitude=0.3);
    Modelica.Mechanics.Rotational.Sources.Torque t(useSupport=true);
  equation
    connect(w.frameMiddle, b.frame_a);
    connect(q.flange_a, w.axis1);
    connect(q.flange_b, w.axis2);
    connect(s.y, q.tau);
    connect(s.y, t.tau);
    connect(t.flange, w.axis1);
    connect(t.support, w.support);
  end WheelSet;
end Bodies;
