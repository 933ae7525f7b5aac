"""A lake: Parquet files of many traces in one folder. `schema` says which tables and columns there are, `log` which files belong
to the lake, `write` adds the groups of a fleet, `lake` is what the user sees."""
