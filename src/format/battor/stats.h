// Stats that the reader of battor counts.
#pragma once

#include "event/stat.h"

#define TB_BATTOR_STATS(STAT)                                              \
  STAT(423, battor_parse_failure, Single, Error, Analysis, MachineAndFile) \
  STAT(424, battor_negative_sample, Single, Info, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_BATTOR_STATS)
