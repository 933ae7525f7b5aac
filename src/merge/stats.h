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
  STAT(449, clock_reading_beyond_reach, Single, Info, Analysis, MachineAndFile, Repaired,          \
       "A clock that was set back cannot have shown this reading at any time near its snapshots. " \
       "The event is placed by the nearest snapshots; its bound contains the distance.")           \
  STAT(436, placed_events_dropped, Single, Info, Analysis, MachineAndFile, Figure,                 \
       "Events that were read and placed on the timeline, but are on no row of the tables. Other " \
       "stats count them by cause.")                                                               \
  STAT(442, align_sets_used, Single, Info, Analysis, Global, Figure,                               \
       "Pairs of recordings whose clocks their common content relates. See clock_match_set.")      \
  STAT(443, align_sets_refused, Indexed, Info, Analysis, Global, Noted,                            \
       "Pairs of recordings with common content that does not prove how their clocks relate, by "  \
       "reason: 1 too_few, 2 not_same, 3 other_job, 4 out_of_order, 5 inconsistent, 6 ambiguous, " \
       "7 aliased, 8 rate, 9 one_sided, 10 no_gain, 11 contradicted. Nothing is lost; "            \
       "clock_match_set has the details.")                                                         \
  STAT(444, align_matches, Single, Info, Analysis, Global, Figure,                                 \
       "Matches of content that relate clocks. See clock_match.")                                  \
  STAT(445, align_outliers, Single, Info, Analysis, Global, Repaired,                              \
       "Matches of content that contradict the other matches of their set, and are left out. "     \
       "Times depend on the others. See clock_match.")                                             \
  STAT(446, align_id_reuse, Single, Info, Analysis, Global, Repaired,                              \
       "Sets of matches by id of which more than 1 percent are outliers: ids were used twice. "    \
       "See clock_match_set.")

TB_DECLARE_STATS(TB_MERGE_STATS)
