"""From a validated declaration to a `Fabric`: layers, refinement, cabling, provenance."""

from lossless.intent.build import Built, build, expand_links
from lossless.intent.cabling import Cabled
from lossless.intent.show import Shown

__all__ = ["Built", "Cabled", "Shown", "build", "expand_links"]
