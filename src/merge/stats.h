// Stats that merging counts.
#pragma once

#include "event/stat.h"

#define TB_MERGE_STATS(STAT)                                                                       \
  STAT(77, invalid_clock_snapshots, Single, Error, Analysis, Global, Repaired,                     \
       "A clock snapshot contradicts earlier ones or is malformed, and is ignored. Times depend "  \
       "on the other snapshots. The import log gives the reason; check the clocks of the "         \
       "recorder.")                                                                                \
  STAT(183, clock_sync_unrelatable_clock_domains, Single, Error, Analysis, MachineAndFile, Noted,  \
       "Two clocks of a file cannot be related. The events that this costs are counted by the "    \
       "stats clock_sync_failure_. State how the clocks relate in the manifest.")                  \
  STAT(185, clock_sync_failure_undeferrable_packet_loss, Single, DataLoss, Analysis,               \
       MachineAndFile, Noted,                                                                      \
       "Packets were dropped, because their clock has no path to trace time. The same packets "    \
       "are counted by the stats clock_sync_failure_. State how the clocks relate in the "         \
       "manifest.")                                                                                \
  STAT(305, trace_sorter_negative_timestamp_dropped, Single, Error, Trace, Global, LostEvents,     \
       "An event lies before the start of trace time and --drop-negative was given. The event is"  \
       " on no row. Open the trace without --drop-negative.")                                      \
  STAT(395, archive_truncated, Single, DataLoss, Trace, MachineAndFile, LostData,                  \
       "An archive or a compressed file ends in the middle. Everything before its end is read. "   \
       "Copy the file again.")                                                                     \
  STAT(426, ambiguous_clock_reading, Single, Info, Analysis, MachineAndFile, Noted,                \
       "A clock was set back, so that a reading has two possible times. The events are counted "   \
       "by the stats clock_sync_failure_, too.")                                                   \
  STAT(436, placed_events_dropped, Single, Info, Analysis, MachineAndFile, Figure,                 \
       "Events that were read and placed on the timeline, but are on no row of the tables. Other " \
       "stats count them by cause.")

TB_DECLARE_STATS(TB_MERGE_STATS)
