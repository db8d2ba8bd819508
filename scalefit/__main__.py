"""Run the command line with ``python -m scalefit``."""

from scalefit.cli.main import run

if __name__ == "__main__":
    run()
