// Stats of locating clocks.
#pragma once

#include "event/stat.h"

#define TB_MERGE_LOCATE_STATS(STAT)                                                               \
  STAT(180, clock_sync_failure_unknown_source_clock, Single, Error, Analysis, MachineAndFile,     \
       LostEvents,                                                                                \
       "The clock of an event appears in no clock snapshot. The event has no trace time and is "  \
       "on no row. State the clock in the manifest, or record snapshots of it.")                  \
  STAT(181, clock_sync_failure_unknown_target_clock, Single, Error, Analysis, MachineAndFile,     \
       LostEvents,                                                                                \
       "The clock of trace time appears in no clock snapshot. The event has no trace time and is" \
       " on no row. State how the clocks relate in the manifest.")                                \
  STAT(182, clock_sync_failure_no_path, Single, Error, Analysis, MachineAndFile, LostEvents,      \
       "No snapshots connect the clock of an event to trace time. The event is on no row. State " \
       "how the clocks relate in the manifest.")                                                  \
  STAT(184, clock_sync_mixed_clock_sources, Single, Error, Analysis, MachineAndFile, Repaired,    \
       "Snapshots of one machine come from different sources that disagree. The first source is " \
       "used. Check the clocks of the recorders.")                                                \
  STAT(401, clock_sync_third_marker, Single, Info, Analysis, MachineAndFile, Noted,               \
       "More than two files have a clock sync marker with one id. The first two are related; the" \
       " others by other evidence.")                                                              \
  STAT(402, clock_sync_self, Single, Error, Analysis, MachineAndFile, Noted,                      \
       "A file has both markers of a clock sync. The markers relate nothing.")                    \
  STAT(403, clock_sync_incomplete, Single, Info, Analysis, MachineAndFile, Noted,                 \
       "A clock sync marker has no counterpart in another file. The marker relates nothing. Open" \
       " the other file, too.")                                                                   \
  STAT(404, clock_sync_disconnected, Single, Error, Analysis, MachineAndFile, Repaired,           \
       "A file with clock sync markers has no path to the others. The file is placed by other "   \
       "evidence or a guess. Open the files that connect it.")                                    \
  STAT(405, clock_sync_inconsistent, Single, Error, Analysis, MachineAndFile, Repaired,           \
       "Clock sync markers contradict each other. The earlier ones are used. Check the clocks of" \
       " the recorders.")                                                                         \
  STAT(425, clock_fit_rejected, Single, Info, Analysis, MachineAndFile, Noted,                    \
       "Snapshots of a pair of clocks do not lie on a line. The clocks are shifted instead.")     \
  STAT(447, clock_evidence_contradicted, Single, Info, Analysis, Global, Repaired,                \
       "Pairs of recordings whose common content contradicts what else relates their clocks. "    \
       "The warning says which one is used.")

TB_DECLARE_STATS(TB_MERGE_LOCATE_STATS)
