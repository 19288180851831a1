"""Following one packet through the fabric, hop by hop."""

from lossless.trace.walk import Passage, Trace, Traffic, trace

__all__ = ["Passage", "Trace", "Traffic", "trace"]
