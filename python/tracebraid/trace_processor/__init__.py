"""One trace and its statements, named as in the package perfetto."""
from .api import TraceProcessor, TraceProcessorConfig, TraceProcessorException, TraceReference

__all__ = ["TraceProcessor", "TraceProcessorConfig", "TraceProcessorException", "TraceReference"]
