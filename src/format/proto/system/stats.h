// Stats that the readers of proto/system/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_SYSTEM_STATS(STAT)                                                               \
  STAT(0, android_aflags_errors, Single, Error, Trace, MachineAndFile)                            \
  STAT(2, android_log_num_failed, Single, Error, Trace, MachineAndFile)                           \
  STAT(4, android_log_num_skipped, Single, Info, Trace, MachineAndFile)                           \
  STAT(5, android_log_num_total, Single, Info, Trace, MachineAndFile)                             \
  STAT(15, energy_breakdown_missing_values, Single, Error, Analysis, MachineAndFile)              \
  STAT(16, energy_descriptor_invalid, Single, Error, Analysis, MachineAndFile)                    \
  STAT(17, entity_state_descriptor_invalid, Single, Error, Analysis, MachineAndFile)              \
  STAT(18, entity_state_residency_invalid, Single, Error, Analysis, MachineAndFile)               \
  STAT(19, entity_state_residency_lookup_failed, Single, Error, Analysis, MachineAndFile)         \
  STAT(20, energy_uid_breakdown_missing_values, Single, Error, Analysis, MachineAndFile)          \
  STAT(78, invalid_cpu_times, Single, Error, Analysis, MachineAndFile)                            \
  STAT(79, kernel_wakelock_reused_id, Single, Error, Analysis, MachineAndFile)                    \
  STAT(80, kernel_wakelock_unknown_id, Single, Error, Analysis, MachineAndFile)                   \
  STAT(81, kernel_wakelock_zero_value_reported, Single, Info, Trace, MachineAndFile)              \
  STAT(82, kernel_wakelock_non_monotonic_value_reported, Single, Info, Trace, MachineAndFile)     \
  STAT(83, kernel_wakelock_implausibly_large_value_reported, Single, Info, Trace, MachineAndFile) \
  STAT(85, app_wakelock_parse_error, Single, Error, Analysis, MachineAndFile)                     \
  STAT(86, app_wakelock_unknown_id, Single, Error, Analysis, MachineAndFile)                      \
  STAT(88, meminfo_unknown_keys, Single, Error, Analysis, MachineAndFile)                         \
  STAT(89, cpu_info_unknown_cpu_features, Single, Info, Analysis, MachineAndFile)                 \
  STAT(91, cpu_info_empty, Single, Error, Analysis, MachineAndFile)                               \
  STAT(95, power_rail_empty_packet, Single, Error, Analysis, MachineAndFile)                      \
  STAT(96, power_rail_unknown_index, Single, Error, Trace, MachineAndFile)                        \
  STAT(97, proc_stat_unknown_counters, Single, Error, Analysis, MachineAndFile)                   \
  STAT(119, systemd_journal_num_failed, Single, Error, Trace, MachineAndFile)                     \
  STAT(120, systemd_journal_num_total, Single, Info, Trace, MachineAndFile)                       \
  STAT(176, vmstat_unknown_keys, Single, Error, Analysis, MachineAndFile)                         \
  STAT(177, psi_unknown_resource, Single, Error, Analysis, MachineAndFile)                        \
  STAT(189, namespaced_thread_missing_process, Single, Error, Analysis, MachineAndFile)           \
  STAT(212, packages_list_has_parse_errors, Single, Error, Trace, MachineAndFile)                 \
  STAT(213, packages_list_has_read_errors, Single, Error, Trace, MachineAndFile)                  \
  STAT(214, user_list_errors, Single, Error, Trace, MachineAndFile)                               \
  STAT(215, game_intervention_has_parse_errors, Single, Error, Trace, MachineAndFile)             \
  STAT(216, game_intervention_has_read_errors, Single, Error, Trace, MachineAndFile)              \
  STAT(251, network_trace_intern_errors, Single, Info, Analysis, MachineAndFile)                  \
  STAT(252, network_trace_parse_errors, Single, Info, Analysis, MachineAndFile)                   \
  STAT(253, atom_timestamp_missing, Single, Error, Trace, MachineAndFile)                         \
  STAT(254, atom_unknown, Single, Info, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_PROTO_SYSTEM_STATS)
