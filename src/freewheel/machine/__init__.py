"""LLVM text becomes callable code; knows no models."""
