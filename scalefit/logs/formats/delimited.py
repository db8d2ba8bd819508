"""Comma, tab, semicolon, pipe and space separated text with a header line."""

import csv
import functools
import io
import statistics
from collections.abc import Iterator

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.column_builder import ColumnBuilder
from scalefit.logs.content import Content
from scalefit.logs.formats.dialect import (
    CELL_LIMIT,
    DELIMITERS,
    HEADERLESS_SHARE,
    find_delimiter,
    numeric_share,
    sample_lines,
    without_frame,
    writes_decimal_comma,
)
from scalefit.logs.formats.number_block import parse_numbers
from scalefit.logs.table import Table, join_lines, unique_names
from scalefit.run import Caveat

_CHUNK_BYTES = 1 << 18
_CHUNK_ROWS = 32
"""Rows that a block holds at least: each costs a call per column, of which there may be 10**5."""
_BATCH_ROWS = 4096
_CAPACITY = 1.5
"""Room for rows, in those that the length of the first lines lets expect: later lines may be shorter."""
_QUOTED_BYTES = 1 << 22
_COLUMN_LIMIT = 100_000
_NUMBER_BYTES = b"0123456789.eE+-"


def read(content: Content) -> Table:
    """Return the log as columns.

    Raises
    ------
    LogError
        If no cell separates, a cell is larger than 16 MB, or there are more than 100 000 columns.
    """
    return _DelimitedReader(without_frame(content)).read()


def _line_end(data: bytes, begin: int, size: int) -> int:
    """Return the end of the last line that ends within ``size`` bytes, else of the first line."""
    end = data.rfind(b"\n", begin, begin + size) + 1
    return end or data.find(b"\n", begin) + 1 or len(data)


def _refuse_long_line(content: Content) -> None:
    """Raise if no line ends within 16 MB: such a cell would be copied a dozen times before it is found useless."""
    data = content.data
    begin = 0
    while len(data) - begin > CELL_LIMIT:
        end = max(data.rfind(b"\n", begin, begin + CELL_LIMIT), data.rfind(b"\r", begin, begin + CELL_LIMIT)) + 1
        if not end:
            line = data.count(b"\n", 0, begin) + 1
            raise LogError(
                f"a line of more than {CELL_LIMIT >> 20} MB",
                where=f"{content.path}:{line}",
                expected="expected one line per row",
                remedy="repair or remove the line",
            )
        begin = end


