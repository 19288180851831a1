"""What really runs: a snapshot read against a declaration, and compared with it."""

from lossless.running.differences import Kind, Leaf, against_declared, between, undeclared_ports
from lossless.running.fabric import running_fabric
from lossless.running.folding import Difference, folded
from lossless.running.gather import Fault, Part, Seen, gather, gather_alone, strangers
from lossless.running.located import amiss, located
from lossless.running.words import fields_of

__all__ = [
    "Difference",
    "Fault",
    "Kind",
    "Leaf",
    "Part",
    "Seen",
    "against_declared",
    "amiss",
    "between",
    "fields_of",
    "folded",
    "gather",
    "gather_alone",
    "located",
    "running_fabric",
    "strangers",
    "undeclared_ports",
]
