"""Equations stage by stage, as the papers print them."""
