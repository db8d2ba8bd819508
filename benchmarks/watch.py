"""Watch a file that receives 10 rows a second: rows missed, processor time, memory.

``python benchmarks/watch.py [SECONDS]`` (60 unless given) writes half rows on purpose, truncates the file once and
rotates it once, and prints what the watcher saw last, its share of one core, and its memory at the start and the end.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from subprocess import DEVNULL, Popen

RATE = 10
"""Rows a second."""


def resident_kilobytes(pid: int) -> int:
    """Return the memory of a process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def row(place: int) -> str:
    """Return one row of the log."""
    return f"{place * 10},{0.6 - 0.5 / (1 + place / 40) + 0.01 * ((place * 37) % 11 - 5) / 5:.5f}\n"


def write(path: Path, first: int, count: int) -> None:
    """Append rows at the rate, each in two halves."""
    with path.open("a", encoding="ascii", buffering=1) as stream:
        for place in range(first, first + count):
            text = row(place)
            stream.write(text[: len(text) // 2])
            stream.flush()
            time.sleep(0.5 / RATE)
            stream.write(text[len(text) // 2 :])
            stream.flush()
            time.sleep(0.5 / RATE)


def main() -> None:
    """Measure, and exit with 1 if a row is missing at the end."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as folder:
        log, seen = Path(folder) / "live.csv", Path(folder) / "seen.txt"
        log.write_text("gpu_hours,reward\n", encoding="ascii")
        command = [sys.executable, "-m", "scalefit", "watch", str(log), "--min-final", "0.5"]
        with seen.open("wb") as output, Popen(command, stdout=output, stderr=DEVNULL) as watcher:
            write(log, 1, 5 * RATE)
            early, used, began = resident_kilobytes(watcher.pid), processor_seconds(watcher.pid), time.monotonic()
            write(log, 5 * RATE + 1, (seconds - 5) * RATE)
            time.sleep(3)
            late = resident_kilobytes(watcher.pid)
            share = (processor_seconds(watcher.pid) - used) / (time.monotonic() - began)
            complete = seen.read_text(encoding="utf-8").splitlines()[-1]
            os.truncate(log, len("gpu_hours,reward\n" + "".join(map(row, range(1, 21)))))
            time.sleep(4)
            truncated = seen.read_text(encoding="utf-8").splitlines()[-1]
            log.rename(Path(folder) / "live.csv.1")
            log.write_text("gpu_hours,reward\n" + "".join(map(row, range(1, 31))), encoding="ascii")
            time.sleep(4)
            rotated = seen.read_text(encoding="utf-8").splitlines()[-1]
            watcher.terminate()
    sys.stdout.write(
        f"rows written {seconds * RATE}; last line seen: {complete}\n"
        f"after truncation to 20 rows: {truncated}\nafter rotation to 30 rows: {rotated}\n"
        f"share of one core {share:.3f}; memory {early / 1024:.1f} MB at 5 s, {late / 1024:.1f} MB at the end\n"
    )
    wanted = ((complete, seconds * RATE), (truncated, 20), (rotated, 30))
    sys.exit(any(f": {rows:,} rows," not in line.replace(f" {rows} rows", f" {rows:,} rows") for line, rows in wanted))


if __name__ == "__main__":
    main()
