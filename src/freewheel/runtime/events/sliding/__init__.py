"""Sliding on surfaces (Filippov) and rest on them (Zeno)."""
