// Stats that the reader of fuchsia counts.
#pragma once

#include "event/stat.h"

#define TB_FUCHSIA_STATS(STAT)                                                      \
  STAT(57, fuchsia_non_numeric_counters, Single, Error, Analysis, MachineAndFile)   \
  STAT(58, fuchsia_timestamp_overflow, Single, Error, Analysis, MachineAndFile)     \
  STAT(59, fuchsia_record_read_error, Single, Error, Analysis, MachineAndFile)      \
  STAT(61, fuchsia_invalid_event_arg_type, Single, Error, Analysis, MachineAndFile) \
  STAT(64, fuchsia_invalid_string_ref, Single, Error, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_FUCHSIA_STATS)
