// Stats that the readers of proto/etw/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_ETW_STATS(STAT)                                                                \
  STAT(90, missing_disk_io_event_name, Single, Error, Analysis, MachineAndFile, LostEvents,     \
       "A disk operation of Windows has an unknown opcode. The operation is no row of slice. "  \
       "Report the opcode, so that it can be added.")                                           \
  STAT(440, etw_event_dropped, Single, Error, Analysis, MachineAndFile, LostEvents,             \
       "A Windows event has no time or no valid CPU, or memory counts of more priorities than " \
       "256. The event or count is on no row. Check the recorder.")

TB_DECLARE_STATS(TB_PROTO_ETW_STATS)
