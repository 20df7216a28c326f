"""What the tests share."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# strangers' programs, never to be imported here; and a fuzzer that is a script and wants a package of its own
collect_ignore = ["hostile", "fuzz_wire.py"]
