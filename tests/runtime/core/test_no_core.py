"""A model without ideal elements: its core answers like one that is there, and costs nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import freewheel as fw
from freewheel.runtime.live import LiveModel
from freewheel.runtime.settings import Settings
from freewheel.runtime.switched_dae.attached import AttachedCore
from freewheel.runtime.switched_dae.model import NO_CORE
from freewheel.runtime.switched_dae.no_core import NoCore

CIRCUITS = Path(__file__).parents[2] / "structure" / "circuits.mo"
DECAY = "model Decay Real x(start=1, fixed=true); equation der(x) = -x; end Decay;"
LOADED = f"""
import sys
import freewheel as fw
fw.load_text({DECAY!r}).simulate(stop=1)
print([name for name in sys.modules if name.startswith("freewheel.runtime.switched_dae.attached")])
print([name for name in sys.modules if name.startswith("freewheel.runtime.qss.engine")])
"""


def test_whatever_may_be_asked_of_no_core_may_be_asked_of_one() -> None:
    model = fw.load(CIRCUITS, model="Circuits.HalfWaveL").compiled()
    live = LiveModel(model)
    asked = {name for name in dir(live.core) if not name.startswith("_")}
    core = AttachedCore(live, Settings.of(model, stop=1.0))

    assert isinstance(live.core, NoCore)
    assert model.core.is_there
    assert core.is_there
    assert asked - {*dir(core)} == set()


def test_a_plain_model_has_an_empty_core() -> None:
    core = fw.load_text(DECAY).compiled().core

    assert core == NO_CORE
    assert not core.is_there


def test_a_plain_model_waits_neither_for_the_code_of_cores_nor_for_that_of_quantized_states() -> (
    None
):
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=120
    )

    assert done.stdout.split("\n")[:2] == ["[]", "[]"]
