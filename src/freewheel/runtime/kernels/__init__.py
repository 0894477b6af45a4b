"""The inner loop in the kernel language: steps, control, events, output. Also runs in CPython."""
