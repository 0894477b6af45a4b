"""Switches written with numbers: `0 = mo*i + (1 - mo)*u` becomes `0 = if mo == 1 then i else u`."""
