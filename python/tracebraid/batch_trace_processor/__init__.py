"""Many traces and one statement for all, named as in the package perfetto."""
from .api import BatchTraceProcessor, BatchTraceProcessorConfig, TraceListReference

__all__ = ["BatchTraceProcessor", "BatchTraceProcessorConfig", "TraceListReference"]
