within Modelica.Blocks;
package Icons "Bases without content"
  extends Modelica.Icons.IconsPackage;

  partial block Block "Base of continuous blocks"
  end Block;

  partial block BooleanBlock "Base of blocks with Boolean signals"
  end BooleanBlock;

  partial block DiscreteBlock "Base of sampled blocks"
  end DiscreteBlock;

  partial block IntegerBlock "Base of blocks with Integer signals"
  end IntegerBlock;

  partial block PartialBooleanBlock "Base of logical blocks"
  end PartialBooleanBlock;
end Icons;
