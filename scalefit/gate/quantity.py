"""Numbers inside of sentences."""


def number(value: float) -> str:
    """Return a reward in as few digits as tell it: 0.6, 0.0312, -180.

    Parameters
    ----------
    value
        Reward units.
    """
    return f"{value:.3g}"


def amount(value: float) -> str:
    """Return an amount of compute: 16,000, 0.25, 1.5e+12.

    Parameters
    ----------
    value
        Unit of the run, >= 0.
    """
    readable = 1e7
    return f"{value:,.0f}" if 100 <= value < readable else f"{value:.3g}"  # noqa: PLR2004 three digits
