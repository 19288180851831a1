"""The fabric as a graph: tiers, paths between NICs, and paths of classes of equal devices."""
