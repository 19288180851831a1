"""What devices showed, kept in a directory: the format, a reader and a writer."""

from lossless.snapshot.format import Answer, Capture, Shown, Snapshot, Taken
from lossless.snapshot.reading import read
from lossless.snapshot.writing import held, write

__all__ = ["Answer", "Capture", "Shown", "Snapshot", "Taken", "held", "read", "write"]
