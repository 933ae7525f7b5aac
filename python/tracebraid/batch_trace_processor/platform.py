"""What an installation may replace: the threads that load traces and run statements."""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

MAX_LOAD_WORKERS = 32


class PlatformDelegate:
    """Set `tracebraid.batch_trace_processor.api.PLATFORM_DELEGATE` to a class derived from this one. An executor of None
    works on the calling thread."""

    def create_query_executor(self, trace_count: int) -> ThreadPoolExecutor | None:
        """The threads that run statements."""
        return ThreadPoolExecutor(max_workers=max(1, min(trace_count, os.cpu_count() or 1)))

    def create_load_executor(self, trace_count: int) -> ThreadPoolExecutor | None:
        """The threads that load traces."""
        return ThreadPoolExecutor(max_workers=max(1, min(trace_count, os.cpu_count() or 1, MAX_LOAD_WORKERS)))
