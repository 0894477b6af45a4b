"""Does what a page says, in the working folder, with the Python that runs this file.

In: on stdin, a JSON list of [kind, text or words]. Out: a JSON object with what each step printed and where
`freewheel` was imported from. It runs in an environment that has only the wheel: nothing of the tests.
"""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import freewheel

SCRIPTS = Path(sys.executable).parent


def run_command(words):
    done = subprocess.run(
        [SCRIPTS / "freewheel", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout


def run_python(code, names):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "<documentation>", "exec"), names)
    return output.getvalue()


names = {}
printed = []
for kind, what in json.load(sys.stdin):
    printed.append(run_command(what) if kind == "command" else run_python(what, names))
sys.stdout.write(json.dumps({"home": freewheel.__file__, "printed": printed}))
