"""The vendor-neutral description of lossless behaviour that everything else is an arrow into or
out of.

Frozen, slotted dataclasses in base units (bytes, bit/s, nanoseconds, millimetres, parts per
million).  No I/O, no vendor's words, and nothing imported from the rest of the project.
"""
