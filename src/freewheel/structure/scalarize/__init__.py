"""Arrays, for-equations, algorithms and operators of the language taken apart into scalar equations."""
