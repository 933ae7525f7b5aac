// Stats of packets and sequences, and of what several folders of proto/ read.
#pragma once

#include "event/stat.h"

#define TB_PROTO_STATS(STAT)                                                                      \
  STAT(76, interned_data_tokenizer_errors, Single, Info, Analysis, MachineAndFile, LostData,      \
       "A table of names that packets refer to is malformed. Events that use these names may "    \
       "have none. Check whether the file was damaged.")                                          \
  STAT(170, track_event_parser_errors, Single, Info, Analysis, MachineAndFile, LostData,          \
       "A part of a track event or of its arguments is malformed. The part is not imported. "     \
       "Check the version of the program that wrote it.")                                         \
  STAT(324, incremental_state_cleared_missing_sequence_id, Single, Error, Analysis,               \
       MachineAndFile, Repaired,                                                                  \
       "A packet resets the state of no sequence. The reset is ignored. Check the program that "  \
       "wrote it.")                                                                               \
  STAT(325, previous_packet_dropped_missing_sequence_id, Single, Error, Analysis, MachineAndFile, \
       Repaired,                                                                                  \
       "A packet reports a gap of no sequence. The report is ignored. Check the program that "    \
       "wrote it.")                                                                               \
  STAT(326, trace_packet_defaults_missing_sequence_id, Single, Error, Analysis, MachineAndFile,   \
       Repaired,                                                                                  \
       "A packet sets default values of no sequence. The values are ignored. Check the program "  \
       "that wrote it.")                                                                          \
  STAT(327, interned_data_missing_sequence_id, Single, Error, Analysis, MachineAndFile, LostData, \
       "A packet defines names of no sequence. The names are ignored. Check the program that "    \
       "wrote it.")                                                                               \
  STAT(346, packet_skipped_seq_needs_incremental_state_invalid, Single, Notice, Analysis,         \
       MachineAndFile, LostEvents,                                                                \
       "A packet needs names from packets that are lost. The packet is on no row. Use a larger "  \
       "buffer, or let producers repeat their state more often.")                                 \
  STAT(347, interned_data_skipped_incremental_state_invalid, Single, Notice, Analysis,            \
       MachineAndFile, LostData,                                                                  \
       "Names follow a gap of their sequence. The names are ignored, and so are packets that "    \
       "need them. Use a larger buffer.")                                                         \
  STAT(357, extra_parsing_descriptors_error, Single, Error, Analysis, Global, LostData,           \
       "A file given with --proto-descriptors is no set of descriptors. Its extensions are not "  \
       "imported. Write it with protoc --descriptor_set_out.")

TB_DECLARE_STATS(TB_PROTO_STATS)
