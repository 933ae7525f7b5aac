// Stats that the reader of ninja_log counts.
#pragma once

#include "event/stat.h"

#define TB_NINJA_LOG_STATS(STAT) STAT(223, ninja_parse_errors, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_NINJA_LOG_STATS)
