"""Rules: pure functions over the model, the engine that asks them, and their pages."""
