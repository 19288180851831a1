"""What is known about operating systems, NICs and chips: data files with sources, and lookup.

`FORMAT.md` beside this file describes the data; `profile_for` is what the rest of the project
asks.
"""

from lossless.hardware.asics import (
    Asic,
    Model,
    asic,
    asic_names,
    asic_of,
    find_model,
    model_known,
    model_names,
)
from lossless.hardware.datafile import HardwareDataError
from lossless.hardware.lookup import (
    Description,
    FactRow,
    describe,
    platform_names,
    profile_for,
)
from lossless.hardware.skus import HeadroomTable, headroom_table

__all__ = [
    "Asic",
    "Description",
    "FactRow",
    "HardwareDataError",
    "HeadroomTable",
    "Model",
    "asic",
    "asic_names",
    "asic_of",
    "describe",
    "find_model",
    "headroom_table",
    "model_known",
    "model_names",
    "platform_names",
    "profile_for",
]
