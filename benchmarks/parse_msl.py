"""Parse a whole library: errors, print round trip, throughput, and a peer on a sample.

python benchmarks/parse_msl.py --library MSL-4.1.0 [--peer-python PATH]

The peer is `rumoca.validate_source`, run by the interpreter given, on every tenth file of the
same list in the same run. Annotations are parsed on demand by Freewheel; the row "with annotations"
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

EVERY = 10  # which files the peer gets: one in ten
ROUNDS = 5  # both take turns; the best round of each counts

PEER = """
import json, sys, time
import rumoca
texts = []
for path in json.loads(sys.stdin.readline()):
    with open(path, encoding="utf-8-sig") as stream:
        texts.append((path, stream.read()))
print(rumoca.version(), flush=True)
for _ in sys.stdin:
    began = time.perf_counter()
    for path, text in texts:
        rumoca.validate_source(text, filename=path)
    print(time.perf_counter() - began, flush=True)
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


def _report_rate(title: str, sources: list[Source], read: Callable[[Source], StoredFile]) -> None:
    seconds = min(_seconds(sources, read) for _ in range(2))
    rate = _characters(sources) / seconds / 1e6
    print(f"{title:<22} {seconds:6.2f} s  {rate:6.2f} M characters/s")


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
    sample = sources[::EVERY]
    size = _characters(sample) / 1e6
    ours, full, theirs = [], [], []
    command = [str(python), "-c", PEER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as peer:
        assert peer.stdin is not None
        assert peer.stdout is not None
        print(json.dumps([source.path for source in sample]), file=peer.stdin, flush=True)
        version = peer.stdout.readline().strip()
        for _ in range(ROUNDS):
            ours.append(_seconds(sample, parse))
            full.append(_seconds(sample, _parse_all))
            print(file=peer.stdin, flush=True)
            theirs.append(float(peer.stdout.readline()))
    print(f"sample of {len(sample)} files, {size:.2f} M characters, best of {ROUNDS} rounds")
    for title, times in (
        ("freewheel", ours),
        ("with annotations", full),
        (f"rumoca {version}", theirs),
    ):
        print(f"  {title:<20} {min(times):6.3f} s  {size / min(times):6.2f} M characters/s")
    ratio = min(theirs) / min(ours)
    print(f"  times as fast        {ratio:.1f} (with annotations {min(theirs) / min(full):.1f})")
    return ratio >= 10


if __name__ == "__main__":
    sys.exit(main())
