"""Write docs/schemas/*.json from the types of the nodes: `python scripts/write_schemas.py`."""

import json
from pathlib import Path

from freewheel.export.json_stages import KINDS, schema_of

PLACE = Path(__file__).resolve().parents[1] / "docs" / "schemas"


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    for stage in KINDS:
        path = PLACE / f"{stage}.json"
        path.write_text(json.dumps(schema_of(stage), indent=1) + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
