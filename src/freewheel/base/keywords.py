"""Words of Modelica that cannot be names.

"flow" in KEYWORDS      a variable called so stands in quotes: 'flow'
"""

# `time` is a keyword only by name: it is looked up like any variable.
KEYWORDS = frozenset((
    "algorithm", "and", "annotation", "block", "break", "class", "connect", "connector",
    "constant", "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen",
    "encapsulated", "end", "enumeration", "equation", "expandable", "extends", "external",
    "false", "final", "flow", "for", "function", "if", "import", "impure", "in", "initial",
    "inner", "input", "loop", "model", "not", "operator", "or", "outer", "output",
    "package", "parameter", "partial", "protected", "public", "pure", "record", "redeclare",
    "replaceable", "return", "stream", "then", "true", "type", "when", "while", "within",
))  # fmt: skip
PREDEFINED = frozenset(("Real", "Integer", "Boolean", "String"))
