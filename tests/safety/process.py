"""The command as users start it: a process of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Any


def freewheel(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "freewheel", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, **options
    )
