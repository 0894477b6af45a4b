"""CD++ files: coupled models (`.ma`), events (`.ev`), outputs (`.out`) and message logs."""
