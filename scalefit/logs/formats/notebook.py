"""Jupyter notebooks: the progress table of a trainer (HTML) or its printed dicts, as the cells kept them."""

import dataclasses
import html
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.column_builder import ColumnBuilder
from scalefit.logs.content import Content
from scalefit.logs.formats import printed_dicts
from scalefit.logs.formats.json_lines import decode
from scalefit.logs.table import Table, unique_names

_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL | re.IGNORECASE)
_TABLE = re.compile(r"<table[^>]*>(.*?)</table>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_MINIMUM_ROWS = 2


def recognises(content: Content) -> bool:
    """Return whether the text is a notebook."""
    head = content.head.lstrip()
    if not head.startswith(b"{") or content.data.find(b'"cells"') < 0 or content.data.find(b'"nbformat"') < 0:
        return False
    document = decode(content.data)
    return isinstance(document, dict) and isinstance(document.get("cells"), list)


def read(content: Content) -> Table:
    """Return the largest HTML table of the outputs as columns, else the dicts printed there.

    Raises
    ------
    LogError
        If the outputs hold neither.
    """
    document = decode(content.data)
    outputs = list(_outputs(document)) if isinstance(document, dict) else []
    tables = [table for _, markup in outputs for table in _tables(markup)]
    if tables:
        return _make_table(content, max(tables, key=len))
    printed = dataclasses.replace(content, data="\n".join(text for text, _ in outputs).encode())
    if printed_dicts.recognises(printed):
        return dataclasses.replace(printed_dicts.read(printed), format="notebook", place="output line")
    raise LogError(
        "a notebook without a table of metrics in its outputs",
        where=content.path,
        expected="expected a trainer's progress table or printed metrics",
        remedy="run it, or name the log that the trainer wrote",
    )


def _outputs(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the text and the HTML of each output."""
    for cell in document["cells"]:
        outputs = cell.get("outputs") if isinstance(cell, dict) else None
        for output in outputs if isinstance(outputs, list) else ():
            if isinstance(output, dict):
                data = output.get("data")
                markup = data.get("text/html") if isinstance(data, dict) else None
                yield _joined(output.get("text")), _joined(markup)


def _joined(text: object) -> str:
    """Return a notebook's multi-line text as one."""
    if isinstance(text, list):
        return "".join(part for part in text if isinstance(part, str))
    return text if isinstance(text, str) else ""


def _tables(markup: str) -> Iterator[list[list[str]]]:
    for table in _TABLE.finditer(markup):
        rows = [
            [html.unescape(_TAG.sub("", cell)).strip() for cell in _CELL.findall(row)] for row in _ROW.findall(table[1])
        ]
        rows = [row for row in rows if row]
        if len(rows) > _MINIMUM_ROWS:
            yield rows


def _make_table(content: Content, rows: list[list[str]]) -> Table:
    names = unique_names(rows[0])
    whole = [number for number, row in enumerate(rows[1:], 1) if len(row) == len(names)]
    broken = tuple(number for number, row in enumerate(rows[1:], 1) if len(row) != len(names))
    columns = {}
    for place, name in enumerate(names):
        builder = ColumnBuilder(name)
        builder.add_texts([rows[number][place] for number in whole])
        columns[name] = builder.build(len(whole))
    return Table(
        format="notebook",
        columns=columns,
        lines=np.array(whole, dtype=np.int64),
        place="table row",
        notes=content.notes,
        skipped={"wrong number of cells": broken} if broken else {},
    )
