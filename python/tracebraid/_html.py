"""HTML of notebooks: any text of a trace, also a hostile one, stays text."""
from __future__ import annotations

import html
import re

# HTML and XML have no such characters, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """The text for an element or a quoted attribute."""
    return html.escape(_FORBIDDEN.sub("\ufffd", text))
