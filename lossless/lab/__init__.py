"""The lab: stateful simulated devices on loopback.

It imports no platform, so that it can disagree with what they write and read.
"""
