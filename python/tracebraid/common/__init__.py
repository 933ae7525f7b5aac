"""Exceptions and results that trace_processor and batch_trace_processor share, named as in the package perfetto."""
