"""The arithmetic of lossless Ethernet: pure functions, exact, with each step shown.

Sizes in bytes, rates in bit/s, lengths in millimetres, times in nanoseconds.  What a formula claims
is part of its answer: exact where a device computes the same, an estimate where inputs are
assumed, a floor where only physics is known.
"""
