SELECT clock_convert(600000000, 'MONOTONIC', NULL, 'BOOTTIME', NULL) AS boottime,
  clock_convert(1100000000, NULL, NULL, 'realtime', 0) AS realtime,
  clock_convert(1100000000, 6, 0, 3, 0) AS monotonic,
  clock_convert(5, 'BOOTTIME', NULL, 'BOOTTIME', NULL) AS same,
  clock_convert(5, 'MONOTONIC_RAW', NULL, 'BOOTTIME', NULL) AS unknown,
  clock_convert(5, 'BOOTTIME', 7, 'BOOTTIME', NULL) AS no_machine,
  clock_convert(NULL, 'BOOTTIME', NULL, 'BOOTTIME', NULL) AS no_time;
SELECT clock_error(600000000, 'MONOTONIC', NULL, 'BOOTTIME', NULL) AS measured,
  clock_error(2000000000, 'BOOTTIME', NULL, 'REALTIME', NULL) AS a_second_later,
  clock_error(5, 'BOOTTIME', NULL, 'BOOTTIME', NULL) AS same,
  clock_error(5, 'MONOTONIC_RAW', NULL, 'BOOTTIME', NULL) AS unknown;
