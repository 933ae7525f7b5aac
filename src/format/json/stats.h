// Stats that the reader of json counts.
#pragma once

#include "event/stat.h"

#define TB_JSON_STATS(STAT)                                                                       \
  STAT(190, json_tokenizer_failure, Single, Error, Trace, MachineAndFile, LostEvents,             \
       "An event of a JSON file is malformed, or has no phase, time or duration that can be "     \
       "read. The event is on no row. The import log shows its text and place.")                  \
  STAT(192, json_display_time_unit, Single, Info, Trace, MachineAndFile, Noted,                   \
       "The file states a unit for display. Times are imported in full precision.")               \
  STAT(358, trace_file_empty, Single, Info, Trace, MachineAndFile, Noted,                         \
       "The file has no events. Nothing is imported from it.")                                    \
  STAT(359, json_extra_comma, Single, Info, Trace, MachineAndFile, Repaired,                      \
       "A JSON file has a comma too many. The comma is ignored and nothing is missing.")          \
  STAT(360, json_nonfinite_number, Single, Error, Trace, MachineAndFile, Repaired,                \
       "A JSON file has NaN or Infinity, which JSON does not allow. The value is kept as a real " \
       "number.")                                                                                 \
  STAT(361, json_duplicate_key, Single, Error, Trace, MachineAndFile, Repaired,                   \
       "A JSON object has a key twice. The last value is used; for traceEvents both lists are. "  \
       "Check the program that wrote the file.")                                                  \
  STAT(363, json_concatenated_documents, Single, Info, Trace, MachineAndFile, Noted,              \
       "A file holds several JSON documents. All of them are read as one trace.")                 \
  STAT(364, json_event_not_object, Single, Error, Trace, MachineAndFile, LostEvents,              \
       "An element of traceEvents is no object. The element is on no row. Check the program that" \
       " wrote the file.")                                                                        \
  STAT(366, json_skipped_bytes, Single, DataLoss, Trace, MachineAndFile, LostData,                \
       "Bytes of a JSON file were skipped after a syntax error. The events in them are counted "  \
       "by json_tokenizer_failure, once for each gap. Check the program that wrote the file.")    \
  STAT(367, json_missing_comma, Single, Info, Trace, MachineAndFile, Repaired,                    \
       "A comma is missing between two JSON values. The values are read as if it were there.")    \
  STAT(368, json_trailing_garbage, Single, Error, Trace, MachineAndFile, LostData,                \
       "Text follows the end of a JSON document. The text is ignored. Check whether two programs" \
       " wrote into the file.")                                                                   \
  STAT(369, json_trace_events_type, Single, Error, Trace, MachineAndFile, LostData,               \
       "traceEvents of a JSON file is no list. Its content is not imported. Check the program "   \
       "that wrote the file.")                                                                    \
  STAT(375, json_instant_bad_scope, Single, Error, Trace, MachineAndFile, Repaired,               \
       "An instant has a scope other than g, p and t. The instant is shown on its thread.")       \
  STAT(376, json_stack_ignored, Single, Error, Trace, MachineAndFile, LostData,                   \
       "An event has a callstack that its phase does not support. The event is imported without " \
       "the callstack.")                                                                          \
  STAT(377, json_id_and_id2, Single, Error, Trace, MachineAndFile, Repaired,                      \
       "An event has both id and id2. id2 is used.")                                              \
  STAT(379, json_args_not_object, Single, Error, Trace, MachineAndFile, LostData,                 \
       "The args of an event are a text or a number. The event is imported without args. Check "  \
       "the program that wrote the file.")                                                        \
  STAT(380, json_sf_and_stack, Single, Error, Trace, MachineAndFile, Repaired,                    \
       "An event has both sf and stack. The callstack of sf is used.")                            \
  STAT(381, json_stack_frame_missing, Single, Error, Trace, MachineAndFile, LostData,             \
       "An event names a stack frame that the file does not define. The event has no callstack. " \
       "Check the stackFrames of the file.")                                                      \
  STAT(382, json_stack_frame_cycle, Single, Error, Trace, MachineAndFile, Repaired,               \
       "Stack frames are parents of each other. The callstack is cut at the cycle.")              \
  STAT(383, json_unknown_phase, Single, Error, Trace, MachineAndFile, Repaired,                   \
       "An event has a phase that the format does not define. The event is a row of "             \
       "json_unhandled_event only.")                                                              \
  STAT(384, json_unknown_cname, Single, Error, Trace, MachineAndFile, Noted,                      \
       "An event names a color that the format does not define. The event has its usual color.")  \
  STAT(385, json_pid_type, Single, Error, Trace, MachineAndFile, Repaired,                        \
       "A process or thread id is no integer. The id is rounded towards zero.")                   \
  STAT(386, json_name_type, Single, Error, Trace, MachineAndFile, Repaired,                       \
       "The name of an event is an object or a list. Its JSON text is the name.")                 \
  STAT(387, json_metadata_truncated, Single, DataLoss, Trace, MachineAndFile, LostData,           \
       "A text of an object snapshot is too long to be stored in each level. The values are in "  \
       "args; the text is not in json_object_snapshot.")                                          \
  STAT(389, flow_bad_bind_point, Single, Error, Trace, MachineAndFile, Repaired,                  \
       "The bp of a flow end is not e. The flow ends at the next slice, as without bp.")          \
  STAT(406, clock_domain_unknown, Single, Info, Analysis, MachineAndFile, Noted,                  \
       "The file names a clock that the format does not define. The clock is kept under this "    \
       "name and related to others only by markers or a manifest.")                               \
  STAT(407, json_metadata_error, Single, Error, Trace, MachineAndFile, LostData,                  \
       "Metadata of a JSON file, such as the parent of a stack frame, is malformed. Names or "    \
       "callstacks may be incomplete. Check the program that wrote the file.")                    \
  STAT(408, json_sample_unknown_tid, Single, Error, Trace, MachineAndFile, Repaired,              \
       "A sample belongs to a thread without events. The process of the thread is assumed.")      \
  STAT(427, low_resolution_timer, Single, Info, Trace, MachineAndFile, Noted,                     \
       "The recorder had a timer of low resolution. Times are exact to some milliseconds only.")  \
  STAT(428, json_complete_without_dur, Single, Info, Trace, MachineAndFile, Repaired,             \
       "An X event has no dur. The event is a row of json_unfinished_complete, not of slice, "    \
       "because its end is not known. Usual for slices that were open when recording ended.")     \
  STAT(429, json_name_missing, Single, Info, Trace, MachineAndFile, Noted,                        \
       "A process_name or thread_name event has no text, or an empty one. The process or thread " \
       "has no name from it; the event is a row of json_metadata_event.")                         \
  STAT(430, json_hint_invalid, Single, Info, Trace, MachineAndFile, Repaired,                     \
       "A metadata event, such as a sort index, has no value that can be used. The hint is "      \
       "ignored; the event is a row of json_metadata_event.")                                     \
  STAT(431, json_event_incomplete, Single, DataLoss, Trace, MachineAndFile, LostEvents,           \
       "An event lacks the id, name or process that its phase needs, or a counter has no values." \
       " The event is on no row. The import log shows its text and place.")                       \
  STAT(432, json_counter_value_invalid, Single, DataLoss, Trace, MachineAndFile, LostData,        \
       "A value of a counter event is no number. The value is no row of counter; other values of" \
       " the event are. Check the program that wrote the file.")

TB_DECLARE_STATS(TB_JSON_STATS)
