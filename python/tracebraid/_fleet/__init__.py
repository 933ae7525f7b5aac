"""Fleets: one statement over many traces. `source` lists and groups files, `pool` runs groups in `worker` processes, `fleet`
is what the user sees."""
