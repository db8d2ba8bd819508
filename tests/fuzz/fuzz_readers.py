"""Fuzzes the readers: whatever the bytes, a run or an error of one line, in bounded time.

Run it by path with a folder for the corpus and libFuzzer's options; it needs ``pip install atheris``:

    python tests/fuzz/fuzz_readers.py csv corpus/ -max_total_time=60

The first argument is a format's name, or ``any``. What it finds goes into ``test_corpus.py`` in this folder.
"""

import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

with atheris.instrument_imports(include=["scalefit.logs"]):
    from scalefit.errors import ScalefitError
    from scalefit.logs import ReadOptions, inspect_run
    from scalefit.logs.content import open_content
    from scalefit.logs.formats import FORMATS

OPTIONS = (ReadOptions(), ReadOptions(gpus=8), ReadOptions(gpu_hours_per_step=2, series="all", minimize=True))


def main() -> None:
    """Start the fuzzer."""
    wanted = sys.argv.pop(1)
    chosen = [entry for entry in FORMATS if wanted in {entry.name, "any"}]
    path = Path(tempfile.mkdtemp()) / "log"

    def check(data: bytes) -> None:
        path.write_bytes(data)
        try:
            if wanted == "any":
                for options in OPTIONS:
                    inspect_run(str(path), options)
            else:
                content = open_content(str(path))
                for entry in chosen:
                    if entry.is_text == content.is_text and entry.recognises(content):
                        entry.read(content)
        except ScalefitError as error:
            if "\n" in str(error):
                raise AssertionError(str(error)) from None

    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
