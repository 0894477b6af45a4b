within Modelica;
package StateGraph "Steps and transitions of sequential control"
  extends Modelica.Icons.Package;
  import Modelica.Math.BooleanVectors.anyTrue;
  import Modelica.Units.SI;

  // A step remembers; a transition fires while the step before it is active, the step behind it is
  // not, and its condition holds. All fire at once; what a step becomes counts from the next round
  // of the same event on, so that a chain of true conditions is walked in one instant.

  package Interfaces "Connectors and bases"
    extends Modelica.Icons.InterfacesPackage;

    connector Step_in "Entry of a step"
      output Boolean occupied "The step is active, or a port before this one activates it";
      input Boolean set "The transition fires: the step becomes active";
    end Step_in;

    connector Step_out "Exit of a step"
      output Boolean available "The step is active, and no port before this one leaves it";
      input Boolean reset "The transition fires: the step is left";
    end Step_out;

    connector Transition_in "Entry of a transition"
      input Boolean available "The step before is active";
      output Boolean reset "The transition fires: the step before is left";
    end Transition_in;

    connector Transition_out "Exit of a transition"
      input Boolean occupied "The step behind is active";
      output Boolean set "The transition fires: the step behind becomes active";
    end Transition_out;

    connector CompositeStep_resume "Entry of a composite step that goes on where it was"
      output Boolean occupied "The composite step is active";
      input Boolean set "The transition fires: it goes on";
    end CompositeStep_resume;

    connector CompositeStep_suspend "Exit of a composite step from wherever it is"
      output Boolean available "The composite step is active";
      input Boolean reset "The transition fires: it is left";
    end CompositeStep_suspend;

    connector CompositeStepStatePort_in "Of a step, towards the composite step around it"
      input Boolean suspend "All steps inside are left";
      input Boolean resume "The steps go on that were active";
      Real activeStepsDummy "Partner of the flow";
      flow Real activeSteps "1 of an active step: they add up";
    end CompositeStepStatePort_in;

    connector CompositeStepStatePort_out "Of a composite step, towards the steps in it"
      output Boolean suspend "All steps inside are left";
      output Boolean resume "The steps go on that were active";
      Real activeStepsDummy "Partner of the flow";
      flow Real activeSteps "Minus the number of active steps";
    end CompositeStepStatePort_out;

    model CompositeStepState "What a composite step tells the steps in it"
      output Boolean suspend=false "All steps inside are left";
      output Boolean resume=false "The steps go on that were active";
      CompositeStepStatePort_out subgraphStatePort;
    equation
      subgraphStatePort.suspend = suspend;
      subgraphStatePort.resume = resume;
      subgraphStatePort.activeStepsDummy = 0;
      annotation(
        defaultComponentName="stateGraphRoot",
        defaultComponentPrefixes="inner",
        missingInnerMessage="A stateGraphRoot was added on the top level");
    end CompositeStepState;

    model Member "Counts among the steps of the composite step around it"
      CompositeStepStatePort_in subgraphStatePort;
      input Boolean isActive;
    equation
      subgraphStatePort.activeSteps = if isActive then 1 else 0;
    end Member;

    partial block PartialStep "Step with any number of entries and exits"
      parameter Integer nIn(min=0)=1 "Number of entries";
      parameter Integer nOut(min=0)=1 "Number of exits";
      output Boolean localActive "Whether the step is active";
      Step_in inPort[nIn] "Entries, the first has the highest priority";
      Step_out outPort[nOut] "Exits, the first has the highest priority";
    protected
      outer CompositeStepState stateGraphRoot;
      Member member(isActive=localActive);
      Boolean newActive "Active in the next round";
      Boolean oldActive "Active when the composite step was suspended";
    initial equation
      pre(newActive) = pre(localActive);
      pre(oldActive) = pre(localActive);
    equation
      connect(member.subgraphStatePort, stateGraphRoot.subgraphStatePort);
      localActive = pre(newActive);
      if member.subgraphStatePort.resume then
        newActive = oldActive;
      else
        newActive = not member.subgraphStatePort.suspend
          and (anyTrue(inPort.set) or localActive and not anyTrue(outPort.reset));
      end if;
      when member.subgraphStatePort.suspend then
        oldActive = localActive;
      end when;
      for i in 1:nIn loop
        inPort[i].occupied = localActive or anyTrue(inPort[1:i - 1].set);
        assert(cardinality(inPort[i]) <= 1, "An entry of a step has more than one transition");
        if cardinality(inPort[i]) == 0 then
          inPort[i].set = false;
        end if;
      end for;
      for i in 1:nOut loop
        outPort[i].available = localActive and not anyTrue(outPort[1:i - 1].reset);
        assert(cardinality(outPort[i]) <= 1, "An exit of a step has more than one transition");
        if cardinality(outPort[i]) == 0 then
          outPort[i].reset = false;
        end if;
      end for;
    end PartialStep;

    partial block PartialTransition "Transition from one step to another, if desired with a timer"
      input Boolean localCondition "Whether it may fire";
      parameter Boolean enableTimer=false "Wait before firing" annotation(Evaluate=true);
      parameter SI.Time waitTime(min=0)=0 "How long it must have been possible to fire";
      output SI.Time t "Since when it has been possible to fire, 0 without timer";
      output Boolean enableFire "It could fire, but for the timer";
      output Boolean fire "It fires";
      Transition_in inPort "From the step before";
      Transition_out outPort "To the step behind";
    protected
      discrete SI.Time t_start "When it became possible to fire";
    initial equation
      pre(enableFire) = false;
      pre(t_start) = time;
    equation
      assert(cardinality(inPort) == 1, "The entry of a transition needs exactly one connection");
      assert(cardinality(outPort) == 1, "The exit of a transition needs exactly one connection");
      enableFire = localCondition and inPort.available and not outPort.occupied;
      when enableFire then
        t_start = time;
      end when;
      if enableTimer then
        t = if enableFire then time - t_start else 0;
        fire = enableFire and time >= t_start + waitTime;
      else
        t = 0;
        fire = enableFire;
      end if;
      inPort.reset = fire;
      outPort.set = fire;
    end PartialTransition;
  end Interfaces;

  block InitialStep "Step that is active at the beginning"
    output Boolean active "Whether the step is active";
    extends Interfaces.PartialStep;
  initial equation
    active = true;
  equation
    active = localActive;
  end InitialStep;

  block InitialStepWithSignal "Step that is active at the beginning and says so by a signal"
    extends Interfaces.PartialStep;
    Modelica.Blocks.Interfaces.BooleanOutput active "Whether the step is active";
  initial equation
    active = true;
  equation
    active = localActive;
  end InitialStepWithSignal;

  block Step "Step that is not active at the beginning"
    output Boolean active "Whether the step is active";
    extends Interfaces.PartialStep;
  initial equation
    active = false;
  equation
    active = localActive;
  end Step;

  block StepWithSignal "Step that says by a signal whether it is active"
    extends Interfaces.PartialStep;
    Modelica.Blocks.Interfaces.BooleanOutput active "Whether the step is active";
  initial equation
    active = false;
  equation
    active = localActive;
  end StepWithSignal;

  block Transition "Transition whose condition is a formula"
    input Boolean condition=true "Whether it may fire";
    extends Interfaces.PartialTransition(final localCondition=condition);
  end Transition;

  block TransitionWithSignal "Transition whose condition is a signal"
    Modelica.Blocks.Interfaces.BooleanInput condition "Whether it may fire";
    extends Interfaces.PartialTransition(final localCondition=condition);
  end TransitionWithSignal;

  block Alternative "One of several branches; stands between two steps"
    parameter Integer nBranches(min=1)=2 "Number of branches";
    Interfaces.Transition_in inPort "From the step before";
    Interfaces.Transition_out outPort "To the step behind";
    Interfaces.Step_in join[nBranches] "Ends of the branches";
    Interfaces.Step_out split[nBranches] "Begins of the branches, the first has the highest priority";
  equation
    assert(cardinality(inPort) == 1, "The entry of Alternative needs exactly one connection");
    assert(cardinality(outPort) == 1, "The exit of Alternative needs exactly one connection");
    for i in 1:nBranches loop
      split[i].available = inPort.available and not anyTrue(split[1:i - 1].reset);
      join[i].occupied = outPort.occupied or anyTrue(join[1:i - 1].set);
    end for;
    inPort.reset = anyTrue(split.reset);
    outPort.set = anyTrue(join.set);
  end Alternative;

  block Parallel "Several branches at once; stands between two transitions"
    parameter Integer nBranches(min=1)=2 "Number of branches";
    Interfaces.Step_in inPort "From the transition before";
    Interfaces.Step_out outPort "To the transition behind";
    Interfaces.Transition_in join[nBranches] "Ends of the branches";
    Interfaces.Transition_out split[nBranches] "Begins of the branches";
  equation
    assert(cardinality(inPort) == 1, "The entry of Parallel needs exactly one connection");
    assert(cardinality(outPort) == 1, "The exit of Parallel needs exactly one connection");
    for i in 1:nBranches loop
      split[i].set = inPort.set;
      join[i].reset = outPort.reset;
    end for;
    inPort.occupied = anyTrue(split.occupied);
    outPort.available = Modelica.Math.BooleanVectors.allTrue(join.available);
  end Parallel;

  partial model PartialCompositeStep "Step with a graph of its own inside"
    parameter Integer nSuspend(min=0)=1 "Number of exits from wherever it is";
    parameter Integer nResume(min=0)=1 "Number of entries that go on where it was";
    inner outer Interfaces.CompositeStepState stateGraphRoot(
      suspend=anyTrue(suspend.reset) or outerMember.subgraphStatePort.suspend,
      resume=anyTrue(resume.set) or outerMember.subgraphStatePort.resume);
    output Boolean active "Whether a step inside is active";
    Interfaces.Step_in inPort "Entry; connect it to the first step inside";
    Interfaces.Step_out outPort "Exit; connect it to the last step inside";
    Interfaces.CompositeStep_suspend suspend[nSuspend] "Exits from wherever it is";
    Interfaces.CompositeStep_resume resume[nResume] "Entries that go on where it was";
  protected
    Interfaces.Member outerMember(isActive=active) "Counts in the composite step around this one";
    model Inside "Reads what the steps inside report"
      outer Interfaces.CompositeStepState stateGraphRoot;
    end Inside;
    Inside inside;
    Boolean newActive "Active in the next round";
    Integer activeSteps "Number of active steps inside";
  initial equation
    pre(newActive) = false;
  equation
    connect(outerMember.subgraphStatePort, stateGraphRoot.subgraphStatePort);
    activeSteps = -integer(inside.stateGraphRoot.subgraphStatePort.activeSteps);
    active = pre(newActive);
    newActive = activeSteps > 0 and not stateGraphRoot.suspend or stateGraphRoot.resume;
    for i in 1:nSuspend loop
      suspend[i].available = active and not anyTrue(suspend[1:i - 1].reset);
      if cardinality(suspend[i]) == 0 then
        suspend[i].reset = false;
      end if;
    end for;
    for i in 1:nResume loop
      resume[i].occupied = active or anyTrue(resume[1:i - 1].set);
      if cardinality(resume[i]) == 0 then
        resume[i].set = false;
      end if;
    end for;
    // A port that is connected on one side only leads nowhere.
    if cardinality(inPort) < 2 then
      inPort.occupied = false;
      inPort.set = false;
    end if;
    if cardinality(outPort) < 2 then
      outPort.available = false;
      outPort.reset = false;
    end if;
  end PartialCompositeStep;

  model StateGraphRoot "Top of a graph: collects the active steps"
    extends Interfaces.CompositeStepState;
    output Integer activeSteps "Number of active steps";
  equation
    activeSteps = -integer(subgraphStatePort.activeSteps);
    annotation(defaultComponentName="stateGraphRoot", defaultComponentPrefixes="inner");
  end StateGraphRoot;

  package Examples "Graphs that run"
    extends Modelica.Icons.ExamplesPackage;

    model FirstExample "Three steps in a circle with timers"
      extends Modelica.Icons.Example;
      InitialStep initialStep(nIn=1, nOut=1);
      Transition transition1(enableTimer=true, waitTime=1);
      Step step(nIn=1, nOut=1);
      Transition transition2(enableTimer=true, waitTime=1);
      inner StateGraphRoot stateGraphRoot;
    equation
      connect(initialStep.outPort[1], transition1.inPort);
      connect(transition1.outPort, step.inPort[1]);
      connect(step.outPort[1], transition2.inPort);
      connect(transition2.outPort, initialStep.inPort[1]);
      annotation(experiment(StopTime=5));
    end FirstExample;

    model ExecutionPaths "Two parallel branches, one of them with alternatives"
      extends Modelica.Icons.Example;
      InitialStep step0(nIn=1, nOut=1);
      Transition transition1(enableTimer=true, waitTime=1);
      Parallel parallel(nBranches=2);
      Step left(nIn=1, nOut=1);
      Transition leftThrough(enableTimer=true, waitTime=1);
      Step leftEnd(nIn=1, nOut=1);
      Step right(nIn=1, nOut=1);
      Alternative alternative(nBranches=2);
      Transition fast(condition=time < 3, enableTimer=true, waitTime=0.5);
      Transition slow(condition=time >= 3, enableTimer=true, waitTime=1.5);
      Step rightEnd(nIn=1, nOut=1);
      Transition transition2(enableTimer=true, waitTime=1);
      inner StateGraphRoot stateGraphRoot;
    equation
      connect(step0.outPort[1], transition1.inPort);
      connect(transition1.outPort, parallel.inPort);
      connect(parallel.split[1], left.inPort[1]);
      connect(left.outPort[1], leftThrough.inPort);
      connect(leftThrough.outPort, leftEnd.inPort[1]);
      connect(leftEnd.outPort[1], parallel.join[1]);
      connect(parallel.split[2], right.inPort[1]);
      connect(right.outPort[1], alternative.inPort);
      connect(alternative.split[1], fast.inPort);
      connect(alternative.split[2], slow.inPort);
      connect(fast.outPort, alternative.join[1]);
      connect(slow.outPort, alternative.join[2]);
      connect(alternative.outPort, rightEnd.inPort[1]);
      connect(rightEnd.outPort[1], parallel.join[2]);
      connect(parallel.outPort, transition2.inPort);
      connect(transition2.outPort, step0.inPort[1]);
      annotation(experiment(StopTime=15));
    end ExecutionPaths;

    model Interrupted "A composite step is suspended in the middle and goes on where it was"
      extends Modelica.Icons.Example;

      model Work "Two steps, each two seconds"
        extends PartialCompositeStep;
        Step first(nIn=1, nOut=1);
        Transition between(enableTimer=true, waitTime=2);
        Step second(nIn=1, nOut=1);
      equation
        connect(inPort, first.inPort[1]);
        connect(first.outPort[1], between.inPort);
        connect(between.outPort, second.inPort[1]);
        connect(second.outPort[1], outPort);
      end Work;

      InitialStep begin(nIn=0, nOut=1);
      Transition start(condition=time >= 1);
      Work work;
      Transition stop(condition=time >= 2 and time < 3);
      Step pause(nIn=1, nOut=1);
      Transition goOn(condition=time >= 4);
      Transition finish(enableTimer=true, waitTime=0.5);
      Step finished(nIn=1, nOut=0);
      inner StateGraphRoot stateGraphRoot;
    equation
      connect(begin.outPort[1], start.inPort);
      connect(start.outPort, work.inPort);
      connect(work.suspend[1], stop.inPort);
      connect(stop.outPort, pause.inPort[1]);
      connect(pause.outPort[1], goOn.inPort);
      connect(goOn.outPort, work.resume[1]);
      connect(work.outPort, finish.inPort);
      connect(finish.outPort, finished.inPort[1]);
      annotation(experiment(StopTime=10));
    end Interrupted;
  end Examples;
end StateGraph;