class _DelimitedReader:
    """Reads one log: plain blocks of numbers fast, everything else with care."""

    def __init__(self, content: Content) -> None:
        self._content = content
        _refuse_long_line(content)
        sample = sample_lines(content)
        delimiter, header = find_delimiter(sample)
        if delimiter is None:
            delimiter, header = ",", [sample[0].strip().strip('"')]
        self._delimiter = delimiter
        self._has_header = numeric_share(header) < HEADERLESS_SHARE
        if len(header) > _COLUMN_LIMIT:
            raise LogError(f"{len(header)} columns", where=content.path, expected=f"expected at most {_COLUMN_LIMIT}")
        self._header = [cell.strip() for cell in header]
        names = unique_names(header) if self._has_header else [str(n + 1) for n in range(len(header))]
        self._names = names
        usual = statistics.fmean(map(len, sample)) + 1
        rows = int(_CAPACITY * len(content.data) / usual) if len(content.data) > _CHUNK_BYTES else 0
        self._builders = [ColumnBuilder(name, rows) for name in names]
        self._decimal_comma = delimiter != "," and writes_decimal_comma(sample, delimiter)
        self._chunk_bytes = max(_CHUNK_BYTES, int(_CHUNK_ROWS * usual))
        self._has_quotes = b'"' in content.data
        self._skipped: dict[str, list[int]] = {}
        self._lines: list[range | list[int]] = []

    def read(self) -> Table:
        data = self._content.data
        if b"\r" in data:
            # A lone CR ends a line on some old systems; one kind of line end keeps the chunks simple.
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        begin, line = self._skip_header(data) if self._has_header else (0, 1)
        is_plain = self._delimiter != " " and not self._decimal_comma
        while begin < len(data):
            end = self._chunk_end(data, begin)
            chunk = data[begin:end]
            rows = self._add_numbers(chunk, line) if is_plain and chunk.endswith(b"\n") else 0
            if not rows:
                self._add_carefully(chunk, line)
            line += rows or chunk.count(b"\n")
            begin = end
        rows = self._builders[0].rows
        return Table(
            format="csv",
            columns={builder.name: builder.build(rows) for builder in self._builders},
            lines=join_lines(self._lines),
            delimiter=dict(DELIMITERS)[self._delimiter] + (" (decimal comma)" if self._decimal_comma else ""),
            has_header=self._has_header,
            notes=(*self._content.notes, *self._notes()),
            skipped={reason: tuple(lines) for reason, lines in self._skipped.items()},
        )

    def _chunk_end(self, data: bytes, begin: int) -> int:
        """Return the end of a block of whole lines; a quoted cell of several lines is not torn apart.

        A quote that is not closed within 4 MB has no partner, and the block ends where it would without it.
        """
        first = end = _line_end(data, begin, self._chunk_bytes)
        if not self._has_quotes:
            return end
        quotes = data.count(b'"', begin, end)
        while quotes % 2 and end < len(data):
            if end - first > _QUOTED_BYTES:
                return first
            after = _line_end(data, end, 1)
            quotes += data.count(b'"', end, after)
            end = after
        return end

    def _skip_header(self, data: bytes) -> tuple[int, int]:
        """Return where the first line after the header begins and its number."""
        begin, line = 0, 1
        while begin < len(data):
            end = data.find(b"\n", begin) + 1 or len(data)
            text = data[begin:end].strip()
            # Names may be quoted over several lines; the reader of the header then saw more than one line.
            while text and not text.startswith(b"#") and text.count(b'"') % 2 and end < len(data):
                end = data.find(b"\n", end) + 1 or len(data)
                line += 1
                text = data[begin:end].strip()
            begin = end
            line += 1
            if text and not text.startswith(b"#"):
                break
        return begin, line

    def _add_numbers(self, chunk: bytes, line: int) -> int:
        """Read a block that holds nothing but plain numbers in every cell; return its rows, 0 if it is no such."""
        separator = self._delimiter.encode()
        width = len(self._names)
        marks = chunk.translate(None, _NUMBER_BYTES)
        rows = len(marks) // width
        # The separators alone must be those of whole rows; then the numbers cannot have slipped into other columns.
        if marks != (separator * (width - 1) + b"\n") * rows:
            return 0
        flat = chunk[:-1].replace(b"\n", b",")
        if separator != b",":
            flat = flat.replace(separator, b",")
        numbers = parse_numbers(flat)
        if numbers is None or numbers.size != rows * width or (width == 1 and np.isnan(numbers).any()):
            return 0  # an empty line in a file of one column is no row
        for builder, column in zip(self._builders, numbers.reshape(rows, width).T, strict=True):
            builder.add_numbers(column)
        self._lines.append(range(line, line + rows))
        return rows

    def _add_carefully(self, chunk: bytes, line: int) -> None:
        """Read a block cell by cell; say why a line is left out."""
        batch: list[list[str]] = []
        lines: list[int] = []
        for row, number in self._rows(chunk, line):
            if self._keep(row, number):
                batch.append(row)
                lines.append(number)
                if len(batch) == _BATCH_ROWS:
                    self._flush(batch, lines)
                    batch, lines = [], []
        if batch:
            self._flush(batch, lines)

    def _rows(self, chunk: bytes, line: int) -> Iterator[tuple[list[str], int]]:
        """Yield the cells of each row and the number of its first line."""
        text = chunk.decode(errors="replace")
        if self._delimiter == " ":
            for number, each in enumerate(text.split("\n"), line):
                yield each.split(), number
            return
        previous = csv.field_size_limit(CELL_LIMIT)
        before = 0
        try:
            physical = text.split("\n") if '"' in text else None
            reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=self._delimiter, skipinitialspace=True)
            for row in reader:
                spanned = reader.line_num - before
                span = physical[before : reader.line_num] if physical is not None and spanned > 1 else []
                is_open = sum(each.count('"') for each in span) % 2 == 1
                if span and (is_open or len(row) != len(self._names)):
                    # A quote without its partner would swallow the rest of the log: take these lines one by one.
                    for offset, each in enumerate(span, before):
                        yield each.split(self._delimiter), line + offset
                else:
                    yield row, line + before
                before = reader.line_num
        except csv.Error as error:
            raise LogError(
                f"the line cannot be split into cells ({error})",
                where=f"{self._content.path}:{line + before}",
                expected="expected delimited text",
                remedy="repair or remove the line",
            ) from None
        finally:
            csv.field_size_limit(previous)

    def _keep(self, row: list[str], number: int) -> bool:
        """Return whether a row has the cells of the header; count it under its reason if not."""
        if not row or (len(row) == 1 and not row[0].strip()):
            return False
        if row[0].lstrip().startswith("#"):
            return False
        if len(row) == len(self._names) + 1 and not row[-1].strip():
            row.pop()  # a delimiter at the end of the line
        if len(row) != len(self._names):
            is_tail = not self._content.data.endswith((b"\n", b"\r")) and number == self._last_line
            self._skip("incomplete last line" if is_tail else "wrong number of cells", number)
            return False
        if self._content.is_cut and number == self._last_line:
            self._skip("incomplete last line", number)
            return False
        if self._has_header and row[0].strip() == self._header[0] and [cell.strip() for cell in row] == self._header:
            self._skip("repeated header", number)
            return False
        return True

    @functools.cached_property
    def _last_line(self) -> int:
        data = self._content.data
        return data.count(b"\n" if b"\n" in data else b"\r") + 1

    def _skip(self, reason: str, line: int) -> None:
        self._skipped.setdefault(reason, []).append(line)

    def _flush(self, batch: list[list[str]], lines: list[int]) -> None:
        for builder, cells in zip(self._builders, zip(*batch, strict=True), strict=True):
            builder.add_texts(cells, decimal_comma=self._decimal_comma)
        self._lines.append(lines)

    def _notes(self) -> Iterator[Caveat]:
        damaged = self._skipped.get("wrong number of cells", [])
        if damaged:
            shown = ", ".join(map(str, damaged[:10])) + (", ..." if len(damaged) > 10 else "")  # noqa: PLR2004
            message = f"line {shown} does not have the {len(self._names)} cells of the header and is left out"
            yield Caveat(code="damaged-lines", message=message, evidence={"lines": [float(n) for n in damaged]})
        if "incomplete last line" in self._skipped:
            message = "last line incomplete (file still being written?)"
            yield Caveat(code="incomplete-line", message=message, evidence={"line": self._last_line})
        elif not self._content.data.endswith((b"\n", b"\r")) and self._lines:
            message = "the last line has no line end (file still being written?); it is kept"
            yield Caveat(code="unfinished-line", message=message, evidence={"line": self._last_line})
