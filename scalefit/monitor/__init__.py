"""Is an ongoing run on track, has it collapsed: tests that may be looked at as often as one likes."""

from scalefit.monitor.collapse import Fall, measure_fall
from scalefit.monitor.track import Track, follow_reference

__all__ = ["Fall", "Track", "follow_reference", "measure_fall"]
