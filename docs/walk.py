"""Goes a walk of the guide: runs the Python on its page, which leaves a picture in the current folder.

    python docs/walk.py docs/guide/walks/city.md
"""

import re
import sys
from pathlib import Path

page = Path(sys.argv[1]).read_text(encoding="utf-8")
code = "".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
exec(compile(code, sys.argv[1], "exec"), {})
