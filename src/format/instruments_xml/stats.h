// Stats that the reader of instruments_xml counts.
#pragma once

#include "event/stat.h"

#define TB_INSTRUMENTS_XML_STATS(STAT)                                                 \
  STAT(72, instruments_row_missing_thread, Single, Error, Analysis, MachineAndFile)    \
  STAT(73, instruments_row_missing_process, Single, Error, Analysis, MachineAndFile)   \
  STAT(74, instruments_row_missing_backtrace, Single, Error, Analysis, MachineAndFile) \
  STAT(75, instruments_row_missing_frame, Single, Error, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_INSTRUMENTS_XML_STATS)
