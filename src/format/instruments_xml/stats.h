// Stats that the reader of instruments_xml counts.
#pragma once

#include "event/stat.h"

#define TB_INSTRUMENTS_XML_STATS(STAT)                                                            \
  STAT(72, instruments_row_missing_thread, Single, Error, Analysis, MachineAndFile, LostData,     \
       "A row of an Instruments export has no thread. The sample belongs to no thread. Export "   \
       "the table with its thread column.")                                                       \
  STAT(73, instruments_row_missing_process, Single, Error, Analysis, MachineAndFile, Repaired,    \
       "A row of an Instruments export has no process. The sample belongs to a thread without a " \
       "process. Export the table with its process column.")                                      \
  STAT(74, instruments_row_missing_backtrace, Single, Error, Analysis, MachineAndFile, LostData,  \
       "A sample of an Instruments export has no backtrace. The sample has no callstack. Export " \
       "the table with its backtrace column.")                                                    \
  STAT(75, instruments_row_missing_frame, Single, Error, Analysis, MachineAndFile, LostData,      \
       "A backtrace of an Instruments export refers to a missing frame. The callstack is "        \
       "shorter. Export the table again.")

TB_DECLARE_STATS(TB_INSTRUMENTS_XML_STATS)
