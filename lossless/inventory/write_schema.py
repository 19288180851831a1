"""Write `schemas/inventory.schema.json`: `python -m lossless.inventory.write_schema`."""

from __future__ import annotations

import json
from pathlib import Path

from lossless.inventory import json_schema


def main() -> None:
    """Write the schema where it is checked in."""
    target = Path(__file__).parents[2] / "schemas" / "inventory.schema.json"
    target.write_text(
        json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
