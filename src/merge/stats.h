// Stats that merging counts.
#pragma once

#include "event/stat.h"

#define TB_MERGE_STATS(STAT)                                                               \
  STAT(77, invalid_clock_snapshots, Single, Error, Analysis, Global)                       \
  STAT(183, clock_sync_unrelatable_clock_domains, Single, Error, Analysis, MachineAndFile) \
  STAT(185, clock_sync_failure_undeferrable_packet_loss, Single, DataLoss, Analysis,       \
       MachineAndFile)                                                                     \
  STAT(305, trace_sorter_negative_timestamp_dropped, Single, Error, Trace, Global)         \
  STAT(395, archive_truncated, Single, DataLoss, Trace, MachineAndFile)                    \
  STAT(426, ambiguous_clock_reading, Single, Info, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_MERGE_STATS)
