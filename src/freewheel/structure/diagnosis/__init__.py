"""Why a model cannot be solved, in the modeller's names."""
