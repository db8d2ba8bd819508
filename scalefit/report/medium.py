"""The place that a report is written to."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """What the place that a report is written to can show."""

    width: int
    """Columns, at least 20."""
    encoding: str
    """Name of the codec that the text will be written with."""
    has_colour: bool
    """Whether escape sequences are understood and wanted."""
    is_terminal: bool
    """Whether a person is looking."""

    def can_show(self, text: str) -> bool:
        """Return whether every character of ``text`` exists in the encoding.

        Parameters
        ----------
        text
            Any text.
        """
        try:
            text.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def spell(self, text: str) -> str:
        """Return ``text`` in characters of the encoding, the others escaped: before layout, as escapes are wider.

        Parameters
        ----------
        text
            Text that somebody else wrote.
        """
        codec = self.encoding if self.can_show("") else "ascii"
        return text.encode(codec, errors="backslashreplace").decode(codec)


def printable(text: str) -> str:
    """Return ``text`` with control characters escaped: a name from a log must not drive the terminal.

    Parameters
    ----------
    text
        Text that somebody else wrote, e.g. a run's name or a column's.
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
