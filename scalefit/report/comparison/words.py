"""What a person would say of two recipes: who wins, by what, how sure that is, and from which compute on."""

from scalefit.comparison import Comparison, Incomparable, PairComparison, Verdict
from scalefit.comparison.pair import REACHED_SHARE, RewardDifference
from scalefit.comparison.recipe import RUN_SPREAD
from scalefit.report.figures import decimals_for, show, show_amount, show_interval, width_of

LIKELY_BELOW = 0.99
"""Probability below which a winner is called likely, not certain."""
SAID_ALREADY = {"asymptote-not-identified", "before-midpoint", "own-calibration"}
"""Caveats of single runs that the comparison says itself, of all runs at once."""
CLEAR = 0.9
"""Probability from which a lead at a budget is worth a word."""


def verdict_of(pair: PairComparison | Incomparable) -> str:
    """Return the verdict's word.

    Parameters
    ----------
    pair
        Two recipes.
    """
    return str(Verdict.NOT_COMPARABLE if isinstance(pair, Incomparable) else pair.verdict)


def reason_of(pair: PairComparison | Incomparable, *, price: float | None = None) -> str:
    """Return why the verdict is what it is, in one sentence.

    Parameters
    ----------
    pair
        Two recipes.
    price
        Of a GPU-hour; None: no money.
    """
    if isinstance(pair, Incomparable):
        return pair.reason
    if pair.verdict in {Verdict.A_HIGHER_CEILING, Verdict.B_HIGHER_CEILING}:
        return _higher(pair, price)
    if pair.verdict in {Verdict.A_MORE_EFFICIENT, Verdict.B_MORE_EFFICIENT}:
        return _faster(pair)
    return _no_difference(pair)


def show_probability(probability: float) -> str:
    """Return a probability without claiming certainty.

    Parameters
    ----------
    probability
        In [0, 1].
    """
    if probability > 0.995:  # noqa: PLR2004 would be rounded to 1
        return "above 0.99"
    return "below 0.01" if probability < 0.005 else f"{probability:.2f}"  # noqa: PLR2004 would be rounded to 0


def show_compute(compute: float, unit: str, price: float | None = None) -> str:
    """Return compute with its unit and, where there is a price, what it costs.

    Parameters
    ----------
    compute
        Unit of the runs.
    unit
        Its name.
    price
        Of a GPU-hour; None: no money.
    """
    text = f"{show_amount(compute)} {'GPU-hours' if unit == 'gpu-hours' else unit}"
    return text if price is None else f"{text} (costs {show_amount(compute * price)})"


