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

  package Noise "Random signals"
    extends Modelica.Icons.ExamplesPackage;

    model UniformNoise "Numbers between -1 and 3"
      extends Modelica.Icons.Example;
      inner Modelica.Blocks.Noise.GlobalSeed globalSeed;
      Modelica.Blocks.Noise.UniformNoise uniformNoise(samplePeriod=0.02, y_min=-1, y_max=3);
      annotation(experiment(StopTime=2));
    end UniformNoise;

    model NoisySensor "A lag smoothes what a noisy sensor says"
      extends Modelica.Icons.Example;
      inner Modelica.Blocks.Noise.GlobalSeed globalSeed;
      Modelica.Blocks.Sources.Sine signal(f=0.5);
      Modelica.Blocks.Noise.NormalNoise noise(samplePeriod=0.01, sigma=0.2);
      Modelica.Blocks.Math.Add sensor;
      Modelica.Blocks.Continuous.FirstOrder smooth(T=0.1, initType=Modelica.Blocks.Types.Init.InitialOutput);
    equation
      connect(signal.y, sensor.u1);
      connect(noise.y, sensor.u2);
      connect(sensor.y, smooth.u);
      annotation(experiment(StopTime=4));
    end NoisySensor;
  end Noise;
end Examples;
