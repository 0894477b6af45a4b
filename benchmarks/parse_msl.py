"""Parse a whole library: errors, print round trip, throughput, and a peer on a sample.

python benchmarks/parse_msl.py --library MSL-4.1.0 [--peer-python PATH]

The peer is `rumoca.validate_source`, run by the interpreter given, on every n-th file of the same
list in the same run. Annotations are parsed on demand by Freewheel; the row "with annotations"
reads them all at once, which is the fair comparison with a parser that always does.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from freewheel.base.diagnostics import CompileError, to_text
from freewheel.base.source import Source
from freewheel.syntax.check import check, same_tree
from freewheel.syntax.nodes import StoredFile
from freewheel.syntax.parser import parse, read_source
from freewheel.syntax.show import show

SAMPLE = 60  # files for the peer

PEER = """
import json, sys, time
import rumoca
times = []
for path in json.load(sys.stdin):
    text = open(path, encoding="utf-8-sig").read()
    began = time.perf_counter()
    rumoca.validate_source(text, filename=path)
    times.append(time.perf_counter() - began)
print(json.dumps({"seconds": sum(times), "version": rumoca.version()}))
"""


def main() -> int:
    options = _options()
    sources = [read_source(path) for path in sorted(options.library.rglob("*.mo"))]
    if not sources:
        sys.exit(f"no .mo file below {options.library}")
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, ", end="")
    print(f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}")
    print(f"{len(sources)} files, {_characters(sources) / 1e6:.1f} M characters")
    errors = _report_errors(sources)
    _report_rate("parse", sources, parse)
    _report_rate("with annotations", sources, _parse_all)
    broken = _report_round_trip(sources)
    slow = options.peer_python is not None and not _report_peer(options.peer_python, sources)
    return 1 if errors or broken or slow else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--peer-python", type=Path)
    return parser.parse_args()


def _parse_all(source: Source) -> StoredFile:
    return parse(source, annotations=True)


def _characters(sources: list[Source]) -> int:
    return sum(len(source.text) for source in sources)


def _report_errors(sources: list[Source]) -> int:
    errors = 0
    for source in sources:
        try:
            parse(source, annotations=True)
        except CompileError as problem:
            errors += 1
            print(to_text(problem.diagnostics[0]))
    print(f"files with errors      {errors}")
    return errors


def _seconds(sources: list[Source], read: Callable[[Source], StoredFile]) -> float:
    began = perf_counter()
    for source in sources:
        read(source)
    return perf_counter() - began


def _report_rate(title: str, sources: list[Source], read: Callable[[Source], StoredFile]) -> float:
    seconds = min(_seconds(sources, read) for _ in range(2))
    rate = _characters(sources) / seconds / 1e6
    print(f"{title:<22} {seconds:6.2f} s  {rate:6.2f} M characters/s")
    return rate


def _report_round_trip(sources: list[Source]) -> int:
    """Files whose printed form does not parse back to the same tree, text and comments."""
    broken = [source.path for source in sources if not _survives(source)]
    print(f"round trip fails for   {len(broken)}", *broken[:5])
    return len(broken)


def _survives(source: Source) -> bool:
    tree = parse(source)
    check(tree, source)
    printed = Source(source.path, show(tree, source))
    again = parse(printed)
    comments = [comment.text for comment in tree.comments]
    return (
        show(again, printed) == printed.text
        and same_tree(tree, source, again, printed)
        and comments == [comment.text for comment in again.comments]
    )


def _report_peer(python: Path, sources: list[Source]) -> bool:
    """Whether we are at least ten times as fast on the sample."""
    sample = sources[:: max(1, len(sources) // SAMPLE)]
    size = _characters(sample) / 1e6
    print(f"sample of {len(sample)} files, {size:.2f} M characters")
    ours = _report_rate("  freewheel", sample, parse)
    full = _report_rate("  with annotations", sample, _parse_all)
    run = subprocess.run(
        [str(python), "-c", PEER],
        input=json.dumps([source.path for source in sample]),
        capture_output=True,
        text=True,
        check=True,
    )
    peer = json.loads(run.stdout)
    rate = size / peer["seconds"]
    print(f"  rumoca {peer['version']:<13} {peer['seconds']:6.2f} s  {rate:6.2f} M characters/s")
    print(f"  times as fast        {ours / rate:.1f} (with annotations {full / rate:.1f})")
    return ours >= 10 * rate


if __name__ == "__main__":
    sys.exit(main())
