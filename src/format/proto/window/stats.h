// Stats that the readers of proto/window/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_WINDOW_STATS(STAT)                                                                \
  STAT(261, winscope_inputmethod_clients_parse_errors, Single, Error, Analysis, MachineAndFile,    \
       LostData,                                                                                   \
       "A state of input method clients is malformed. Its row has the fields before the error. "   \
       "Check the file.")                                                                          \
  STAT(262, winscope_inputmethod_manager_service_parse_errors, Single, Error, Analysis,            \
       MachineAndFile, LostData,                                                                   \
       "A state of the input method manager is malformed. Its row has the fields before the "      \
       "error. Check the file.")                                                                   \
  STAT(263, winscope_inputmethod_service_parse_errors, Single, Error, Analysis, MachineAndFile,    \
       LostData,                                                                                   \
       "A state of the input method service is malformed. Its row has the fields before the "      \
       "error. Check the file.")                                                                   \
  STAT(264, winscope_sf_layers_parse_errors, Single, Error, Analysis, MachineAndFile, LostData,    \
       "A snapshot of layers is malformed. Its rows have the fields before the error. Check the "  \
       "file.")                                                                                    \
  STAT(265, winscope_sf_transactions_parse_errors, Single, Error, Analysis, MachineAndFile,        \
       LostData,                                                                                   \
       "A transaction of SurfaceFlinger is malformed. Its rows have the fields before the error. " \
       "Check the file.")                                                                          \
  STAT(266, winscope_shell_transitions_parse_errors, Single, Error, Analysis, MachineAndFile,      \
       LostData,                                                                                   \
       "A packet of a shell transition is malformed. The transition has the fields before the "    \
       "error. Check the file.")                                                                   \
  STAT(268, winscope_protolog_missing_interned_arg_parse_errors, Single, Info, Analysis,           \
       MachineAndFile, LostData,                                                                   \
       "A line of ProtoLog refers to a text that was not defined. The line shows <ERROR> there. "  \
       "Check whether the start of the recording is missing.")                                     \
  STAT(269, winscope_protolog_missing_interned_stacktrace_parse_errors, Single, Info, Analysis,    \
       MachineAndFile, LostData,                                                                   \
       "A line of ProtoLog refers to a stack that was not defined. The line has no stack. Check "  \
       "whether the start of the recording is missing.")                                           \
  STAT(270, winscope_protolog_message_decoding_failed, Single, Info, Analysis, MachineAndFile,     \
       LostData,                                                                                   \
       "The file does not describe a message of ProtoLog. Its row has only the time. Check the "   \
       "data source of the viewer configuration.")                                                 \
  STAT(271, winscope_protolog_message_collision, Single, Info, Analysis, MachineAndFile, LostData, \
       "Several messages of ProtoLog have the same id, and the parameters do not tell which one "  \
       "was logged. The row shows all candidates.")                                                \
  STAT(272, winscope_protolog_message_collision_resolved, Single, Info, Analysis, MachineAndFile,  \
       Noted,                                                                                      \
       "Several messages of ProtoLog have the same id. The parameters tell which one was logged.") \
  STAT(273, winscope_protolog_group_tag_collision, Single, Info, Analysis, MachineAndFile,         \
       Repaired,                                                                                   \
       "Several groups of ProtoLog have the same id. Lines of these groups have the tag "          \
       "COLLISION_GROUP.")                                                                         \
  STAT(274, winscope_protolog_group_tag_missing, Single, Info, Analysis, MachineAndFile, Repaired, \
       "The file does not describe the group of a line of ProtoLog. The line has the tag "         \
       "UNKNOWN_GROUP. Check the data source of the viewer configuration.")                        \
  STAT(275, winscope_protolog_param_mismatch, Single, Info, Analysis, MachineAndFile, Repaired,    \
       "A line of ProtoLog has more or fewer parameters than its text. Missing ones are shown as " \
       "[MISSING_PARAM]. Check whether the viewer configuration belongs to the recorded system.")  \
  STAT(276, winscope_viewcapture_parse_errors, Single, Error, Analysis, MachineAndFile, LostData,  \
       "A snapshot of views is malformed. Its rows have the fields before the error. Check the "   \
       "file.")                                                                                    \
  STAT(277, winscope_viewcapture_missing_interned_string_parse_errors, Single, Error, Analysis,    \
       MachineAndFile, LostData,                                                                   \
       "A captured view refers to a text that was not defined. The arg shows an error text. "      \
       "Check whether the start of the recording is missing.")                                     \
  STAT(278, winscope_windowmanager_parse_errors, Single, Error, Analysis, MachineAndFile,          \
       LostData,                                                                                   \
       "A snapshot of the window manager is malformed, or a container lacks its identifier. Such " \
       "a container, and those below it, are on no row. Check the file.")                          \
  STAT(281, android_input_event_parse_errors, Single, Info, Analysis, MachineAndFile, LostData,    \
       "An input event of Android is malformed. Its row has the fields before the error. Check "   \
       "the file.")

TB_DECLARE_STATS(TB_PROTO_WINDOW_STATS)
