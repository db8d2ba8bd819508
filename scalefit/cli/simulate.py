"""``scalefit simulate``: write a log drawn from a given curve and noise."""

from scalefit.cli import options
from scalefit.cli.options import LogFormat, Spacing
from scalefit.cli.output import open_destination


def simulate(
    asymptote: options.Asymptote = 0.62,
    efficiency: options.Efficiency = 1.6,
    midpoint: options.Midpoint = 250.0,
    start: options.TrueStart = 0.1,
    noise_sd: options.NoiseSd = 0.01,
    autocorrelation: options.Autocorrelation = 0.0,
    points: options.Points = 400,
    budget: options.TotalCompute = 16_000.0,
    spacing: options.RowSpacing = Spacing.LINEAR,
    seed: options.Seed = 0,
    format_: options.WrittenLog = LogFormat.CSV,
    output: options.Output = None,
) -> None:
    """Write a log drawn from a given curve and noise, for planning and for tests."""
    from scalefit.model.simulation import Truth, draw_rewards, spread_compute
    from scalefit.report.log import WRITERS

    truth = Truth(
        asymptote=asymptote,
        efficiency=efficiency,
        midpoint=midpoint,
        start=start,
        noise_sd=noise_sd,
        autocorrelation=autocorrelation,
    )
    compute = spread_compute(points=points, budget=budget, spacing=spacing.value)
    with open_destination(output) as destination:
        destination.write(WRITERS[format_.value](compute, draw_rewards(truth, compute, seed=seed)))
