"""The errors a user can cause, each with its evidence.

Three kinds of bad news are never mixed: an *error* (there is no number: an exception of this module), a *caveat*
(read the number with care: a value on the result) and a *verdict* (the judgement of a policy: an exit code).
"""


class ScalefitError(Exception):
    """Something that the user can mend.

    Parameters
    ----------
    problem
        What is wrong, with the value seen.
    where
        The file, ``file:line``, option or key that it is about; None if there is no such place.
    expected
        What was expected instead.
    remedy
        What to do.
    evidence
        Further facts, kept as attributes for programs.
    """

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        expected: str | None = None,
        remedy: str | None = None,
        **evidence: object,
    ) -> None:
        self.problem = problem
        self.where = where
        self.expected = expected
        self.remedy = remedy
        self.evidence = evidence
        super().__init__(str(self))

    def __str__(self) -> str:
        """Return ``WHERE: what is wrong; what was expected; what to do`` on one line."""
        sentence = "; ".join(part for part in (self.problem, self.expected, self.remedy) if part)
        line = f"{self.where}: {sentence}" if self.where else sentence
        return " ".join(line.split())


class UsageError(ScalefitError):
    """An option or an argument that cannot be meant."""


class LogError(ScalefitError):
    """A log that cannot be read, or cannot be read in only one way."""


class NotEnoughDataError(ScalefitError):
    """A log that was read, but holds too few points in the window for any forecast."""
