"""What the tests share."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = ["hostile"]  # strangers' programs: never to be imported here
