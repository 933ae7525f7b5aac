// Stats that the readers of proto/system/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_SYSTEM_STATS(STAT)                                                                \
  STAT(0, android_aflags_errors, Single, Error, Trace, MachineAndFile, LostData,                   \
       "The recorder could not read a part of the Android feature flags. The table of flags is "   \
       "incomplete. Check the errors in the import log and record again if you need the flags.")   \
  STAT(2, android_log_num_failed, Single, Error, Trace, MachineAndFile, LostData,                  \
       "The recorder could not parse messages of the Android log. These messages are not in the "  \
       "file. Nothing can recover them.")                                                          \
  STAT(4, android_log_num_skipped, Single, Info, Trace, MachineAndFile, LostData,                  \
       "The recorder skipped messages of the Android log, because it could not keep up. These "    \
       "messages are not in the file. Use a larger buffer.")                                       \
  STAT(5, android_log_num_total, Single, Info, Trace, MachineAndFile, Figure,                      \
       "The number of messages of the Android log that the recorder saw.")                         \
  STAT(15, energy_breakdown_missing_values, Single, Error, Analysis, MachineAndFile, LostEvents,   \
       "A packet of energy estimates lacks its consumer or its value. The estimate is no row of "  \
       "counter. Check the energy data source of the recording.")                                  \
  STAT(16, energy_descriptor_invalid, Single, Error, Analysis, MachineAndFile, LostData,           \
       "A descriptor of an energy consumer lacks a field. Estimates of this consumer cannot be "   \
       "named. Check the energy data source of the recording.")                                    \
  STAT(17, entity_state_descriptor_invalid, Single, Error, Analysis, MachineAndFile, LostData,     \
       "A descriptor of a power entity or state lacks its number. Residencies of this state "      \
       "cannot be named. Check the power data source of the recording.")                           \
  STAT(18, entity_state_residency_invalid, Single, Error, Analysis, MachineAndFile, LostEvents,    \
       "A residency of a power state lacks its entity or state. The value is no row of counter. "  \
       "Check the power data source of the recording.")                                            \
  STAT(19, entity_state_residency_lookup_failed, Single, Error, Analysis, MachineAndFile,          \
       LostEvents,                                                                                 \
       "A residency names a power state without a descriptor. The value is no row of counter. "    \
       "Start recording before the descriptors are written, or use a larger buffer.")              \
  STAT(20, energy_uid_breakdown_missing_values, Single, Error, Analysis, MachineAndFile, LostData, \
       "An energy estimate of an app lacks its uid or value. The value of this app is dropped. "   \
       "Check the energy data source of the recording.")                                           \
  STAT(78, invalid_cpu_times, Single, Error, Analysis, MachineAndFile, LostEvents,                 \
       "A packet of CPU times lacks the CPU or names an impossible one. The values are no rows "   \
       "of counter. Check the recorder.")                                                          \
  STAT(79, kernel_wakelock_reused_id, Single, Error, Analysis, MachineAndFile, Repaired,           \
       "Two kernel wakelocks have the same number. The later name is used. Check the recorder.")   \
  STAT(80, kernel_wakelock_unknown_id, Single, Error, Analysis, MachineAndFile, LostEvents,        \
       "A value belongs to a kernel wakelock without a name. The value is no row of counter. "     \
       "Check whether the start of the recording is missing.")                                     \
  STAT(81, kernel_wakelock_zero_value_reported, Single, Info, Trace, MachineAndFile, Noted,        \
       "A kernel wakelock reported zero after a larger value. The zero is ignored. A known error"  \
       " of some kernels.")                                                                        \
  STAT(82, kernel_wakelock_non_monotonic_value_reported, Single, Info, Trace, MachineAndFile,      \
       Noted,                                                                                      \
       "The total of a kernel wakelock decreased. The value is ignored. A known error of some "    \
       "kernels.")                                                                                 \
  STAT(83, kernel_wakelock_implausibly_large_value_reported, Single, Info, Trace, MachineAndFile,  \
       Noted,                                                                                      \
       "The total of a kernel wakelock grew faster than time. The value is ignored. A known "      \
       "error of some kernels.")                                                                   \
  STAT(85, app_wakelock_parse_error, Single, Error, Analysis, MachineAndFile, LostEvents,          \
       "A packet of app wakelocks has lists of different lengths. The packet is on no row. Check"  \
       " the recorder.")                                                                           \
  STAT(86, app_wakelock_unknown_id, Single, Error, Analysis, MachineAndFile, LostEvents,           \
       "An event belongs to an app wakelock without a name. The event is on no row. Check "        \
       "whether the start of the recording is missing.")                                           \
  STAT(88, meminfo_unknown_keys, Single, Error, Analysis, MachineAndFile, LostEvents,              \
       "A memory counter of the kernel has an unknown number. The value is no row of counter. "    \
       "Report the number, so that it can be added.")                                              \
  STAT(89, cpu_info_unknown_cpu_features, Single, Info, Analysis, MachineAndFile, Noted,           \
       "A CPU reports features without a known name. The features are not listed. Nothing else "   \
       "is affected.")                                                                             \
  STAT(91, cpu_info_empty, Single, Error, Analysis, MachineAndFile, LostData,                      \
       "The packet that describes the CPUs is empty. The table cpu has no details. Check the "     \
       "permissions of the recorder.")                                                             \
  STAT(95, power_rail_empty_packet, Single, Error, Analysis, MachineAndFile, Noted,                \
       "A packet of power rails has no data. Nothing is imported from it. Check whether the "      \
       "device has power rails.")                                                                  \
  STAT(96, power_rail_unknown_index, Single, Error, Trace, MachineAndFile, LostEvents,             \
       "A value belongs to a power rail without a description. The value is no row of counter. "   \
       "Check whether the start of the recording is missing.")                                     \
  STAT(97, proc_stat_unknown_counters, Single, Error, Analysis, MachineAndFile, LostData,          \
       "A packet of process statistics has fields that are unknown. Their values are not "         \
       "imported. Report the fields, so that they can be added.")                                  \
  STAT(119, systemd_journal_num_failed, Single, Error, Trace, MachineAndFile, LostData,            \
       "The recorder could not read entries of the systemd journal. These entries are not in the"  \
       " file. Check its permissions.")                                                            \
  STAT(120, systemd_journal_num_total, Single, Info, Trace, MachineAndFile, Figure,                \
       "The number of entries of the systemd journal that the recorder saw.")                      \
  STAT(176, vmstat_unknown_keys, Single, Error, Analysis, MachineAndFile, LostEvents,              \
       "A counter of virtual memory has an unknown number. The value is no row of counter. "       \
       "Report the number, so that it can be added.")                                              \
  STAT(177, psi_unknown_resource, Single, Error, Analysis, MachineAndFile, LostEvents,             \
       "A pressure value belongs to an unknown resource. The value is no row of counter. Report "  \
       "the resource, so that it can be added.")                                                   \
  STAT(189, namespaced_thread_missing_process, Single, Error, Analysis, MachineAndFile, Repaired,  \
       "A thread of a container belongs to no known process. The thread has no process. Check "    \
       "whether the start of the recording is missing.")                                           \
  STAT(212, packages_list_has_parse_errors, Single, Error, Trace, MachineAndFile, LostData,        \
       "The recorder could not parse the list of packages. The table package_list is incomplete."  \
       " Check the version of the recorder.")                                                      \
  STAT(213, packages_list_has_read_errors, Single, Error, Trace, MachineAndFile, LostData,         \
       "The recorder could not read the list of packages. The table package_list is incomplete. "  \
       "Check its permissions.")                                                                   \
  STAT(214, user_list_errors, Single, Error, Trace, MachineAndFile, LostData,                      \
       "The recorder could not read the list of users. The table of users is incomplete. Check "   \
       "its permissions.")                                                                         \
  STAT(215, game_intervention_has_parse_errors, Single, Error, Trace, MachineAndFile, LostData,    \
       "The recorder could not parse the list of game modes. The table of game modes is "          \
       "incomplete. Check the version of the recorder.")                                           \
  STAT(216, game_intervention_has_read_errors, Single, Error, Trace, MachineAndFile, LostData,     \
       "The recorder could not read the list of game modes. The table of game modes is "           \
       "incomplete. Check its permissions.")                                                       \
  STAT(251, network_trace_intern_errors, Single, Info, Analysis, MachineAndFile, LostEvents,       \
       "A network packet refers to a context that was not defined. The packet is on no row. "      \
       "Check whether the start of the recording is missing.")                                     \
  STAT(252, network_trace_parse_errors, Single, Info, Analysis, MachineAndFile, LostEvents,        \
       "A bundle of network packets has lists of different lengths. The bundle is on no row. "     \
       "Check the recorder.")                                                                      \
  STAT(253, atom_timestamp_missing, Single, Error, Trace, MachineAndFile, LostEvents,              \
       "An atom of statsd has no time. The atom is on no row. Check the version of the recorder.") \
  STAT(254, atom_unknown, Single, Info, Analysis, MachineAndFile, Noted,                           \
       "An atom of statsd has an unknown number. Its slice is named by the number.")

TB_DECLARE_STATS(TB_PROTO_SYSTEM_STATS)
