package PetriNets "Places, transitions and machines made of them"
  extends Modelica.Icons.Package;

  // Equations 9.61 and 9.62 of Cellier and Kofman, Continuous System Simulation, section 9.13: a
  // place tells each neighbour how it stands after all neighbours of higher priority have had
  // their turn (the first connector goes first), and hears back whether the neighbour fires.

  connector PlaceIn "Of a place, where tokens come in"
    output Boolean occupied "There is no room for the tokens of this arc";
    input Boolean fire "The transition puts its tokens here";
  end PlaceIn;

  connector PlaceOut "Of a place, where tokens go out"
    output Boolean available "There are tokens enough for this arc";
    input Boolean fire "The transition takes its tokens from here";
  end PlaceOut;

  connector TransitionIn "Of a transition, towards a place that it takes tokens from"
    input Boolean available "There are tokens enough for this arc";
    output Boolean fire "The transition takes its tokens from there";
  end TransitionIn;

  connector TransitionOut "Of a transition, towards a place that it puts tokens to"
    input Boolean occupied "There is no room for the tokens of this arc";
    output Boolean fire "The transition puts its tokens there";
  end TransitionOut;

  partial model PartialPlace "Connectors of a place"
    parameter Integer nIn(min=0)=1 "Number of arcs that come in";
    parameter Integer nOut(min=0)=1 "Number of arcs that go out";
    PlaceIn inPort[nIn] "From transitions, the first has the highest priority";
    PlaceOut outPort[nOut] "To transitions, the first has the highest priority";
  end PartialPlace;

  model Place "Place of a normal net: one token or none"
    extends PartialPlace;
    parameter Boolean start=false "Whether there is a token at the beginning";
    Boolean token(start=start, fixed=true) "Whether there is a token";
  equation
    for i in 1:nIn loop
      inPort[i].occupied = pre(token) or Modelica.Math.BooleanVectors.anyTrue(inPort[1:i - 1].fire);
    end for;
    for i in 1:nOut loop
      outPort[i].available = pre(token)
        and not Modelica.Math.BooleanVectors.anyTrue(outPort[1:i - 1].fire);
    end for;
    token = pre(token) and not Modelica.Math.BooleanVectors.anyTrue(outPort.fire)
      or Modelica.Math.BooleanVectors.anyTrue(inPort.fire);
  end Place;

  model BoundedPlace "Place for several tokens, up to a capacity"
    extends PartialPlace;
    parameter Integer start(min=0)=0 "Tokens at the beginning";
    parameter Integer capacity(min=1)=1 "Tokens that find room";
    parameter Integer weightIn[nIn]=fill(1, nIn) "Tokens that come by each arc";
    parameter Integer weightOut[nOut]=fill(1, nOut) "Tokens that go by each arc";
    Integer tokens(start=start, fixed=true) "Number of tokens";
  protected
    Integer coming[nIn] "Tokens that come now";
    Integer going[nOut] "Tokens that go now";
  equation
    assert(start <= capacity, "There are more tokens at the beginning than find room");
    for i in 1:nIn loop
      inPort[i].occupied = pre(tokens) + sum(coming[1:i - 1]) + weightIn[i] > capacity;
      coming[i] = if inPort[i].fire then weightIn[i] else 0;
    end for;
    for i in 1:nOut loop
      outPort[i].available = pre(tokens) - sum(going[1:i - 1]) >= weightOut[i];
      going[i] = if outPort[i].fire then weightOut[i] else 0;
    end for;
    tokens = pre(tokens) + sum(coming) - sum(going);
  end BoundedPlace;

  partial model PartialTransition "Fires when its condition holds and all places agree"
    parameter Integer nIn(min=0)=1 "Number of places that it takes tokens from";
    parameter Integer nOut(min=0)=1 "Number of places that it puts tokens to";
    TransitionIn inPort[nIn] "From places";
    TransitionOut outPort[nOut] "To places";
    Boolean enabled "Whether all places agree";
    Boolean fire "Whether tokens move now";
  equation
    enabled = not (Modelica.Math.BooleanVectors.anyTrue({not inPort[i].available for i in 1:nIn})
      or Modelica.Math.BooleanVectors.anyTrue(outPort.occupied));
    for i in 1:nIn loop
      inPort[i].fire = fire;
    end for;
    for i in 1:nOut loop
      outPort[i].fire = fire;
    end for;
  end PartialTransition;

  model Transition "Transition whose condition is a formula"
    extends PartialTransition;
    input Boolean condition=true "Whether it may fire";
  equation
    fire = enabled and condition;
  end Transition;

  model TransitionWithSignal "Transition whose condition is a signal"
    extends PartialTransition;
    Modelica.Blocks.Interfaces.BooleanInput condition "Whether it may fire";
  equation
    fire = enabled and condition;
  end TransitionWithSignal;

  model TimedTransition "Transition that fires when it has been enabled for a while"
    extends PartialTransition;
    parameter Modelica.Units.SI.Time waitTime(min=0) "For how long it must be enabled";
    input Boolean condition=true "Whether it may fire";
  protected
    Boolean waiting "Enabled, and the condition holds";
    discrete Modelica.Units.SI.Time due "When it fires";
  equation
    waiting = enabled and condition;
    when {waiting, initial()} then
      due = time + waitTime;
    end when;
    fire = waiting and time >= due;
  end TimedTransition;

  package Examples "Nets that run"
    extends Modelica.Icons.ExamplesPackage;

    model DryHysteresis "Two places for the two values of a dry hysteresis (H9.12)"
      extends Modelica.Icons.Example;
      parameter Real x1=-1 "Below this input the output is low";
      parameter Real x2=1 "Above this input the output is high";
      parameter Real y1=-1 "Low output";
      parameter Real y2=1 "High output";
      Real x "Input";
      Real y "Output";
      Place low "Output is low";
      Place high(start=true) "Output is high";
      Transition rise(condition=x > x2) "To the high output";
      Transition fall(condition=x < x1) "To the low output";
    equation
      x = 2*cos(time);
      y = if high.token then y2 else y1;
      connect(low.outPort[1], rise.inPort[1]);
      connect(rise.outPort[1], high.inPort[1]);
      connect(high.outPort[1], fall.inPort[1]);
      connect(fall.outPort[1], low.inPort[1]);
      annotation(experiment(StopTime=10));
    end DryHysteresis;

    model Limiter "Three places for the three pieces of a limiter (H9.13)"
      extends Modelica.Icons.Example;
      parameter Real x1=-1 "Lower corner, input and output";
      parameter Real x2=1 "Upper corner, input and output";
      Real x "Input";
      Real y "Output";
      Place below(nIn=1, nOut=1) "Output rests at the lower corner";
      Place between(nIn=2, nOut=2) "Output follows the input";
      Place above(nIn=1, nOut=1, start=true) "Output rests at the upper corner";
      Transition leaveBelow(condition=x > x1);
      Transition enterBelow(condition=x < x1);
      Transition leaveAbove(condition=x < x2);
      Transition enterAbove(condition=x > x2);
    equation
      x = 2*cos(time);
      y = if above.token then x2 elseif below.token then x1 else x;
      connect(below.outPort[1], leaveBelow.inPort[1]);
      connect(leaveBelow.outPort[1], between.inPort[1]);
      connect(above.outPort[1], leaveAbove.inPort[1]);
      connect(leaveAbove.outPort[1], between.inPort[2]);
      connect(between.outPort[1], enterAbove.inPort[1]);
      connect(enterAbove.outPort[1], above.inPort[1]);
      connect(between.outPort[2], enterBelow.inPort[1]);
      connect(enterBelow.outPort[1], below.inPort[1]);
      annotation(experiment(StopTime=10));
    end Limiter;

    model Friction "Dry friction as a net of six places (Fig. 9.43, equations 9.64)"
      extends Modelica.Icons.Example;
      parameter Real Fd=1 "Dry friction";
      parameter Real cf=0.1 "Viscous friction";
      parameter Real m=1 "Mass";
      Real x(start=0, fixed=true) "Place";
      Real v(start=0, fixed=true) "Velocity";
      Real a "Acceleration";
      Real f "Friction";
      Real s "Place on the curve of the sticking region";
      Place begin(start=true, nIn=0, nOut=3) "Nothing is known yet";
      Place forward(nIn=2, nOut=1) "Slides forwards";
      Place backward(nIn=2, nOut=1) "Slides backwards";
      Place startForward(nIn=1, nOut=2) "Begins to slide forwards";
      Place startBackward(nIn=1, nOut=2) "Begins to slide backwards";
      Place sticking(nIn=5, nOut=2) "Sticks";
      Transition c1(condition=v < 0);
      Transition c2(condition=v > 0);
      Transition c3(condition=not (v < 0 or v > 0));
      Transition c4(condition=v < 0);
      Transition c5(condition=v > 0);
      Transition c6(condition=s < -1);
      Transition c7(condition=s > 1);
      Transition c8(condition=s >= -1);
      Transition c9(condition=s <= 1);
      Transition c10(condition=v >= 0);
      Transition c11(condition=v <= 0);
    equation
      der(x) = v;
      der(v) = a;
      m*a = 2*sin(time) - f;
      f = if forward.token then cf*v + Fd
        elseif backward.token then cf*v - Fd
        elseif startForward.token then Fd
        elseif startBackward.token then -Fd
        else Fd*s;
      a = if forward.token or backward.token then s
        elseif startForward.token then s - 1
        elseif startBackward.token then s + 1
        else 0;
      when sticking.token then
        reinit(v, 0);
      end when;
      connect(begin.outPort[1], c1.inPort[1]);
      connect(c1.outPort[1], backward.inPort[1]);
      connect(begin.outPort[2], c2.inPort[1]);
      connect(c2.outPort[1], forward.inPort[1]);
      connect(begin.outPort[3], c3.inPort[1]);
      connect(c3.outPort[1], sticking.inPort[1]);
      connect(startBackward.outPort[1], c4.inPort[1]);
      connect(c4.outPort[1], backward.inPort[2]);
      connect(startForward.outPort[1], c5.inPort[1]);
      connect(c5.outPort[1], forward.inPort[2]);
      connect(sticking.outPort[1], c6.inPort[1]);
      connect(c6.outPort[1], startBackward.inPort[1]);
      connect(sticking.outPort[2], c7.inPort[1]);
      connect(c7.outPort[1], startForward.inPort[1]);
      connect(startBackward.outPort[2], c8.inPort[1]);
      connect(c8.outPort[1], sticking.inPort[2]);
      connect(startForward.outPort[2], c9.inPort[1]);
      connect(c9.outPort[1], sticking.inPort[3]);
      connect(backward.outPort[1], c10.inPort[1]);
      connect(c10.outPort[1], sticking.inPort[4]);
      connect(forward.outPort[1], c11.inPort[1]);
      connect(c11.outPort[1], sticking.inPort[5]);
      annotation(experiment(StopTime=12));
    end Friction;

    model Workshop "Parts wait in a store of three for one machine"
      extends Modelica.Icons.Example;
      BoundedPlace store(capacity=3) "Parts that wait";
      Place idle(start=true) "The machine is free";
      Place busy "The machine works";
      BoundedPlace done(capacity=100, nOut=0) "Finished parts";
      TimedTransition arrive(nIn=0, nOut=2, waitTime=1) "A part arrives each second";
      Place calm(start=false, nIn=1, nOut=1) "An arrival was counted";
      Transition ready(nOut=0) "Ready for the next arrival";
      Transition load(nIn=2, nOut=1) "A part and a free machine";
      TimedTransition finish(nIn=1, nOut=2, waitTime=2.5) "The work takes its time";
    equation
      connect(arrive.outPort[1], store.inPort[1]);
      connect(arrive.outPort[2], calm.inPort[1]);
      connect(calm.outPort[1], ready.inPort[1]);
      connect(store.outPort[1], load.inPort[1]);
      connect(idle.outPort[1], load.inPort[2]);
      connect(load.outPort[1], busy.inPort[1]);
      connect(busy.outPort[1], finish.inPort[1]);
      connect(finish.outPort[1], idle.inPort[1]);
      connect(finish.outPort[2], done.inPort[1]);
      annotation(experiment(StopTime=20));
    end Workshop;
  end Examples;
  annotation(version="1.0.0");
end PetriNets;
