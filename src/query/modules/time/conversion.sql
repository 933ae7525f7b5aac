-- Conversion of durations and times between units. NULL gives NULL.

-- Converts nanoseconds to nanoseconds.
CREATE PERFETTO FUNCTION time_from_ns(
  -- Number of nanoseconds.
  nanos LONG
)
-- Time, ns.
RETURNS TIMESTAMP AS
SELECT $nanos;

-- Converts microseconds to nanoseconds.
CREATE PERFETTO FUNCTION time_from_us(
  -- Number of microseconds.
  micros LONG
)
-- Time, ns.
RETURNS LONG AS
SELECT $micros * 1000;

-- Converts milliseconds to nanoseconds.
CREATE PERFETTO FUNCTION time_from_ms(
  -- Number of milliseconds.
  millis LONG
)
-- Time, ns.
RETURNS TIMESTAMP AS
SELECT $millis * 1000000;

-- Converts seconds to nanoseconds.
CREATE PERFETTO FUNCTION time_from_s(
  -- Number of seconds.
  seconds LONG
)
-- Time, ns.
RETURNS TIMESTAMP AS
SELECT $seconds * 1000000000;

-- Converts minutes to nanoseconds.
CREATE PERFETTO FUNCTION time_from_min(
  -- Number of minutes.
  minutes LONG
)
-- Time, ns.
RETURNS TIMESTAMP AS
SELECT $minutes * 60000000000;

-- Converts hours to nanoseconds.
CREATE PERFETTO FUNCTION time_from_hours(
  -- Number of hours.
  hours LONG
)
-- Time, ns.
RETURNS TIMESTAMP AS
SELECT $hours * 3600000000000;

-- Converts days to nanoseconds.
CREATE PERFETTO FUNCTION time_from_days(
  -- Number of days.
  days LONG
)
-- Time, ns.
RETURNS LONG AS
SELECT $days * 86400000000000;

-- Converts nanoseconds to nanoseconds, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_ns(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of nanoseconds.
RETURNS LONG AS
SELECT $nanos;

-- Converts nanoseconds to microseconds, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_us(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of microseconds.
RETURNS LONG AS
SELECT $nanos / 1000;

-- Converts nanoseconds to milliseconds, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_ms(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of milliseconds.
RETURNS LONG AS
SELECT $nanos / 1000000;

-- Converts nanoseconds to seconds, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_s(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of seconds.
RETURNS LONG AS
SELECT $nanos / 1000000000;

-- Converts nanoseconds to minutes, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_min(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of minutes.
RETURNS LONG AS
SELECT $nanos / 60000000000;

-- Converts nanoseconds to hours, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_hours(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of hours.
RETURNS LONG AS
SELECT $nanos / 3600000000000;

-- Converts nanoseconds to days, rounded toward zero.
CREATE PERFETTO FUNCTION time_to_days(
  -- Time, ns.
  nanos TIMESTAMP
)
-- Number of days.
RETURNS LONG AS
SELECT $nanos / 86400000000000;
