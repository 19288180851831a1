"""`python -m lossless`."""

from lossless.cli import main

main()
