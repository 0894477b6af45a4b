"""One thread at a time translates models and makes their code.

    with making:
        program = translate(model)

Passes over equations share tables of nodes they have met. They are Python and hold its lock anyway, so
that nothing is lost; runs of models that are made already go on meanwhile.
"""

from __future__ import annotations

from threading import RLock

making = RLock()
