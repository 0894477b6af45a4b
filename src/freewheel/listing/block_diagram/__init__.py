"""Block diagrams of the computational causality, as in Cellier and Elmqvist (1993), Figs. 2 and 3."""
