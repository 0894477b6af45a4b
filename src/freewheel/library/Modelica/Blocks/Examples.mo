within Modelica.Blocks;
package Examples "Small block diagrams to try"
  extends Modelica.Icons.ExamplesPackage;

  model StepResponse "A second-order lag answers a step; see how the damping shapes y"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Step step(startTime=0.1);
    Modelica.Blocks.Continuous.SecondOrder weak(
      w=20,
      D=0.2,
      initType=Modelica.Blocks.Types.Init.InitialState);
    Modelica.Blocks.Continuous.SecondOrder strong(
      w=20,
      D=1,
      initType=Modelica.Blocks.Types.Init.InitialState);
  equation
    connect(step.y, weak.u);
    connect(step.y, strong.u);
    annotation(experiment(StopTime=2));
  end StepResponse;

  model SpeedControl "A limited PI controller drives an integrator with a lag"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Ramp command(height=1, duration=0.5, startTime=0.2);
    Modelica.Blocks.Continuous.LimPID controller(
      controllerType=Modelica.Blocks.Types.SimpleController.PI,
      k=5,
      Ti=0.2,
      yMax=2);
    Modelica.Blocks.Continuous.FirstOrder motor(
      T=0.1,
      initType=Modelica.Blocks.Types.Init.InitialState);
  equation
    connect(command.y, controller.u_s);
    connect(motor.y, controller.u_m);
    connect(controller.y, motor.u);
    annotation(experiment(StopTime=2));
  end SpeedControl;

  model Thermostat "An on-off controller with a band around its reference"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Constant reference(k=20);
    Modelica.Blocks.Logical.OnOffController controller(bandwidth=1);
    Modelica.Blocks.Math.BooleanToReal heater(realTrue=30, realFalse=10);
    Modelica.Blocks.Continuous.FirstOrder room(
      T=10,
      y_start=10,
      initType=Modelica.Blocks.Types.Init.InitialState);
  equation
    connect(reference.y, controller.reference);
    connect(room.y, controller.u);
    connect(controller.y, heater.u);
    connect(heater.y, room.u);
    annotation(experiment(StopTime=30));
  end Thermostat;
end Examples;
