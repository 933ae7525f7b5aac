// Stats of locating clocks.
#pragma once

#include "event/stat.h"

#define TB_MERGE_LOCATE_STATS(STAT)                                                           \
  STAT(180, clock_sync_failure_unknown_source_clock, Single, Error, Analysis, MachineAndFile) \
  STAT(181, clock_sync_failure_unknown_target_clock, Single, Error, Analysis, MachineAndFile) \
  STAT(182, clock_sync_failure_no_path, Single, Error, Analysis, MachineAndFile)              \
  STAT(184, clock_sync_mixed_clock_sources, Single, Error, Analysis, MachineAndFile)          \
  STAT(401, clock_sync_third_marker, Single, Info, Analysis, MachineAndFile)                  \
  STAT(402, clock_sync_self, Single, Error, Analysis, MachineAndFile)                         \
  STAT(403, clock_sync_incomplete, Single, Info, Analysis, MachineAndFile)                    \
  STAT(404, clock_sync_disconnected, Single, Error, Analysis, MachineAndFile)                 \
  STAT(405, clock_sync_inconsistent, Single, Error, Analysis, MachineAndFile)                 \
  STAT(425, clock_fit_rejected, Single, Info, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_MERGE_LOCATE_STATS)