def caveats_of(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return what is not known, as code and sentence.

    Parameters
    ----------
    comparison
        The comparison.
    """
    caveats = []
    single = [recipe.name for recipe in comparison.recipes if len(recipe.fits) == 1]
    if single:
        whose = "each recipe" if len(single) == len(comparison.recipes) else listed(single)
        message = (
            f"one run of {whose}: how much another seed would differ is not known; the published spread of repeated "
            f"runs is used (standard deviation {RUN_SPREAD:g} of the range)"
        )
        caveats.append(("one-seed", message))
    shorter = _shorter(comparison)
    for recipe in [recipe for recipe in comparison.recipes if recipe.name in shorter][:6]:
        end = show_compute(recipe.last, recipe.unit)
        caveats.append(("extrapolated", f"the log of {recipe.name} ends at {end}: beyond it its curve is extrapolated"))
    if any(isinstance(pair, PairComparison) and pair.is_forecast for pair in comparison.pairs):
        message = (
            "rewards are compared on the curves, as runs of one study mostly leave theirs alike; each run by itself "
            "may well leave its own (see scalefit predict)"
        )
        caveats.append(("on-their-curves", message))
    unknown = [recipe.name for recipe in comparison.recipes if not recipe.is_identified]
    if unknown:
        caveats.append(
            (
                "asymptote-not-identified",
                f"the ceiling of {listed(unknown)} is not known yet: what stands for it is what fits so far",
            )
        )
    own = next(
        (
            caveat
            for recipe in comparison.recipes
            for forecast in recipe.forecasts
            for caveat in forecast.caveats
            if caveat.code == "own-calibration"
        ),
        None,
    )
    if own is not None:
        caveats.append((own.code, own.message))
    if comparison.unranked:
        caveats.append(("not-ranked", f"not comparable with the others, so not ranked: {listed(comparison.unranked)}"))
    return tuple(caveats)


def run_caveats_of(comparison: Comparison) -> tuple[str, ...]:
    """Return what is to be known of single runs, each kind of caveat once.

    Parameters
    ----------
    comparison
        The comparison.
    """
    concerned: dict[str, dict[str, str]] = {}
    for recipe in comparison.recipes:
        for forecast in recipe.forecasts:
            for caveat in forecast.caveats:
                if caveat.code not in SAID_ALREADY:
                    concerned.setdefault(caveat.code, {})[forecast.run.name] = caveat.message
    return tuple(
        f"{next(iter(remarks))}: {next(iter(remarks.values()))}"
        if len(remarks) == 1
        else f"{code}: {listed(list(remarks), most=12)}"
        for code, remarks in concerned.items()
    )


def listed(names: list[str] | tuple[str, ...], most: int = 6) -> str:
    """Return names in a row, the first few of many.

    Parameters
    ----------
    names
        The names.
    most
        How many are named.
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _shorter(comparison: Comparison) -> set[str]:
    names: list[str] = []
    for pair in comparison.pairs:
        if isinstance(pair, PairComparison):
            for place in (pair.at_budget, *pair.at):
                names += [pair.a] * place.a_is_extrapolated + [pair.b] * place.b_is_extrapolated
    return set(names)


def _decimals(pair: PairComparison) -> int:
    """Return the decimals that show the difference of the ceilings, and no more than the better known one allows."""
    gap = abs(pair.asymptote.difference.estimate or 0.0)
    known = min((width for width in map(width_of, pair.asymptotes) if width), default=None)
    allowed = decimals_for(known, pair.asymptotes[0].estimate)
    return max(min(decimals_for(gap, None), allowed), allowed - 1) if gap else allowed


def _ceilings(pair: PairComparison, order: tuple[int, int]) -> tuple[str, str]:
    decimals = _decimals(pair)
    first, second = (show(pair.asymptotes[place].estimate, decimals) for place in order)
    return first, second


def _higher(pair: PairComparison, price: float | None) -> str:
    a_wins = pair.verdict is Verdict.A_HIGHER_CEILING
    winner, loser = (pair.a, pair.b) if a_wins else (pair.b, pair.a)
    order = (0, 1) if a_wins else (1, 0)
    a_is_higher = pair.asymptote.probability_a_higher
    probability = max(a_is_higher, 1 - a_is_higher)
    ends = "ends lower" if pair.minimize else "ends higher"
    if probability < LIKELY_BELOW or pair.is_forecast or not all(pair.are_identified):
        ends = f"likely {ends}"
    one, other = _ceilings(pair, order)
    numbers = f"{one} against {other}, probability {show_probability(probability)}"
    if pair.is_forecast:
        numbers += " if both keep to their curves"
    crossing = pair.crossing
    overtakes = (
        crossing.probability > 0.5  # noqa: PLR2004 more probable than not
        and crossing.early_leader_is_a is not a_wins
        and crossing.compute.estimate is not None
    )
    if overtakes and crossing.compute.estimate is not None:
        where = show_compute(_rough(crossing.compute.estimate), pair.unit, price)
        interval = show_interval(_rough(crossing.compute.low), _rough(crossing.compute.high))
        sentence = (
            f"{winner} starts slower and {ends}: {numbers}; it overtakes at about {where} ({interval}), "
            f"so {loser} is the better choice for a smaller budget and {winner} for a larger one"
        )
    else:
        sentence = f"{winner} {ends}: {numbers}; what differs moves the {_limit(pair)}"
    return sentence + _unknown(pair)


def _faster(pair: PairComparison) -> str:
    a_wins = pair.verdict is Verdict.A_MORE_EFFICIENT
    winner, loser = (pair.a, pair.b) if a_wins else (pair.b, pair.a)
    order = (0, 1) if a_wins else (1, 0)
    a_is_steeper = pair.efficiency.probability_a_higher
    probability = a_is_steeper if a_wins else 1 - a_is_steeper
    one, other = (show(pair.efficiencies[place].estimate, 2) for place in order)
    ceiling = show(pair.shared_asymptote)
    speed = ""
    if pair.speed is not None and pair.speed.ratio.estimate is not None:
        ratio = pair.speed.ratio.estimate if a_wins else 1 / pair.speed.ratio.estimate
        speed = f"; to gain {REACHED_SHARE:g} of the way there it needs {show(ratio, 2)} times the compute of {loser}"
    crossing = pair.crossing
    is_likely = crossing.probability > 0.5  # noqa: PLR2004 more probable than not
    late = is_likely and crossing.early_leader_is_a is not a_wins
    if late and crossing.compute.estimate is not None:
        speed += f", though {loser} leads up to about {show_compute(_rough(crossing.compute.estimate), pair.unit)}"
    if all(pair.are_identified):
        return (
            f"{winner} is faster to the same {_limit(pair)}: at one asymptote of {ceiling} its efficiency is {one} "
            f"against {other}, probability {show_probability(probability)}{speed}; what differs moves the speed, not "
            f"the {_limit(pair)}"
        )
    return (
        f"nothing shows a difference in the {_limit(pair)} ({_lean(pair)}), but one in speed: at one asymptote of "
        f"{ceiling} the efficiency of {winner} is {one} against {other} of {loser}, probability "
        f"{show_probability(probability)}{speed}"
    )


def _no_difference(pair: PairComparison) -> str:
    gap = pair.asymptote.difference
    is_tie = gap.low is not None and gap.high is not None and max(-gap.low, gap.high) <= 3 * pair.tie
    if is_tie and all(pair.are_identified):
        one, other = _ceilings(pair, (0, 1))
        start = (
            f"no difference that counts: the {_limit(pair)}s are {one} and {other}, efficiencies at one asymptote "
            f"{show(pair.efficiencies[0].estimate, 2)} and {show(pair.efficiencies[1].estimate, 2)}"
        )
    else:
        start = f"what was seen is not enough to tell the {_limit(pair)}s apart ({_lean(pair)})"
        speed = pair.efficiency.probability_a_higher
        if pair.shared_asymptote is not None and max(speed, 1 - speed) >= CLEAR:
            faster = pair.a if speed > 0.5 else pair.b  # noqa: PLR2004 the more probable of two
            chance = show_probability(max(speed, 1 - speed))
            start += f"; if they are one, {faster} is more efficient with probability {chance}"
    return start + _lead(pair, pair.at_budget)


def _lean(pair: PairComparison) -> str:
    probability = pair.asymptote.probability_a_higher
    one, other = (
        show_interval(each.low, each.high, decimals_for(width_of(each), each.estimate)) for each in pair.asymptotes
    )
    higher, value = (pair.a, probability) if probability >= 0.5 else (pair.b, 1 - probability)  # noqa: PLR2004
    return f"{one} and {other}; {higher} is higher with probability {show_probability(value)}"


def _lead(pair: PairComparison, place: RewardDifference) -> str:
    probability = place.probability_a_higher
    if max(probability, 1 - probability) < CLEAR:
        return ""
    leader = pair.a if (probability > 0.5) is not pair.minimize else pair.b  # noqa: PLR2004
    return (
        f"; at {show_compute(place.compute, pair.unit)} {leader} is ahead with probability "
        f"{show_probability(max(probability, 1 - probability))}"
    )


def _unknown(pair: PairComparison) -> str:
    names = [name for name, known in zip((pair.a, pair.b), pair.are_identified, strict=True) if not known]
    return f"; the {_limit(pair)} of {' and of '.join(names)} is not known well yet" if names else ""


def _limit(pair: PairComparison) -> str:
    return "floor" if pair.minimize else "ceiling"


def _rough(compute: float | None) -> float:
    """Return a compute to three digits, whole if it can be: "about 3,450" claims no more."""
    return float(f"{compute or 0.0:.3g}")
