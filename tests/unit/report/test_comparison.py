import csv
import dataclasses
import io
import json

import numpy as np
import pytest

from scalefit.comparison import Comparison, Recipe, compare
from scalefit.forecast import Settings, fit_run, forecast_fit
from scalefit.report.comparison import csv as comparison_csv
from scalefit.report.comparison import json as comparison_json
from scalefit.report.comparison import markdown, table, terminal_plot
from scalefit.report.comparison.words import (
    caveats_of,
    listed,
    reason_of,
    run_caveats_of,
    show_compute,
    show_probability,
)
from scalefit.report.medium import Medium
from scalefit.run import Run
from tests.runs import draw_run

FILE = Medium(width=120, encoding="utf-8", has_colour=False, is_terminal=False)


def _recipe(name: str, run: Run, *, fraction: float = 0.5) -> Recipe:
    settings = Settings(fraction=fraction)
    fit = fit_run(dataclasses.replace(run, name=name), settings)
    return Recipe(name=name, fits=(fit,), forecasts=(forecast_fit(fit, settings),))


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    recipes = {
        "plain": draw_run(seed=1),
        "low": draw_run(seed=2, asymptote=0.5),
        "fast": draw_run(seed=3, efficiency=2.6),
        "early": draw_run(seed=4, asymptote=0.45, midpoint=300.0),
        "again": draw_run(seed=5),
        "$x|`y`": dataclasses.replace(draw_run(seed=6), unit="steps"),
    }
    return compare([_recipe(name, run) for name, run in recipes.items()], baseline="plain")


def _reasons(comparison: Comparison) -> dict[str, str]:
    return {pair.b: reason_of(pair) for pair in comparison.pairs}


def test_a_higher_ceiling_in_words(comparison: Comparison) -> None:
    sentence = _reasons(comparison)["low"]
    assert sentence.startswith("plain likely ends higher: 0.62")
    assert "probability above 0.99 if both keep to their curves" in sentence
    assert sentence.endswith("what differs moves the ceiling")


def test_who_starts_slower_overtakes_somewhere(comparison: Comparison) -> None:
    sentence = _reasons(comparison)["early"]
    assert sentence.startswith("plain starts slower and likely ends higher")
    assert "it overtakes at about 1," in sentence
    assert sentence.endswith("so early is the better choice for a smaller budget and plain for a larger one")


def test_a_difference_of_speed_in_words(comparison: Comparison) -> None:
    sentence = _reasons(comparison)["fast"]
    assert sentence.startswith("fast is faster to the same ceiling: at one asymptote of 0.619 its")
    assert sentence.endswith("what differs moves the speed, not the ceiling")


def test_no_difference_in_words(comparison: Comparison) -> None:
    assert _reasons(comparison)["again"].startswith(("no difference that counts", "what was seen is not enough"))


def test_no_comparison_in_words(comparison: Comparison) -> None:
    assert "counts compute in gpu-hours" in _reasons(comparison)["$x|`y`"]


def test_a_run_seen_whole_needs_no_condition() -> None:
    pair = compare(
        [
            _recipe("plain", draw_run(seed=1), fraction=1),
            _recipe("low", draw_run(seed=2, asymptote=0.5), fraction=1),
        ]
    ).pairs[0]
    assert reason_of(pair).startswith("plain ends higher: ")
    assert "if both keep" not in reason_of(pair)


def test_caveats_are_said_once(comparison: Comparison) -> None:
    codes = [code for code, _ in caveats_of(comparison)]
    assert codes.count("one-seed") == 1
    assert codes[-1] == "not-ranked"


def test_caveats_of_runs_are_not_lost() -> None:
    run = draw_run(seed=1)
    falling = dataclasses.replace(run, reward=np.where(run.compute > 4000, 0.2, run.reward))
    comparison = compare([_recipe("fine", draw_run(seed=3)), _recipe("fallen", falling)])
    codes = {caveat.code for caveat in comparison.recipes[1].forecasts[0].caveats}
    assert "falls-from-peak" in codes
    assert any(sentence.startswith("fallen: ") for sentence in run_caveats_of(comparison))
    assert "fallen: " in table.render_comparison(comparison, FILE)


@pytest.mark.parametrize(
    ("probability", "text"), [(0.0, "below 0.01"), (0.5, "0.50"), (0.994, "0.99"), (1, "above 0.99")]
)
def test_no_probability_is_certain(probability: float, text: str) -> None:
    assert show_probability(probability) == text


def test_compute_has_its_unit_and_its_price() -> None:
    assert show_compute(3400.0, "gpu-hours") == "3,400 GPU-hours"
    assert show_compute(3400.0, "gpu-hours", 2.5) == "3,400 GPU-hours (costs 8,500)"
    assert show_compute(3400.0, "steps") == "3,400 steps"


def test_many_names_are_cut_short() -> None:
    assert listed(["a", "b", "c"], most=2) == "a, b and 1 more"


def test_json_is_strict_and_keeps_its_keys_where_nothing_is_known(comparison: Comparison) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    document = json.loads(comparison_json.render_comparison(comparison), parse_constant=refuse)
    known, unknown = document["pairs"][0], document["pairs"][-1]
    assert list(known) == list(unknown)
    assert unknown["verdict"] == "not-comparable"
    assert document["leave_one_out"]["rows"][0]["run"] == "fast"
    assert document["unranked"] == ["$x|`y`"]


def test_csv_has_the_same_columns_for_all(comparison: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(comparison_csv.render_comparison(comparison))))
    assert len(rows) == 5
    assert all(None not in row and None not in row.values() for row in rows)


def test_markdown_escapes_names(comparison: Comparison) -> None:
    assert r"$x\|\`y\`" in markdown.render_comparison(comparison)


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_nothing_is_wider_than_the_medium(comparison: Comparison, width: int) -> None:
    text = table.render_comparison(comparison, dataclasses.replace(FILE, width=width), price=2.0)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text


def test_a_plain_terminal_gets_letters(comparison: Comparison) -> None:
    text = terminal_plot.draw_comparison(comparison, dataclasses.replace(FILE, width=60, encoding="ascii"))
    assert text.isascii()
    assert "*: " in text
    assert "dotted: 0.9 band" in text


def test_a_terminal_with_colours_gets_dots(comparison: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = terminal_plot.draw_comparison(comparison, dataclasses.replace(FILE, has_colour=True, is_terminal=True))
    assert "\x1b[" in text
    assert "green: " in text
