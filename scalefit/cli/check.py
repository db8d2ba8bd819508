"""``scalefit check``: hold ongoing runs against a policy; the exit code is the verdict."""

import enum
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from scalefit.cli import options, values
from scalefit.cli.output import Destination, open_destination, say, warn
from scalefit.errors import UsageError

if TYPE_CHECKING:
    from scalefit.gate import State, Verdict

UNUSABLE = 2
"""Exit status when a run could not be used, whatever became of the others."""
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Names the file that GitHub shows as the summary of a step."""
POLICY = "Policy"


class CheckFormat(enum.StrEnum):
    """How a verdict is written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    GITHUB = "github"


Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Policy file; without it scalefit.yaml, if the working folder has one.",
        rich_help_panel=POLICY,
    ),
]
MinAsymptote: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--min-asymptote",
        metavar="R",
        parser=values.parse_number,
        help="A gate: the asymptote is at least R (with --minimize at most).",
        rich_help_panel=POLICY,
    ),
]
MinFinal: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--min-final",
        metavar="R",
        parser=values.parse_number,
        help="A gate: the reward at the budget is at least R (with --minimize at most).",
        rich_help_panel=POLICY,
    ),
]
Reference: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--reference",
        metavar="RUN",
        help="A gate: the run is no worse than this one, looked at as often as you like.",
        rich_help_panel=POLICY,
    ),
]
Explain: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--explain", metavar="", help="Say what each gate will do, and judge nothing.", rich_help_panel=POLICY
    ),
]
PolicyLevel: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--level",
        metavar="P",
        parser=values.parse_number,
        help="Probability of the intervals, between 0 and 1; without it the policy's, or 0.9.",
        rich_help_panel=options.FITTING,
    ),
]
VerdictFormat: TypeAlias = Annotated[
    CheckFormat, typer.Option("--format", help="How the verdict is written.", rich_help_panel=options.OUTPUT)
]


def check(
    runs: options.Runs,
    config: Config = None,
    min_asymptote: MinAsymptote = None,
    min_final: MinFinal = None,
    reference: Reference = None,
    explain: Explain = False,
    x: options.ComputeColumn = None,
    y: options.RewardColumn = None,
    where: options.Where = None,
    series: options.Series = None,
    gpus: options.Gpus = None,
    gpu_hours_per_step: options.GpuHoursPerStep = None,
    max_gap: options.MaxGap = None,
    minimize: options.Minimize = False,
    skip_until: options.SkipUntil = 0.0,
    fraction: options.Fraction = 1.0,
    budget: options.Budget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: options.Law = "sigmoid",
    level: PolicyLevel = None,
    calibration: options.Calibration = None,
    format_: VerdictFormat = CheckFormat.TABLE,
    output: options.Output = None,
    plot: options.Plot = None,
    jobs: options.Jobs = None,
) -> None:
    """Hold ongoing runs against a policy: exit code 0 passes, 1 fails, 3 is not clear yet."""
    settings = values.settings(
        fraction=fraction,
        budget=budget,
        skip_until=skip_until,
        reward_range=reward_range,
        minimize=minimize,
        start=start,
        law=law,
        level=0.9 if level is None else level,
        calibration=calibration,
    )
    reading = values.read_options(
        x=x,
        y=y,
        where=where,
        series=series,
        gpus=gpus,
        gpu_hours_per_step=gpu_hours_per_step,
        max_gap=max_gap,
        minimize=minimize,
    )
    from scalefit.cli.checking import check_logs, find_policy, require_policy
    from scalefit.cli.pictures import open_picture
    from scalefit.gate import Verdict

    book = require_policy(
        find_policy(
            config=config, min_asymptote=min_asymptote, min_final=min_final, reference=reference, minimize=minimize
        ),
        "check",
    )
    with open_destination(output, runs) as destination, open_picture(plot, runs) as write_picture:
        if explain:
            from scalefit.logs import expand_arguments
            from scalefit.report.verdict.explanation import render_policies

            policies = {
                spec.label: book.policy_for(spec.label, spec.path, budget=budget, level=level)
                for spec in expand_arguments(runs)
            }
            destination.write(render_policies(policies, destination.medium(), source=book.where))
            return
        verdicts, failures = check_logs(runs, book, reading, settings, level=level, jobs=jobs)
        for failure in failures:
            say("error", str(failure))
        if not verdicts:
            # Leaves through the destinations, so that none of them keeps an empty file.
            raise typer.Exit(UNUSABLE)
        verdict = Verdict(runs=tuple(verdicts))
        destination.write(render(verdict, destination, format_, book.where))
        write_picture([run.forecast for run in verdicts if run.forecast is not None])
    if format_ is CheckFormat.GITHUB:
        write_summary(verdict)
    if format_ is not CheckFormat.TABLE:
        for run in verdicts:
            for caveat in run.forecast.caveats if run.forecast is not None else ():
                warn(f"{run.run}: {caveat.message}")
    raise typer.Exit(UNUSABLE if failures else exit_code(verdict.state))


def exit_code(state: "State") -> int:
    """Return the exit code of a state.

    Parameters
    ----------
    state
        What became of all runs.
    """
    return {"pass": 0, "fail": 1, "inconclusive": 3}[state.value]


def render(verdict: "Verdict", destination: Destination, format_: CheckFormat, policy: str) -> str:
    """Return the verdict in the format asked for.

    Parameters
    ----------
    verdict
        All runs; at least one.
    destination
        Where it goes.
    format_
        How it is written.
    policy
        Where the policy was found.
    """
    if format_ is CheckFormat.JSON:
        from scalefit.report.verdict import json

        return json.render_verdict(verdict)
    if format_ is CheckFormat.MARKDOWN:
        from scalefit.report.verdict import markdown

        return markdown.render_verdict(verdict)
    if format_ is CheckFormat.JUNIT:
        from scalefit.report.verdict import junit

        return junit.render_verdict(verdict)
    if format_ is CheckFormat.GITHUB:
        from scalefit.report.verdict import github

        return github.render_verdict(verdict)
    from scalefit.report.verdict import table

    return table.render_verdict(verdict, destination.medium(), policy=policy)


def write_summary(verdict: "Verdict") -> None:
    """Add the verdict to the summary of the step, if a workflow of GitHub Actions is what runs this.

    Parameters
    ----------
    verdict
        All runs.

    Raises
    ------
    UsageError
        If the file that the workflow names cannot be written.
    """
    path = os.environ.get(STEP_SUMMARY)
    if not path:
        return
    from scalefit.report.verdict import markdown

    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(markdown.render_verdict(verdict))
    except OSError as error:
        raise UsageError(
            f"cannot be written ({(error.strerror or str(error)).lower()})",
            where=path,
            expected=f"expected the file that {STEP_SUMMARY} names",
        ) from error
