// Stats of packets and sequences, and of what several folders of proto/ read.
#pragma once

#include "event/stat.h"

#define TB_PROTO_STATS(STAT)                                                                      \
  STAT(76, interned_data_tokenizer_errors, Single, Info, Analysis, MachineAndFile)                \
  STAT(170, track_event_parser_errors, Single, Info, Analysis, MachineAndFile)                    \
  STAT(324, incremental_state_cleared_missing_sequence_id, Single, Error, Analysis,               \
       MachineAndFile)                                                                            \
  STAT(325, previous_packet_dropped_missing_sequence_id, Single, Error, Analysis, MachineAndFile) \
  STAT(326, trace_packet_defaults_missing_sequence_id, Single, Error, Analysis, MachineAndFile)   \
  STAT(327, interned_data_missing_sequence_id, Single, Error, Analysis, MachineAndFile)           \
  STAT(346, packet_skipped_seq_needs_incremental_state_invalid, Single, Notice, Analysis,         \
       MachineAndFile)                                                                            \
  STAT(347, interned_data_skipped_incremental_state_invalid, Single, Notice, Analysis,            \
       MachineAndFile)                                                                            \
  STAT(357, extra_parsing_descriptors_error, Single, Error, Analysis, Global)

TB_DECLARE_STATS(TB_PROTO_STATS)
