"""Taking what devices show: from a declared fabric to answers without secrets."""

from lossless.collect.asking import Job, ask, prepare
from lossless.collect.gathering import Collected, collect
from lossless.collect.local import Local, this_host

__all__ = ["Collected", "Job", "Local", "ask", "collect", "prepare", "this_host"]
