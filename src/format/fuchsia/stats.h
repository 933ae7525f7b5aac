// Stats that the reader of fuchsia counts.
#pragma once

#include "event/stat.h"

#define TB_FUCHSIA_STATS(STAT)                                                                    \
  STAT(57, fuchsia_non_numeric_counters, Single, Error, Analysis, MachineAndFile, LostData,       \
       "A counter of a Fuchsia trace has a value that is no number. The value is no row of "      \
       "counter. Check the program that wrote the trace.")                                        \
  STAT(58, fuchsia_timestamp_overflow, Single, Error, Analysis, MachineAndFile, LostEvents,       \
       "A time of a Fuchsia trace does not fit into 64 bits of nanoseconds. The event is on no "  \
       "row. Check the ticks per second of the trace.")                                           \
  STAT(59, fuchsia_record_read_error, Single, Error, Analysis, MachineAndFile, LostEvents,        \
       "A record of a Fuchsia trace is malformed or of an unknown type. The record is skipped. "  \
       "Check whether the file was truncated or damaged.")                                        \
  STAT(61, fuchsia_invalid_event_arg_type, Single, Error, Analysis, MachineAndFile, LostData,     \
       "An argument of a Fuchsia event has an unknown type. The argument is no row of args. "     \
       "Check the program that wrote the trace.")                                                 \
  STAT(64, fuchsia_invalid_string_ref, Single, Error, Analysis, MachineAndFile, LostData,         \
       "A record of a Fuchsia trace refers to a string that was not defined. The text is empty. " \
       "Check whether the start of the trace is missing.")

TB_DECLARE_STATS(TB_FUCHSIA_STATS)
