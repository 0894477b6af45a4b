"""Names are found, inheritance and modifiers applied."""
