"""A back-test as Markdown, for a pull request or a lab book."""

from scalefit.report.backtest.study import Study
from scalefit.report.backtest.table import HEADER, rows_of
from scalefit.report.backtest.words import miss_of, refusals_of, remarks_on, show_share, summarise_study
from scalefit.report.markdown import escape, row_of


def render_study(study: Study) -> str:
    """Return the words, a table of the shares seen, one of the laws, one of the runs, and what could not be scored.

    Parameters
    ----------
    study
        At least one run scored at one share seen.
    """
    lines = [escape(" ".join(summarise_study(study))), ""]
    header = ("seen", "runs", "forecast", *HEADER)
    lines += [row_of(header), row_of(["---"] * len(header))]
    for summary in study.first.summaries:
        rows = rows_of(summary) if summary.runs else ()
        lines += [row_of([f"{summary.fraction:g}", str(summary.runs), name, *cells]) for name, cells in rows]
    if study.standings:
        laws = ("law", "error", "behind the best", "standard error", "nearest in")
        lines += ["", row_of(laws), row_of(["---"] * len(laws))]
        for standing in study.standings:
            numbers = map(show_share, (standing.mean_absolute_error, standing.behind, standing.behind_sd))
            lines.append(row_of([standing.law, *numbers, f"{standing.nearest} of {standing.prefixes}"]))
    shares = [f"{fraction:g} seen" for fraction in study.fractions]
    lines += ["", row_of(["run", *shares]), row_of(["---"] * (1 + len(shares)))]
    for name, scores in study.by_run():
        lines.append(row_of([escape(name), *(escape(miss_of(score)) for score in scores)]))
    remarks = [
        f"{name} at {', '.join(f'{fraction:g}' for fraction in fractions)} not scored: {reason}"
        for (name, reason), fractions in refusals_of(study).items()
    ]
    remarks += remarks_on(study)
    if remarks:
        lines += ["", *(f"- {escape(remark)}" for remark in remarks)]
    return "\n".join(lines) + "\n"
