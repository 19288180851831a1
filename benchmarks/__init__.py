"""Speed and memory, measured as ratios side by side in one run and never asserted."""
