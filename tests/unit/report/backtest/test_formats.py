import csv
import dataclasses
import io
import json

import pytest

from scalefit.report.backtest import csv as csv_report
from scalefit.report.backtest import json as json_report
from scalefit.report.backtest import markdown, picture, table, terminal_plot
from scalefit.report.backtest.study import Study
from scalefit.report.medium import Medium
from tests.backtests import make_refusal, make_score, make_study

SUMMARY_KEYS = {
    "fraction", "runs", "refused", "mean_absolute_error", "median_absolute_error", "p90_absolute_error", "coverage",
    "coverage_robust", "mean_width", "mean_width_robust", "interval_score", "interval_score_robust",
    "mean_baseline_error", "median_baseline_error",
}  # fmt: skip
OUTCOME_KEYS = {
    "points", "observed", "error", "robust_error", "covered", "covered_robust", "low", "high", "robust_low",
    "robust_high", "baseline_error", "points_covered",
}  # fmt: skip


def _medium(width: int = 80, encoding: str = "utf-8", *, has_colour: bool = False) -> Medium:
    return Medium(width=width, encoding=encoding, has_colour=has_colour, is_terminal=True)


def _study(count: int = 3) -> Study:
    scores = []
    for place in range(count):
        name = f"runs/läuft-{place}.csv"
        scores += [make_refusal(name, 0.1), make_score(name, 0.25, robust_error=0.01 * place)]
        scores += [make_score(name, 0.5, robust_error=-0.3, covered_robust=False)]
    return make_study(scores, scores)


def test_json_holds_what_programs_rely_on() -> None:
    document = json.loads(json_report.render_study(_study()), parse_constant=pytest.fail)
    assert document["schema"] == "scalefit.backtest/1"
    assert [(run["law"], run["fraction"]) for run in document["runs"]] == [
        (law, fraction) for law in ("sigmoid", "exponential") for _ in range(3) for fraction in (0.25, 0.5)
    ]
    assert all(run.keys() >= OUTCOME_KEYS | {"run", "fraction"} for run in document["runs"])
    assert [summary["fraction"] for summary in document["summary"]] == [0.1, 0.25, 0.5]
    assert all(summary.keys() >= SUMMARY_KEYS for summary in document["summary"])
    none, quarter, half = document["summary"]
    assert none["refused"] == {f"runs/läuft-{place}.csv": "2 usable points" for place in range(3)}
    assert (none["runs"], none["coverage"]) == (0, None)
    assert quarter["mean_absolute_error_robust"] == pytest.approx(0.01)
    assert half["coverage_robust"] == 0
    assert document["laws"]["sigmoid"] == document["summary"]
    assert list(document["laws"]) == ["sigmoid", "exponential"]
    assert [entry["law"] for entry in document["law_ranking"]] == ["sigmoid", "exponential"]
    assert [source["run"] for source in document["sources"]] == [f"runs/läuft-{place}.csv" for place in range(3)]
    assert document["calibration"] is None


def test_json_names_the_calibration_used() -> None:
    study = _study()
    own = dataclasses.replace(study.calibration, origin="own.yaml", runs=24, band_factor=1.5)
    document = json.loads(json_report.render_study(dataclasses.replace(study, calibration=own)))
    assert document["calibration"] == {"origin": "own.yaml", "runs": 24, "band_factor": 1.5}


def test_csv_has_a_row_for_each_forecast_and_each_refusal() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_report.render_study(_study()))))
    assert len(rows) == 2 * 3 * 3
    refused, scored = rows[0], rows[1]
    assert (refused["refusal"], refused["observed"], refused["covered"]) == ("2 usable points", "", "")
    assert (scored["refusal"], scored["observed"], scored["covered"]) == ("", "0.5", "true")
    assert float(scored["interval_score_robust"]) == pytest.approx(0.3)


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_table_fits_any_width(width: int, encoding: str) -> None:
    text = table.render_study(_study(), _medium(width, encoding), draw=terminal_plot.draw_study)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    text.encode(encoding)


def test_a_table_begins_with_words_and_names_what_was_not_scored() -> None:
    text = table.render_study(_study(), _medium())
    assert text.startswith("  At 0.25 of the run seen, and at no other share tried, a forecast is worth more")
    assert "none could be scored" in text
    assert "  runs/läuft-0.csv at 0.1: 2 usable points\n" in text
    assert "runs/läuft-2.csv            0.02 high  0.30 low *" in text
    assert "3 run(s): reward against gpu_hours (gpu-hours)" in text


def test_of_many_runs_the_worst_are_shown() -> None:
    study = make_study([make_score(f"{place}.csv", 0.25, robust_error=0.001 * place) for place in range(100)])
    text = table.render_study(study, _medium())
    assert "the 10 of 100 runs that it missed by most" in text
    assert "  99.csv" in text
    assert "  90.csv" in text
    assert "  89.csv" not in text


def test_of_many_refusals_the_rest_are_counted() -> None:
    scores = [make_refusal(f"{place}.csv", 0.25) for place in range(30)]
    text = table.render_study(make_study([make_score("good.csv", 0.25), *scores]), _medium())
    assert text.count("2 usable points") == 20
    assert "and 10 more" in text


def test_one_share_is_not_drawn() -> None:
    study = make_study([make_score(fraction=0.25)])
    assert "log axis" not in table.render_study(study, _medium(), draw=terminal_plot.draw_study)


def test_letters_tell_lines_apart_without_colours() -> None:
    drawn = terminal_plot.draw_study(_study(), _medium())
    canvas = "\n".join(drawn.splitlines()[:-4])
    assert all(letter in canvas for letter in "enwh-")
    assert "e: error" in drawn


def test_colours_tell_lines_apart_where_there_are_some() -> None:
    drawn = terminal_plot.draw_study(_study(), _medium(has_colour=True))
    assert "green: error" in drawn
    assert any("\u2801" <= character <= "\u28ff" for character in drawn)


def test_a_width_beyond_all_bounds_does_not_flatten_the_rest() -> None:
    scores = [make_score("a", share, robust_high=high, robust_low=0.0) for share, high in ((0.1, 90.0), (0.25, 1.0))]
    drawn = terminal_plot.draw_study(make_study(scores), _medium())
    assert float(drawn.split()[0]) <= terminal_plot.LARGEST * 1.04


def test_markdown_escapes_names_and_lists_refusals() -> None:
    scores = [make_refusal("a|b", 0.1), make_score("a|b", 0.25, robust_error=-0.3, covered_robust=False)]
    lines = markdown.render_study(make_study(scores)).splitlines()
    assert r"| a\|b |  | 0.30 low \* |" in lines
    assert r"- a\|b at 0.1 not scored: 2 usable points" in lines


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".html"])
def test_a_picture_is_the_same_bytes_twice(ending: str) -> None:
    one, two = (picture.render_picture(_study(), ending) for _ in range(2))
    assert one == two
    assert one.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".html": b"<!DOCTYPE"}[ending])


@pytest.mark.slow
def test_a_picture_shows_error_width_and_coverage() -> None:
    text = picture.render_picture(_study(), ".svg").decode()
    for title in ("mean error", "mean width of the band", "share of runs that end inside", "exponential alone"):
        assert title in text
