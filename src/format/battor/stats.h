// Stats that the reader of battor counts.
#pragma once

#include "event/stat.h"

#define TB_BATTOR_STATS(STAT)                                                                     \
  STAT(423, battor_parse_failure, Single, Error, Analysis, MachineAndFile, LostEvents,            \
       "A line of BattOr is malformed. The line is no row of counter. Check whether the file was" \
       " damaged.")                                                                               \
  STAT(424, battor_negative_sample, Single, Info, Analysis, MachineAndFile, LostEvents,           \
       "A power sample of BattOr is negative, as while charging. The sample is no row of "        \
       "counter, as the format defines.")

TB_DECLARE_STATS(TB_BATTOR_STATS)
