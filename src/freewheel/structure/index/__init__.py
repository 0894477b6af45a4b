"""Index reduction and the choice of states."""
