"""The classic modelling language of 1978 to 1993, lowered to the tree of `syntax`."""
